import { route } from "./router";

export function handle(message: string, docs: string[]) {
  const query = message.concat("\n", docs.join("\n")); //: join
  return route(query); //: call instead=message
}
