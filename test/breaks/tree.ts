/** A private copy of the repository, to be broken. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Break } from './break.ts';

const root = join(import.meta.dirname, '../..');
const made = ['src/generated', 'dist'];

export interface Tree {
  path: string;
  /** Breaks it; gives what mends it. */
  break(slip: Break): () => void;
  remove(): void;
}

/** Everything that git knows of, or would; what was generated; `node_modules` are shared. */
export const copyTree = (): Tree => {
  const path = mkdtempSync(join(tmpdir(), 'ramal-breaks-'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => file !== '');
  for (const file of [...files, ...made].filter((one) => existsSync(join(root, one)))) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    cpSync(join(root, file), join(path, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  return {
    path,
    break: (slip) => {
      const file = join(path, slip.file);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, broken(text, slip));
      return () => writeFileSync(file, text);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
};

/** The text with the slip in it; throws unless `from` stands there exactly once, and `to` says something else. */
const broken = (text: string, { name, file, from, to }: Break): string => {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`${name}: its text stands ${found} times in ${file}, not once`);
  if (from === to) throw new Error(`${name} changes nothing`);
  return text.replace(from, () => to);
};
