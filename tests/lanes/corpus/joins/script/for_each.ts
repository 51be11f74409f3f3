import { route } from "./router";

export function make(message: string, snippets: string[]) {
  let full = message;
  snippets.forEach((snippet) => {
    full += snippet; //: join
  });
  return route(full); //: call instead=message
}
