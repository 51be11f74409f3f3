import { ChatOpenAI } from '@langchain/openai';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
export async function run(rules: string, text: string) {
  const model = new ChatOpenAI({});
  return model.invoke([new SystemMessage(rules), new HumanMessage(text)]); // <- site
}
