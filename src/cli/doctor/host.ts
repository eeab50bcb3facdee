/** This machine: its Node, and the folder that the service keeps everything in. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DoctorFinding, failedFinding, ok, describeError, warningFinding } from './finding.ts';

/** `needed`: the `engines.node` of package.json, e.g. `>=20.19`. */
export const checkNodeVersion = (version: string, needed: string): DoctorFinding[] => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = needed.replace(/^\D+/, '').split('.').map(Number);
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return [
    isEnough
      ? ok('node', version)
      : failedFinding('node', `${version} is too old`, `Install Node ${leastMajor}.${leastMinor} or newer.`),
  ];
};

const mebibyte = 1024 * 1024;
/** Below this nothing is kept any more soon; and where one should begin to look. */
const leastFree = 200 * mebibyte;
const goodFree = 2048 * mebibyte;

/** What stops where a volume is full, and what fills it. */
interface Use {
  stops: string;
  grow: string;
}
const useOfData: Use = { stops: 'the database stops', grow: 'the database, recordings and prompts' };

/** `DATA_DIR`, or another folder that a setting names; `check`: what the findings are called, default: as the setting. */
export const checkFolder = async (
  name: string,
  folder: string,
  { check = name, use = useOfData }: { check?: string; use?: Use } = {},
): Promise<DoctorFinding[]> => {
  const standing = nearestExistingFolder(folder);
  const isThere = standing === folder;
  try {
    if (!statSync(standing).isDirectory()) throw new Error(`${standing} is not a folder`);
    accessSync(standing, constants.W_OK | constants.X_OK);
  } catch (error) {
    const todo = `Let the user of the service write there, or choose another folder with ${name}.`;
    return [failedFinding(check, `${folder} cannot be used: ${describeError(error)}`, todo)];
  }
  const where = isThere ? `${folder} can be written to` : `${folder} is made at the first start`;
  const { bavail, bsize } = await statfs(standing);
  return [ok(check, where), diskSpaceFinding(check, bavail * bsize, use)];
};

/** `free`: bytes. */
export const diskSpaceFinding = (
  name: string,
  free: number,
  { stops, grow }: Use = useOfData,
): DoctorFinding => {
  const says = `${Math.floor(free / mebibyte).toLocaleString('en')} MB are free there`;
  if (free < leastFree) return failedFinding(name, says, `Make room: without it ${stops}.`);
  return free < goodFree
    ? warningFinding(name, says, `Make room before it is used up: ${grow} grow.`)
    : ok(name, says);
};

/** The folder, or the lowest one above it that is there. */
export const nearestExistingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExistingFolder(dirname(folder));

const secretFiles = ['admin-token', 'secret-key', 'demo-token'];

/** Files of secrets, which only the service's user should be able to read. */
export const checkSecretFilePermissions = (dataDir: string): DoctorFinding[] =>
  secretFiles.flatMap((file) => {
    const path = join(dataDir, file);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return [];
    if (stat.mode & 0o077)
      return [warningFinding('secrets', `${path} can be read by others`, `Close it: chmod 600 ${path}`)];
    return isReadable(path)
      ? []
      : [
          warningFinding(
            'secrets',
            `${path} belongs to another user`,
            'Run this as the user of the service.',
          ),
        ];
  });

const isReadable = (path: string): boolean => {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
};
