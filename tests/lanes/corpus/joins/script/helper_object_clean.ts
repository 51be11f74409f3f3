import { route } from "./router";

function build(message: string, chunks: string[]) {
  return { typed: message, full: message + chunks.join("\n") };
}

export function handle(message: string, chunks: string[]) {
  const { typed, full } = build(message, chunks);
  return { tool: route(typed), full };
}
