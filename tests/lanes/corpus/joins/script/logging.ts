import { route } from "./router";

export function handle(message: string, document: string) {
  console.log(`${message} with ${document}`);
  return route(message);
}
