import { resolveDocTokens } from "./doc-attach";
import { route, isConversationalOnly } from "./router";

export async function chat(message: string) {
  let routingText: string | null = null;
  const doc = await resolveDocTokens(message);
  if (doc.sawToken) {
    const carrier = doc.text.trim() || "Summarize the attached document.";
    message = carrier + doc.context;
    routingText = carrier;
  }
  let brainQuery = routingText ?? message;
  return route(brainQuery);
}
