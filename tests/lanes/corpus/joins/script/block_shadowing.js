import { route } from "./router.js";

export function handle(message, context) {
  let query = message;
  {
    let query = message + context;
    send(query);
  }
  return route(query);
}
