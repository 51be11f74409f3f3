import inquirer from 'inquirer';
export async function ask(name) {
  const prompt = `Delete ${name}?`;
  const { ok } = await inquirer.prompt([{ type: 'confirm', name: 'ok', message: prompt }]);
  return ok;
}
