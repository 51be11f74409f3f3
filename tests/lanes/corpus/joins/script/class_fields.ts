import { Router } from "./router";

export class Conversation {
  private text: string;

  constructor(message: string, private readonly router: Router) {
    this.text = message;
  }

  attach(document: string) {
    this.text = `${this.text}\n${document}`; //: join
    return this;
  }

  decide() {
    return this.router.route(this.text); //: call
  }
}
