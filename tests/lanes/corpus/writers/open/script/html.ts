export function render(rows: string[]) {
  const parts = ['<ul>'];
  for (const r of rows) parts.push(`<li>${r}</li>`);
  let content = parts.join('');
  content += '</ul>';
  return content;
}
