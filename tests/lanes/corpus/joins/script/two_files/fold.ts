export async function foldDocuments(message: string, documents: string[]): Promise<string> {
  let text = message;
  for (const document of documents) {
    text += "\n" + document; //: join
  }
  return text;
}
