import { route } from "./router";

export function handle(message: string, doc: { token: string; text: string }) {
  const full = message.replace(doc.token, doc.text); //: join
  return route(full); //: call instead=message
}
