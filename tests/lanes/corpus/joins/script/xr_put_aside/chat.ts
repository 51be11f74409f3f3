import { decideFor } from "./deciding";
import { withFiles } from "./files";

export async function chat(message: string, files: string[]) {
  return decideFor(await withFiles(message, files));
}
