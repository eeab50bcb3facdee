/** What a chart is made of: its file and those that it imports below `machines/`, each with a fingerprint of its code. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Fingerprints by file. */
export type Fingerprints = Readonly<Record<string, string>>;

/** Released chart versions, `<kind>:<version>`. */
export type Released = Readonly<Record<string, Fingerprints>>;

export const RELEASED = 'machines/released.json';

export const readReleased = (): Released => JSON.parse(readFileSync(RELEASED, 'utf8')) as Released;

/** Kinds whose file has another name: rows and addresses know a call queue as `line`. */
const NAMES: Readonly<Record<string, string>> = { line: 'callQueue' };

/** Where a version stands: `machines/call.ts` is version 1 of `call`, `machines/call.2.ts` version 2. */
export const fileOf = (name: string): string => {
  const [kind, version] = name.split(':') as [string, string];
  const file = NAMES[kind] ?? kind;
  return version === '1' ? `machines/${file}.ts` : `machines/${file}.${version}.ts`;
};

/** Comments and blank lines say nothing to a machine, nor do imports of types. */
export const codeOf = (source: string): string =>
  source
    .replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^import type [\s\S]*?;$/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

const IMPORT = /^(?:import|export) (?!type)[^;]*? from '(\.[^']*)';$/gms;

const importsOf = (file: string, code: string): string[] =>
  [...code.matchAll(IMPORT)]
    .map(([, path]) => normalize(join(dirname(file), path!)))
    .filter((path) => path.startsWith('machines/'));

/** The fingerprints of a chart version as it stands now. Throws where a file is gone. */
export const fingerprintsOf = (name: string): Fingerprints => {
  const found = new Map<string, string>();
  const waiting = [fileOf(name)];
  while (waiting.length > 0) {
    const file = waiting.pop()!;
    if (found.has(file)) continue;
    const code = codeOf(readFileSync(file, 'utf8'));
    found.set(file, createHash('sha256').update(code).digest('hex').slice(0, 16));
    waiting.push(...importsOf(file, code));
  }
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/** The files of a released version that are not what they were, gone, or new to it. */
export const changedFiles = (name: string, released: Fingerprints): string[] => {
  const now = fingerprintsOf(name);
  const files = new Set([...Object.keys(now), ...Object.keys(released)]);
  return [...files].filter((file) => now[file] !== released[file]);
};
