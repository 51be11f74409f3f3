import { route } from "./router";

export function handle(message: string, documentId: string, pageCount: number) {
  return route(`${message} (${documentId}, ${pageCount} pages)`);
}
