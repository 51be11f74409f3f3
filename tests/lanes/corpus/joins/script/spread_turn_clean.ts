import { route } from "./router";

export function handle(turn: Turn, page: Page) {
  const next = { ...turn, prompt: turn.text + page.text };
  return { tool: route(turn.text), next };
}
