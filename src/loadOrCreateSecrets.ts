/**
 * Secrets that no setting gives: made at the first start and kept in DATA_DIR, each in a file of its own, mode 0600.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface GivenSecrets {
  adminToken: string | undefined;
  secretKey: string | undefined;
  demoToken: string | undefined;
}

export interface Secrets {
  /** Opens the admin API and the console. */
  adminToken: string;
  /** Encrypts credentials at rest: one key, or several separated by commas, of which the first seals. */
  secretKey: string;
  /** Token of the demo account. */
  demoToken: string;
  /** Those that were made just now, to be shown once. */
  made: (keyof GivenSecrets)[];
}

const files: Record<keyof GivenSecrets, string> = {
  adminToken: 'admin-token',
  secretKey: 'secret-key',
  demoToken: 'demo-token',
};

/** The secrets in force: as given, else as kept in `dataDir`, else new. Two processes that begin at once agree. */
export function loadOrCreateSecrets(dataDir: string, given: GivenSecrets): Secrets {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const made: Secrets['made'] = [];
  const take = (name: keyof GivenSecrets): string => {
    const value = given[name];
    if (value !== undefined) return value;
    const path = join(dataDir, files[name]);
    if (makeOnce(path)) made.push(name);
    const kept = readFileSync(path, 'utf8').trim();
    // Of several keys the first counts: the others are what it replaces.
    if ((kept.split(',')[0] ?? '').length < leastCharacters)
      throw new Error(
        `${path} must hold at least ${leastCharacters} characters: write a longer secret there`,
      );
    return kept;
  };
  return { adminToken: take('adminToken'), secretKey: take('secretKey'), demoToken: take('demoToken'), made };
}

/** The secrets in force, without making those that are absent. */
export function readExistingSecrets(dataDir: string, given: GivenSecrets): Partial<GivenSecrets> {
  const take = (name: keyof GivenSecrets): string | undefined => given[name] ?? keptIn(dataDir, name);
  return { adminToken: take('adminToken'), secretKey: take('secretKey'), demoToken: take('demoToken') };
}

/** The names of files in `dataDir` that hold another secret than this one, which `writeRestoredSecretFiles` would not replace. */
export function differingSecretFiles(dataDir: string, secrets: Partial<GivenSecrets>): string[] {
  return namesOf(secrets)
    .filter((name) => ![undefined, secrets[name]].includes(keptIn(dataDir, name)))
    .map((name) => files[name]);
}

/** Writes secrets of before to their files, where there are none yet; returns the names of the files. */
export function writeRestoredSecretFiles(dataDir: string, secrets: Partial<GivenSecrets>): string[] {
  const names = namesOf(secrets);
  if (names.length > 0) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const name of names) makeOnce(join(dataDir, files[name]), secrets[name]);
  return names.map((name) => files[name]);
}

const namesOf = (secrets: Partial<GivenSecrets>): (keyof GivenSecrets)[] =>
  (Object.keys(files) as (keyof GivenSecrets)[]).filter((name) => secrets[name] !== undefined);

function keptIn(dataDir: string, name: keyof GivenSecrets): string | undefined {
  try {
    return readFileSync(join(dataDir, files[name]), 'utf8').trim();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** As for those that are given as settings. */
const leastCharacters = 24;

/** Written aside and linked into place, so that a reader never sees half of it; false when it was there. */
function makeOnce(path: string, secret: string = newSecret()): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft);
  }
}

/** Thirty letters and digits: nothing to escape wherever it is pasted. */
function newSecret(): string {
  const letters = randomBytes(64)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '');
  return letters.slice(0, 30);
}
