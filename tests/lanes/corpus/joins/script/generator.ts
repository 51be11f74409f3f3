import { route } from "./router";

export async function* handle(message: string, docs: string[]) {
  yield "thinking";
  const full = `${message}\n${docs}`; //: join
  yield await route(full); //: call instead=message
}
