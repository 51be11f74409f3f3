import { route } from "./router";

export function handle(message: string, docs: string[]) {
  if (docs.length) {
    message = message + docs.join("\n");
  }
  return docs.length ? send(message) : route(message);
}
