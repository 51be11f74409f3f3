import { ChatPromptTemplate } from '@langchain/core/prompts';
export const template = ChatPromptTemplate.fromMessages([ // <- site
  ['system', 'Answer from {context}'],
  ['human', '{question}'],
]);
