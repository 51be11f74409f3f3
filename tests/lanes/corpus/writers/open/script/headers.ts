export function request(system: string, instructions: string[]) {
  const headers = { 'x-system': system };
  const query = `?system=${system}&n=${instructions.length}`;
  return fetch('/api/instructions' + query, { headers });
}
