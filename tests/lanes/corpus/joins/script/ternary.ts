import { route } from "./router";

export function handle(message: string, page?: string) {
  const query = page ? `${message}\n${page}` : message; //: join
  return route(query); //: call instead=message
}
