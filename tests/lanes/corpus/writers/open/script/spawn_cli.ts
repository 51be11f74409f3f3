import { spawn } from 'node:child_process';
export function start(bin: string, systemPrompt: string, userPrompt: string) {
  return spawn(bin, ['-p', '--output-format', 'stream-json', '--system-prompt', systemPrompt, userPrompt]); // <- site
}
