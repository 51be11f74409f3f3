import { route } from "./router";

const decide = (query: string) => route(query.trim());

export const handle = (message: string, context: string) => ({
  tool: decide(message),
  prompt: message + context,
});
