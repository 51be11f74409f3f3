import { z } from 'zod';
export const message = z.object({ role: z.enum(['system', 'user']), content: z.string() });
export const system = z.object({ role: z.literal('system'), content: z.string() });
