import { z } from 'zod';
export const promptSchema = z.object({ name: z.string(), prompt: z.string(), system: z.string().optional() });
export type Prompt = z.infer<typeof promptSchema>;
export const promptTitle = (p: Prompt) => `${p.name} (${p.prompt.length})`;
