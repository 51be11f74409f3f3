import { suffix } from './scope';
export function maybeAppend(prompt: string, scope: string, setting?: string): string {
  let out = prompt + '\n\n---\n\n' + suffix(scope); // <- site late
  if (setting) {
    out += '\n\n## Operator\n' + setting.trim().slice(0, 600); // <- site budget=600 late
  }
  return out;
}
