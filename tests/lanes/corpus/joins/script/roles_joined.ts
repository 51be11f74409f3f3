import { classify } from "./classify";

export async function handle(message: string, context: string) {
  return classify([ //: call instead=message
    { role: "system", content: "Choose a tool." },
    { role: "user", content: `${context}\n${message}` }, //: join
  ]);
}
