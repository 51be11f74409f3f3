import readline from 'readline';
const rl = readline.createInterface({ input: process.stdin });
export function loop(user) {
  let prompt = user + '@host';
  prompt += '> ';
  rl.setPrompt(prompt);
  rl.prompt();
}
