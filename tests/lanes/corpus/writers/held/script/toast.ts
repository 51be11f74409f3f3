export function notify(toast: Toast, text: string) {
  toast.messages.push({ type: 'error', text });
  toast.messages.unshift(text);
}
