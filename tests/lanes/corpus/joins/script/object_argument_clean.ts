import { route } from "./router";

export async function handle(message: string, retrieved: string) {
  return route({ query: message, context: retrieved });
}
