import { route } from "./router";

export class Turn {
  constructor(private message: string, private context: string) {}

  async run() {
    const plan = this.plan();
    this.fold();
    return model(this.message, plan);
  }

  plan() {
    return route(this.message);
  }

  fold() {
    this.message = this.message + this.context;
  }
}
