import { spawn } from 'node:child_process';
import Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
const SYSTEM_RE = /role:\s*['"]system['"]/;
const MAX_OPERATOR = 600;
type Msg = { role: 'system' | 'user' | 'assistant'; content: string };
export const turnSchema = z.object({ role: z.enum(['system', 'user']), content: z.string() });
const openapi = { components: { schemas: { Message: { type: 'object', properties: { role: { type: 'string' }, content: { type: 'string' } }, example: { role: 'user', content: 'hi' } } } } };
interface Pending { lastAllText: string; resolve: (t: string) => void }
export class Pool {
  private queue: Job[] = [];
  private pending = new Map<string, Pending>();
  submit(prompt: string, conv: string): void {
    this.queue.push({ prompt, conv, at: Date.now() });
  }
  private writeLine(text: string) {
    const line = JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } }); // <- site
    this.child.stdin.write(line + '\n');
  }
  private onStdout(chunk: Buffer) {
    this.buffer += chunk.toString('utf8');
    const lines = this.buffer.split('\n');
    this.buffer = lines.pop() ?? '';
    for (const l of lines) {
      const event = JSON.parse(l);
      const text = event.message.content.filter((b: any) => b.type === 'text').map((b: any) => b.text).join('\n');
      const p = this.pending.get(event.id)!;
      p.lastAllText += text;
      this.onEvent({ type: 'text', content: '\n\n' + p.lastAllText });
    }
  }
  private onStderr(msg: string) { this.stderrBuffer += msg; }
  start(systemPrompt: string, userPrompt: string, bin: string) {
    const args = ['-p', '--output-format', 'stream-json'];
    if (systemPrompt) args.push('--append-system-prompt', systemPrompt); // <- site
    args.push(userPrompt);
    this.child = spawn(bin, args);
  }
}
export function maybeAppendScope(prompt: string, scope: string | null, operator?: string): string {
  if (!scope) return prompt;
  let out = prompt + '\n\n---\n\n' + scopeSuffix(scope); // <- site late
  if (operator) out += '\n\n## Operator instructions\n' + operator.trim().slice(0, MAX_OPERATOR); // <- site budget=600 late
  return out;
}
function scopeSuffix(scope: string) {
  return `## Scope\nYou may only touch ${scope}.`; // <- site
}
export async function chat(convId: string, message: string, opts: Opts) {
  const bootstrap = await loadBootstrap(opts.workspace);
  let systemPrompt = opts.persona; 
  if (bootstrap) systemPrompt += `\n\n<bootstrap>\n${bootstrap}\n</bootstrap>`; // <- site fence
  let fullPrompt = message;
  const results = await retrieve(message);
  if (results.length) {
    fullPrompt = `<active_context>\n${results.map((r) => r.text).join('\n')}\n</active_context>\n\n${fullPrompt}`; // <- site fence
  }
  for (const doc of opts.attachments) {
    fullPrompt += `\n\n[Attached: ${doc.name}]\n${doc.text.slice(0, 14_000)}`; // <- site budget=14000
  }
  if (opts.page) fullPrompt += '\n\n' + pageBlock(opts.page); // <- site
  conversations.addUserMessage(convId, message); // <- site
  const history = conversations.messages(convId);
  const client = new Anthropic();
  const stream = client.messages.stream({ model: opts.model, max_tokens: 4096, system: systemPrompt, messages: history }); // <- site
  let fullText = '';
  for await (const ev of stream) {
    if (ev.type === 'content_block_delta') { fullText += ev.delta.text; opts.onEvent({ type: 'text', content: fullText }); }
  }
  conversations.addAssistantMessage(convId, [{ type: 'text', text: fullText }]); // <- site
  db.prepare('INSERT INTO turns (role, content) VALUES (?, ?)').run('assistant', fullText);
  logger.info({ role: 'assistant', content: fullText.slice(0, 80) }, 'turn done');
  return fullText;
}
function pageBlock(page: Page): string {
  const lines = [`URL: ${page.url}`]; // <- site
  lines.push(page.text.substring(0, 20000)); // <- site budget=20000
  return '<page>\n' + lines.join('\n') + '\n</page>'; // <- site fence
}
export function authHelp(host: string) {
  const authMsg = 'Sign in at ' + host + '\n\n' + '1. Open the page\n' + '2. Enter the code\n';
  return authMsg;
}
export function usage(u: Usage) {
  let promptTokens = 0;
  promptTokens += u.input_tokens;
  return { promptTokens, system: process.platform };
}
export const toUi = (turns: Turn[]) => turns.map((t) => ({ id: t.id, role: t.role, content: t.text, ts: t.at }));
export function receipt(lanes: Lane[]) {
  return lanes.map((l) => ({ lane: l.name, chars: l.text.length }));
}
