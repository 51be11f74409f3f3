import { route } from "./router";

export function make(message: string, snippets: string[]) {
  let full = message;
  snippets.forEach((snippet) => {
    full += snippet;
  });
  return { tool: route(message), full };
}
