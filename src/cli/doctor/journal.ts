/** The journals in `OUTGOING_DIR`: whether they can be written, how much of them there is, and what volume they are on. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type DoctorFinding, failedFinding, ok, describeError } from './finding.ts';
import { checkFolder, nearestExistingFolder } from './host.ts';

const check = 'journal';
const use = { stops: 'nothing is committed or dialled', grow: 'journals' };

type Settings = Pick<Config, 'outgoingDir' | 'dataDir' | 'databaseUrl' | 'shards'> & {
  limits: Pick<Config['limits'], 'outgoingDays'>;
};

export const checkJournalFolder = async (config: Settings): Promise<DoctorFinding[]> => {
  const found = await checkFolder('OUTGOING_DIR', config.outgoingDir, { check, use });
  if (found[0]!.level === 'failed') return found;
  return [...found, ...keptIn(config), ...volumeOf(config)];
};

/** How much is kept. A folder may be of another user: one who started the service by hand, say. */
const keptIn = ({ outgoingDir, shards, limits }: Settings): DoctorFinding[] => {
  const sizes: number[] = [];
  const closed: DoctorFinding[] = [];
  for (const folder of foldersOf(outgoingDir, shards)) {
    try {
      sizes.push(...sizesIn(folder));
    } catch (error) {
      const todo = `Let the user of the service read and write there: chown -R <user> ${folder}`;
      closed.push(failedFinding(check, `${folder} cannot be used: ${describeError(error)}`, todo));
    }
  }
  const megabytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2).toLocaleString('en');
  const files = `${sizes.length.toLocaleString('en')} ${sizes.length === 1 ? 'file' : 'files'}`;
  const days = limits.outgoingDays === 1 ? '1 day' : `${limits.outgoingDays} days`;
  return [...closed, ok(check, `${files}, ${megabytes} MB; each is kept for ${days}`)];
};

/** Of commits, shard by shard, and of rows (`src/recovery/openRowChangeJournal.ts`). */
const foldersOf = (outgoingDir: string, shards: Settings['shards']): string[] => {
  const rowJournals = join(outgoingDir, 'row-images');
  const names = shards.map(({ name }) => name);
  return [
    ...names.map((name) => join(outgoingDir, name)),
    ...[join(rowJournals, 'control'), ...names.map((name) => join(rowJournals, 'shards', name))],
  ];
};

/** Of the journals of a shard, bytes; none where there is no folder yet. */
const sizesIn = (folder: string): number[] => {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  return readdirSync(folder)
    .filter((name) => /\.journal(\.gz)?$/.test(name))
    .flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? []);
};

/** Only the embedded server's volume is known: one of one's own may be anywhere. */
const volumeOf = ({ outgoingDir, dataDir, databaseUrl }: Settings): DoctorFinding[] => {
  if (databaseUrl !== undefined) return [];
  const [own, database] = [outgoingDir, join(dataDir, 'postgres')].map(
    (folder) => statSync(nearestExistingFolder(folder)).dev,
  );
  return own === database
    ? [
        ok(
          check,
          'is on the same volume as the embedded database: what loses or restores one takes the other with it. OUTGOING_DIR may name another volume',
        ),
      ]
    : [ok(check, 'is on another volume than the embedded database')];
};
