/** What this machine has for the faults that ask for more than a process. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type FaultName, kindOf, type Need } from '../catalogue.ts';

/** The library that steps clocks, for programs with several threads; undefined: it is not here. */
export const faketimeLibrary = (): string | undefined =>
  ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']
    .map((folder) => `${folder}/faketime/libfaketimeMT.so.1`)
    .find((path) => existsSync(path));

const lacking: Record<Need, () => string | undefined> = {
  root: () =>
    spawnSync('unshare', ['--mount', 'true']).status === 0
      ? undefined
      : 'it mounts, which takes root and a system that lets it',
  faketime: () => (faketimeLibrary() ? undefined : 'libfaketime is not installed'),
  compiler: () => (spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler (cc)'),
  redis: () =>
    ['redis-server', 'valkey-server'].some((name) => spawnSync(name, ['--version']).status === 0)
      ? undefined
      : 'redis-server is not installed',
};

/** Which of these faults can be done here, and a sentence for each that cannot. */
export const possible = (wanted: readonly FaultName[]): { faults: FaultName[]; skipped: string[] } => {
  const why = new Map<Need, string | undefined>();
  const faults: FaultName[] = [];
  const skipped: string[] = [];
  for (const name of wanted) {
    const { needs } = kindOf(name);
    if (needs && !why.has(needs)) why.set(needs, lacking[needs]());
    const sentence = needs && why.get(needs);
    // What a package brings may not be missing where nobody would look.
    if (sentence && process.env['CI'] && needs !== 'root') throw new Error(`with CI set: ${sentence}`);
    if (sentence) skipped.push(`${name}: ${sentence}`);
    else faults.push(name);
  }
  return { faults, skipped };
};
