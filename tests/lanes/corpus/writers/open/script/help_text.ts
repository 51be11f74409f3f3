export function authMessage(host: string, code: string) {
  const authMsg = '## Sign in\n\n' + '1. Open ' + host + '\n' + '2. Enter `' + code + '`\n';
  return authMsg;
}
