/** This package on disk. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, above `src/` and above `dist/src/` alike. */
const rootAbove = (folder: string): string =>
  existsSync(join(folder, 'package.json')) || dirname(folder) === folder
    ? folder
    : rootAbove(dirname(folder));

export interface PackageManifest {
  version: string;
  engines: { node: string };
}

export const readPackageManifest = (): PackageManifest =>
  JSON.parse(readFileSync(join(rootAbove(import.meta.dirname), 'package.json'), 'utf8')) as PackageManifest;
