import { route } from "./router.js";

export function handle(message, context) {
  let query = message;
  {
    query = message + context; //: join
    send(query);
  }
  return route(query); //: call instead=message
}
