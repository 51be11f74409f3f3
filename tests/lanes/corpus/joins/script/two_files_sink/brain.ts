import { route } from "./routing";

export function decide(query: string) {
  return route(query); //: call
}
