export function add(usage: Usage[]) {
  let promptTokens = 0;
  let systemTokens = 0;
  for (const u of usage) { promptTokens += u.prompt_tokens; systemTokens += u.system ?? 0; }
  const promptCost = promptTokens * 0.1 + systemTokens;
  return promptCost;
}
