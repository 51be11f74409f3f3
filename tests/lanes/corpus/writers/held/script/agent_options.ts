import { Agent } from '@openai/agents';
export const triage = (rules: string) => new Agent({ name: 'triage', instructions: `${rules}\nHand off early.` }); // <- site
