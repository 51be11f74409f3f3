import { readFileSync } from "fs";
import { route } from "./router";

export function handle(message: string, path: string) {
  try {
    message = message + readFileSync(path, "utf8"); //: join
  } catch (error) {
    console.error(error);
  } finally {
    return route(message); //: call
  }
}
