import { execSync } from 'child_process';
export function commit(files) {
  let message = 'chore: update ' + files.join(', ');
  message += '\n\nSigned-off-by: bot';
  execSync(`git commit -m "${message}"`);
}
