export const users = [{ name: 'ann', role: 'user' }, { name: 'root', role: 'system', permissions: ['*'] }];
export const add = (name: string) => users.push({ name, role: 'user' });
