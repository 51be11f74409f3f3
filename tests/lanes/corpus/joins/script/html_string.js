import { route } from "./router.js";

export function show(message) {
  const html = `<div class="bubble">${message}</div>`;
  document.body.innerHTML = html;
  return route(html);
}
