import { route } from "./router";

export function handle(event: any) {
  let text = event.text;
  switch (event.kind) {
    case "reply":
      text = event.quoted + text;
      return send(text);
    default:
      return route(text);
  }
}
