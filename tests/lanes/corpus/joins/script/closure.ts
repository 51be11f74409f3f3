import { route } from "./router";

export function make(message: string, snippets: string[]) {
  let full = message;
  const add = () => {
    for (const snippet of snippets) full += snippet; //: join
  };
  add();
  return route(full); //: call instead=message
}
