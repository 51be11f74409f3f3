export function fenceLast(messages: Message[], page: string) {
  messages[messages.length - 1].content += `\n\n<page_context>\n${page}\n</page_context>`; // <- site fence
}
