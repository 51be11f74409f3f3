import assemble from "./assemble.js";
import { route } from "./routing.js";

export const handle = (message, pages) => {
  const { typed } = assemble(message, pages);
  return route(typed);
};
