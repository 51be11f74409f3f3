import { execFile } from 'child_process';
export function claude(rules: string, prompt: string) {
  const args = ['-p', prompt];
  if (rules) args.push('--append-system-prompt', rules); // <- site
  return execFile('claude', args);
}
