export async function chat(fullPrompt: string, results: string, label: string) {
  let userPrompt = fullPrompt;
  if (results) {
    userPrompt = `<active_context>\n${results}\n</active_context>\n\n${label}\n\n${fullPrompt}`; // <- site fence
  }
  userPrompt += '\n\n<instruction>Answer in one line.</instruction>'; // <- site
  return complete(userPrompt);
}
