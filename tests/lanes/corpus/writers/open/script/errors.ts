export function check(form: Form) {
  const messages: string[] = [];
  if (!form.name) messages.push('Name is required');
  if (!form.mail) messages.push(`Mail of ${form.name} is required`);
  throw new Error(messages.join('\n'));
}
