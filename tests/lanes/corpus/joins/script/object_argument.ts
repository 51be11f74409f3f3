import { route } from "./router";

export async function handle(message: string, retrieved: string) {
  return route({ query: `${message}\n\n${retrieved}`, user: "u1" }); //: join #: call instead=message
}
