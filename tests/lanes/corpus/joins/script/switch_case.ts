import { route } from "./router";

export function handle(event: any) {
  let text = event.text;
  switch (event.kind) {
    case "reply":
      text = event.quoted + text; //: join
      break;
    case "voice":
      text = text.toLowerCase();
      break;
    default:
      break;
  }
  return route(text); //: call
}
