/** `ramal reconcile`: brings what journals at hand have and databases lack, beside a service or without one. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { machineKinds } from '../../machines/index.ts';
import type { Config } from '../config.ts';
import {
  restoreShardFromJournals,
  type ShardReopeningOutcome,
} from '../engine/restoreShardByOperatorCommand.ts';
import { incarnationJoinedAt } from '../engine/contract/idGenerator.ts';
import type { Journal } from '../engine/contract/journal.ts';
import { hostClock } from '../engine/contract/ports.ts';
import type { NodeRow, ShardOpenState, ShardMachineStore } from '../engine/contract/store.ts';
import type { Log } from '../log.ts';
import { postgresStore } from '../store/postgresShardStore.ts';
import { isEmptyRowMergeResult, type RowMergeResult } from '../store/rowChanges/restoreRowsFromJournals.ts';
import { raiseIdCountersAboveUsed } from '../store/raiseSmallIds.ts';
import {
  type Held,
  countMachinesHeldByNode,
  readKindsOfMachines,
  type CampaignWithLostDestinations,
  findCampaignsMissingDestinations,
} from '../store/reads/machines/heldByNodes.ts';
import { belongsToOtherInstallation } from '../journal/belongsToOtherInstallation.ts';
import { openFileJournal } from '../journal/fileJournal.ts';
import { furthestJournalCopies } from './journalsAtHand.ts';
import { replaceUnreadableJournalsWithCopies } from './repairUnreadableJournals.ts';
import { isProcessDead } from '../lib/processIdentity.ts';
import { rowChangesFolder, type RowChangeJournal } from './openRowChangeJournal.ts';
import { RedoTally } from './redoTally.ts';
import { sinceBoot } from '../lib/sinceBoot.ts';

export interface JournalReconcileRequest {
  /** Folders with journals of other hosts, each a copy of an OUTGOING_DIR. */
  folders: readonly string[];
  /** Opens the journals of a shard that lie below a folder. Default: files. */
  openJournal?: (directory: string, shard: string) => Pick<Journal, 'kept'>;
  /** Hears how far a shard is, as the end of "shard a …". */
  progress(shard: string, text: string): void;
  /** Breaks it off: what was written stays. */
  signal?: AbortSignal;
}

/** A node whose commits were missing. */
export interface ReconciledNodeReport {
  incarnation: number;
  name: string;
  /** That its journal has, and the database lacked. */
  commits: number;
}

/** A node that held machines, and whose journal is not at hand. */
export interface NodeWithoutJournal extends Held {
  incarnation: number;
  /** Empty: the database does not know the node. */
  name: string;
  /** Epoch milliseconds. */
  joinedAt: number;
  /** It is alive, and does not confirm its writes. */
  lives: boolean;
}

export interface ReconciledShardReport {
  shard: string;
  /** `wasOpen`: there was nothing to do. */
  outcome: 'wasOpen' | 'opened' | 'closed' | 'checking';
  /** Why it is not open, as the end of "the shard …"; empty: it is. */
  reason: string;
  /** Whose commits were brought; written again where the shard is open. */
  nodes: ReconciledNodeReport[];
  /** Machines that they are about, by kind. */
  machines: Record<string, number>;
  /** Calls that they dialled. */
  calls: number;
  /** Campaigns whose destinations are gone: they were chosen after what the database still has. */
  destinations: CampaignWithLostDestinations[];
  /** Folders (OUTGOING_DIR, and those that were named) whose journals are of another installation. Of a shard that is open: none. */
  otherInstallation: string[];
  missing: NodeWithoutJournal[];
}

/** What a database lacked of the rows that are written outside of machines' commits, and has again. */
export interface RowsRestoredFromJournalsReport extends RowMergeResult {
  /** `control`, or a shard's name. */
  database: string;
  /** Journals that cannot be read, or not in whole, as sentences: what they hold may be lacking still. */
  problems: readonly string[];
}

export interface JournalReconciliationReport {
  shards: ReconciledShardReport[];
  /** Databases that lacked something, or may lack something still. */
  rows: RowsRestoredFromJournalsReport[];
}

/** A database, with the journal of what changes in its rows outside of commits. */
interface Reconciled {
  pool: Pool;
  rowJournal: Pick<RowChangeJournal, 'merge' | 'merged'>;
}

/** What is reconciled. */
export interface DatabasesToReconcile {
  control: Reconciled;
  shards: ReadonlyMap<string, Reconciled & { writers: Pool }>;
}

/** Does so for each database in turn. */
export const reconcileDatabasesFromJournals = async (
  { control, shards }: DatabasesToReconcile,
  config: Config,
  log: Log,
  request: JournalReconcileRequest,
): Promise<JournalReconciliationReport> => {
  const rows = await mergeRows({ control, shards }, request.folders);
  const reports: ReconciledShardReport[] = [];
  for (const [shard, database] of shards)
    reports.push(await reconcileShard({ config, log, request, shard, database }));
  await raiseIdCountersAboveUsed(
    control.pool,
    [...shards.values()].map(({ pool }) => pool),
  );
  return { shards: reports, rows };
};

/** Before the shards are opened: their machines look for these rows. */
const mergeRows = async (
  databases: DatabasesToReconcile,
  folders: readonly string[],
): Promise<RowsRestoredFromJournalsReport[]> => {
  const reports: RowsRestoredFromJournalsReport[] = [];
  const places = [['control', databases.control] as const, ...databases.shards];
  for (const [database, { rowJournal }] of places) {
    const problems = await rowJournal.merge(folders);
    reports.push({ database, ...rowJournal.merged(), problems });
  }
  return reports.filter((report) => report.problems.length > 0 || !isEmptyRowMergeResult(report));
};

/** Throws a sentence for a folder that is none, or holds no journals of these shards. */
export const refuseUnlessJournals = (folder: string, { shards }: Config): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`there is no folder ${folder}`);
  if ([rowChangesFolder(folder), ...shards.map(({ name }) => join(folder, name))].some(existsSync)) return;
  const names = shards.map(({ name }) => name).join(', ');
  throw new Error(
    `${folder} holds no journals: name a copy of an OUTGOING_DIR, with a folder for each shard (${names})`,
  );
};

interface ShardScope {
  config: Config;
  log: Log;
  request: JournalReconcileRequest;
  shard: string;
  database: Reconciled & { writers: Pool };
}

const reconcileShard = async (scope: ShardScope): Promise<ReconciledShardReport> => {
  const { config, log, request, shard, database } = scope;
  const { pool, writers } = database;
  const store = postgresStore(writers, pool, machineKinds);
  const tally = new RedoTally();
  const directories = [config.outgoingDir, ...request.folders];
  const open = request.openJournal ?? openFiles(scope);
  const ending = await restoreShardFromJournals({
    ...{ shard, store, log, isProcessDead, isLastWord: true },
    journal: furthestJournalCopies(directories.map((directory) => open(directory, shard))),
    clock: { ...hostClock, sinceBoot: sinceBoot() },
    graceMs: config.limits.graceSeconds * 1000,
    heard: { brought: (line) => tally.count(line), written: (line, entry) => tally.count(line, entry) },
    progress: (text) => request.progress(shard, text),
    ...(request.signal && { signal: request.signal }),
  });
  if (!request.openJournal)
    await replaceUnreadableJournalsWithCopies({ shard, store, directories, open: (one) => open(one, shard) });
  return {
    shard,
    ...(await told(ending, store)),
    ...(await counted(tally, scope)),
    otherInstallation: ending.what === 'lost' ? await ofOthers(directories, shard, store) : [],
    ...(await missingIn(ending, scope)),
  };
};

const ofOthers = async (
  directories: readonly string[],
  shard: string,
  store: ShardMachineStore,
): Promise<string[]> => {
  const { identity } = await store.standing(0);
  const found: string[] = [];
  for (const directory of directories)
    if (await belongsToOtherInstallation(join(directory, shard), identity)) found.push(directory);
  return found;
};

const openFiles =
  ({ config, log }: ShardScope) =>
  (directory: string, shard: string): Pick<Journal, 'kept'> =>
    openFileJournal({ directory, shard, log, isProcessDead, keepDays: config.limits.outgoingDays });

const told = async (
  ending: ShardReopeningOutcome,
  store: ShardMachineStore,
): Promise<Pick<ReconciledShardReport, 'outcome' | 'reason'>> => {
  if (ending.what !== 'lost') return { outcome: ending.what, reason: '' };
  const { state } = await store.standing(0);
  const outcome: Record<ShardOpenState, ReconciledShardReport['outcome']> = {
    open: 'opened',
    checking: 'checking',
    closed: 'closed',
  };
  return { outcome: outcome[state], reason: state === 'open' ? '' : ending.why };
};

const counted = async (
  tally: RedoTally,
  { database: { pool } }: ShardScope,
): Promise<Pick<ReconciledShardReport, 'nodes' | 'machines' | 'calls' | 'destinations'>> => {
  const known = await nodesOf(pool);
  const nodes = [...tally.commits].map(([incarnation, commits]) => ({
    ...{ incarnation, commits },
    name: known.get(incarnation) ?? '',
  }));
  const unknown = tally.machines.filter(({ kind }) => kind === undefined);
  const found = await readKindsOfMachines(pool, unknown);
  const machines: Record<string, number> = {};
  for (const { id, kind = found.get(id) ?? 'ended' } of tally.machines)
    machines[kind] = (machines[kind] ?? 0) + 1;
  const campaigns = tally.machines.filter(({ kind }) => kind === 'campaign');
  return {
    nodes,
    machines,
    calls: tally.dialled,
    destinations: await findCampaignsMissingDestinations(pool, campaigns),
  };
};

const nodesOf = async (pool: Pool): Promise<Map<number, string>> => {
  const { rows } = await pool.query<{ incarnation: number; name: string }>(
    'SELECT incarnation, name FROM nodes',
  );
  return new Map(rows.map(({ incarnation, name }) => [incarnation, name]));
};

const missingIn = async (
  ending: ShardReopeningOutcome,
  { database: { pool } }: ShardScope,
): Promise<Pick<ReconciledShardReport, 'missing'>> => {
  if (ending.what !== 'lost') return { missing: [] };
  const described =
    (lives: boolean) =>
    async ({ incarnation, name }: NodeRow): Promise<NodeWithoutJournal> => ({
      ...{ incarnation, name, lives, joinedAt: incarnationJoinedAt(incarnation) },
      ...(await countMachinesHeldByNode(pool, incarnation)),
    });
  const missing = [
    ...(await Promise.all(ending.missing.map(described(false)))),
    ...(await Promise.all(ending.silent.map(described(true)))),
    ...ending.absent.map((incarnation) => ({
      ...{ incarnation, name: '', lives: false, joinedAt: incarnationJoinedAt(incarnation) },
      ...{ machines: [], campaigns: [], calls: 0 },
    })),
  ];
  return { missing };
};
