export default function assemble(message, pages) {
  const full = message + pages.join("\n");
  return { typed: message, full };
}
