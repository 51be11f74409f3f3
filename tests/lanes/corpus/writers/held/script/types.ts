export type Role = 'system' | 'user' | 'assistant';
export interface Message { role: 'system' | 'user'; content: string }
export type Turn = { role: 'user'; content: string };
