import { route } from "./routing";
import { foldDocuments } from "./fold";

export async function handle(message: string, documents: string[]) {
  const query = await foldDocuments(message, documents);
  return route(query); //: call instead=message
}
