import { Router } from "./router";

export class Conversation {
  private full: string;

  constructor(private readonly message: string, private readonly router: Router) {
    this.full = message;
  }

  attach(document: string) {
    this.full = `${this.full}\n${document}`;
  }

  decide() {
    return this.router.route(this.message);
  }
}
