import { route } from "./router.js";

export function withHeader(text, name) {
  const turn = `[attachment: ${name}]\n${text}`; //: join
  return route(turn); //: call instead=text
}
