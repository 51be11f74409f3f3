import { readFileSync } from "fs";
import { route } from "./router";

export function handle(message: string, path: string) {
  let extra = "";
  try {
    extra = readFileSync(path, "utf8");
  } catch (error) {
    return route(message);
  }
  return { tool: route(message), prompt: message + extra };
}
