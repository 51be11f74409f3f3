import { route } from "./router";

export function handle(message: string, docs: string[]) {
  if (docs.length === 0) {
    return route(message);
  }
  message = message + docs.join("\n");
  return send(message);
}
