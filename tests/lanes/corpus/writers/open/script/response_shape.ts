export function completion(text: string, res: Response) {
  res.json({ object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: text } }] });
}
export const chunk = (text: string) => ({ choices: [{ delta: { role: 'assistant', content: text } }] });
