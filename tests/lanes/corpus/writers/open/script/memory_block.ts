export function formatMemoryContext(rows: Row[]): string {
  let block = '<memory>\n';
  for (const row of rows) block += `- ${row.text.slice(0, 300)}\n`; // <- site budget=300
  return block + '</memory>'; // <- site
}
