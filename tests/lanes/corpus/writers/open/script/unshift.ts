export function addRules(body: { messages: { role: string; content: string }[] }, rules: string) {
  body.messages.unshift({ role: 'developer', content: rules }); // <- site
  return body;
}
