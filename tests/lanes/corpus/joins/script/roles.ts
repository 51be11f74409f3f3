import { classify } from "./classify";

export async function handle(message: string, context: string) {
  return classify([
    { role: "system", content: context },
    { role: "user", content: message },
  ]);
}
