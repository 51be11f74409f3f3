import { classify } from "./classify";
export function serve(app: App, router: Router, message: string, attachment: string) {
  app.use("/chat", router);
  const whole = message + attachment;
  app.log(whole);
  return classify(message);
}
