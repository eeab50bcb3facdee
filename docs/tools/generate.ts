/** `npm run docs`: writes the pages and drawings that are made from the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { kinds } from '../../machines/index.ts';
import { drawings } from './charts/index.ts';

const folder = new URL('../machines/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const { file, svg } of drawings(kinds)) writeFileSync(new URL(file, folder), svg);
