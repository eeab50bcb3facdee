/** `npm run docs`: writes the pages and drawings that are made from the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generated } from './generated.ts';

for (const { path, content } of generated()) {
  const file = join(import.meta.dirname, '../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
