import { ChatOpenAI } from '@langchain/openai';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
export const ask = async (model: ChatOpenAI, rules: string, text: string) => {
  const out = await model.invoke([new SystemMessage(rules), new HumanMessage({ content: text })]); // <- site
  console.log(out.content);
};
