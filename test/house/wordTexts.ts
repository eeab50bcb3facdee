/** The texts whose words are kept: sources, the schema, and the prose that comes with them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './rooms.ts';

const root = join(import.meta.dirname, '../..');
const folders = ['src', 'machines', 'packages', 'bin', 'docs/guides', 'docs/decisions'];
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/reliability.md'];

const read = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') });

const under = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.(tsx?|js|css|md)$/.test(path))
    .filter((path) => !/^src\/generated\/|\/(dist|node_modules)\//.test(path));

export const texts: readonly SourceFile[] = [...folders.flatMap(under), ...pages].map(read);

/** The names of the database. */
export const schema = read('prisma/schema.prisma');
