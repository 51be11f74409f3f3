import { route } from "./router";

export function handle(message: string, docs: string[]) {
  let query = message.concat(docs.join("\n"));
  send(query);
  query = message;
  return route(query);
}
