import { readFile } from "node:fs/promises";

export async function withFiles(message: string, paths: string[]) {
  let whole = message;
  for (const path of paths) {
    whole += "\n\n" + (await readFile(path, "utf8")); //: join
  }
  return whole;
}
