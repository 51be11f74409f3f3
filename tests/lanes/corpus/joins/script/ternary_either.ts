import { route } from "./router";

export function handle(message: string, page?: string) {
  const title = page ? page : message;
  return { tool: route(message), title };
}
