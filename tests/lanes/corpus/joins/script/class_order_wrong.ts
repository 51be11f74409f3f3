import { route } from "./router";

export class Turn {
  constructor(private message: string, private context: string) {}

  async run() {
    this.fold();
    return model(this.message, this.plan());
  }

  private plan() {
    return route(this.message); //: call
  }

  private fold() {
    this.message = this.message + this.context; //: join
  }
}
