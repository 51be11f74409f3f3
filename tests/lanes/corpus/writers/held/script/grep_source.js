import fs from 'fs';
const PATTERN = /role['"]?\s*:\s*['"](system|user)['"]|messages\.push\(/g;
export const hits = (file) => fs.readFileSync(file, 'utf8').includes("role: 'system'") || PATTERN.test(file);
