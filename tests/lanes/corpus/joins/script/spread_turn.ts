import { route } from "./router";

export function handle(turn: Turn, page: Page) {
  const next = { ...turn, text: turn.text + page.text }; //: join
  return route(next.text); //: call instead=turn.text
}
