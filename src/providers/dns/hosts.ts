/** The file of hosts (`/etc/hosts`), which goes before any name server. */
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

export type HostsFileLookup = (host: string) => readonly string[];

/** How often it is looked whether the file was changed, milliseconds. */
const believedForMs = 5_000;

/** The addresses that a file gives a name, in lower case; none when it gives none, or there is no file. */
export const openHostsFile = (path = '/etc/hosts', now: () => number = Date.now): HostsFileLookup => {
  let known: ReadonlyMap<string, readonly string[]> = new Map();
  let writtenAt = Number.NaN;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    lookedAt = now();
    try {
      const { mtimeMs } = statSync(path);
      if (mtimeMs === writtenAt) return;
      known = read(readFileSync(path, 'utf8'));
      writtenAt = mtimeMs;
    } catch {
      known = new Map();
      writtenAt = Number.NaN;
    }
  };
  return (host) => {
    if (now() - lookedAt > believedForMs) look();
    return known.get(host) ?? [];
  };
};

const read = (text: string): ReadonlyMap<string, readonly string[]> => {
  const known = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      known.set(key, [...(known.get(key) ?? []), address]);
    }
  }
  return known;
};
