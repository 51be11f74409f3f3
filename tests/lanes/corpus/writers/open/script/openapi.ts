export const schema = {
  type: 'object',
  properties: { role: { type: 'string', enum: ['system', 'user'] }, content: { type: 'string' } },
  example: { role: 'user', content: 'Hello' },
};
