import { route } from "./router";

export function handle(message: string, document: string) {
  const full = `${message}\n${document}`;
  const typed = full.replace(document, "");
  return route(typed);
}
