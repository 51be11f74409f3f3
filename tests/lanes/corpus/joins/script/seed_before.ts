import { resolveDocTokens } from "./doc-attach";
import { route } from "./router";

export async function chat(message: string) {
  const doc = await resolveDocTokens(message);
  if (doc.sawToken) {
    message = doc.text + doc.context; //: join
  }
  let brainQuery = message;
  return route(brainQuery); //: call
}
