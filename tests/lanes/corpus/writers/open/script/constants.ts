export const SYSTEM_PROMPT = `You are a careful reviewer.
Answer in JSON.`;
export const ROLES = ['system', 'user', 'assistant'] as const;
