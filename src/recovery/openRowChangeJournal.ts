/** Changes of rows in `OUTGOING_DIR/row-images`: a journal for each database of this process, and what is done with it. */
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import type { Config } from '../config.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { firstIncarnationAt, NODE_SLOT_COUNT } from '../engine/contract/idGenerator.ts';
import { type FileJournal, openFileJournal } from '../journal/fileJournal.ts';
import type { Log } from '../log.ts';
import { createJournaledPrismaClient } from '../store/rowChanges/journaledPrismaClient.ts';
import { serializeRowChanges } from '../store/rowChanges/rowChange.ts';
import {
  addRowMergeResult,
  type RowMergeResult,
  emptyRowMergeResult,
} from '../store/rowChanges/restoreRowsFromJournals.ts';
import {
  readDatabaseIdentity,
  JournalDatabaseCatchUp,
} from '../store/rowChanges/catchUpServerFromJournals.ts';
import { type RowChangeAppender, RowChangeWriter } from '../store/rowChanges/journaledTransaction.ts';
import { furthestJournalCopies } from './journalsAtHand.ts';
import { isProcessDead, ownProcessName } from '../lib/processIdentity.ts';

/** No folder of a shard is named so. Journals of earlier releases lie in it, so it keeps its name. */
const FOLDER = 'row-images';
/** How often old parts are compressed and deleted, milliseconds. */
const upkeepMs = 3_600_000;

/** Where a database's journal lies: the control database beside the shards. */
export type ControlOrShard = 'control' | { shard: string };

export interface RowChangeJournal {
  /** The same client, whose writes are kept in the journal. */
  client(prisma: PrismaClient): PrismaClient;
  writer: RowChangeWriter;
  /** For each new connection of the database's pools. */
  verify(client: ClientBase): Promise<void>;
  /**
   * Writes again what is at hand; `folders`: copies of other hosts' `OUTGOING_DIR` besides. What of it cannot be read, as
   * sentences; none: all can.
   */
  merge(folders?: readonly string[]): Promise<readonly string[]>;
  /** What was written again since this was opened. */
  merged(): RowMergeResult;
  /** Why not all that was acknowledged may stand, as a sentence; undefined: it does. */
  problem(): string | undefined;
  /** Settles when all that was written is on the disk. */
  close(): Promise<void>;
}

/** `pool`: connections that are not verified. */
export const openRowChangeJournal = (
  config: Config,
  place: ControlOrShard,
  pool: Pool,
  log: Log,
): RowChangeJournal => {
  const name = place === 'control' ? place : `shard ${place.shard}`;
  const open = (directory: string): FileJournal => openJournal(config, place, directory, log);
  const own = open(config.outgoingDir);
  const total = emptyRowMergeResult();
  const placeOver = (journals: Pick<FileJournal, 'kept'>[]): JournalDatabaseCatchUp =>
    new JournalDatabaseCatchUp({
      ...{ name, pool, log, journals: furthestJournalCopies(journals) },
      standing: () => writer.standing(),
      heard: (merged) => addRowMergeResult(total, merged),
    });
  const catchUp = placeOver([own]);
  const writer: RowChangeWriter = new RowChangeWriter({
    name,
    journal: journalOf(config, name, pool, own),
    wentBack: () => catchUp.wentBack(),
  });
  const timer = setInterval(() => void own.upkeep(Date.now()), upkeepMs);
  timer.unref();
  return {
    writer,
    client: (prisma) => createJournaledPrismaClient(prisma, writer),
    verify: (client) => catchUp.verify(client),
    merge: (folders = []) =>
      folders.length === 0 ? catchUp.merge() : placeOver([own, ...folders.map(open)]).merge(),
    merged: () => total,
    problem: () => catchUp.problem,
    close: async () => {
      clearInterval(timer);
      await own.close();
    },
  };
};

/** Where an `OUTGOING_DIR`, or a copy of one, has the journals of row changes. */
export const rowChangesFolder = (directory: string): string => join(directory, FOLDER);

const openJournal = (config: Config, place: ControlOrShard, directory: string, log: Log): FileJournal => {
  const folder = rowChangesFolder(directory);
  return openFileJournal({
    directory: place === 'control' ? folder : join(folder, 'shards'),
    shard: place === 'control' ? 'control' : place.shard,
    ...{ log, isProcessDead, keepDays: config.limits.outgoingDays },
  });
};

const journalOf = (config: Config, name: string, pool: Pool, journal: FileJournal): RowChangeAppender => ({
  begin: async () => {
    const writer = await newWriter(pool);
    const owner = {
      ...{
        shard: name,
        identity: await readDatabaseIdentity(pool),
        incarnation: writer,
        slot: 0,
        tokens: [],
      },
      ...{ name: config.nodeName, process: ownProcessName() },
    };
    await journal.begin(owner, Date.now());
    return writer;
  },
  append: (number, changes, atMs) =>
    journal.append(
      [serializeRowChanges(changes)],
      { lane: 0, number, era: 0, position: 0 },
      Math.floor(atMs),
    ),
  get problem() {
    return journal.problem;
  },
});

/** A number that no other process has, and that says when it began (`incarnationJoinedAt`). */
const newWriter = async (pool: Pool): Promise<number> => {
  for (;;) {
    const writer = firstIncarnationAt(Date.now()) + Math.floor(Math.random() * NODE_SLOT_COUNT);
    const { rowCount } = await pool.query(
      'INSERT INTO row_writers (writer) VALUES ($1) ON CONFLICT DO NOTHING',
      [writer],
    );
    if (rowCount === 1) return writer;
  }
};
