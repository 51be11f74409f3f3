import { route } from "./router";

export function handle(message: string, context = "", query = message + context) { //: join
  return route(query); //: call instead=message
}
