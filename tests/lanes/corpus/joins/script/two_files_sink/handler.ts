import * as brain from "./brain";

export function handle(message: string, retrieved: string) {
  return brain.decide(`${retrieved}\n${message}`); //: join
}
