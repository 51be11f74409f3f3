import { route } from "./router";

const decide = (query: string) => route(query.trim()); //: call

export const handle = (message: string, context: string) => decide(message + context); //: join
