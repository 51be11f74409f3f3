import { route } from "./router";

function build(message: string, chunks: string[]) {
  return { typed: message, full: message + chunks.join("\n") }; //: join
}

export function handle(message: string, chunks: string[]) {
  const { full } = build(message, chunks);
  return route(full); //: call instead=message
}
