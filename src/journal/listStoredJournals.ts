/** The journals in a folder, and their lines. */
import { JournalUnreadable, type StoredJournal } from '../engine/contract/journal.ts';
import type { EngineLog } from '../engine/contract/ports.ts';
import type { Head, JournalProgress } from './entries.ts';
import { hasReadUpTo, readJournalLinesOfIncarnation } from './readJournalLines.ts';
import { readWholeJournalLines } from './readLinesSkippingDamage.ts';
import { damagedHeadError } from './readLinesAfterDamagedHead.ts';
import { readHeadlessJournal } from './readDamagedHeadJournal.ts';
import { readSegmentHead, JournalDamaged } from './readSegment.ts';
import {
  groupSegmentsByIncarnation,
  isFileNotFound,
  isProcessResourceError,
  listJournalSegments,
  segmentFilePath,
  type SegmentFile,
} from './segments.ts';
import type { JournalSummaryCache, JournalSegmentSummary } from './segmentSummaryCache.ts';

export interface StoredJournalsDeps {
  /** Of the shard. */
  folder: string;
  summaries: JournalSummaryCache;
  log: EngineLog;
  /** Paths of which the log has heard that they cannot be read. */
  told: Set<string>;
  /** What was written so far, for an incarnation that is written by this process; undefined: another's. */
  reached(incarnation: number): JournalProgress | undefined;
  isProcessDead(process: string): boolean;
}

/** All journals of the shard with this identity, and those of which none can say that they are another's; the oldest first. */
export const listStoredJournals = async (
  scope: StoredJournalsDeps,
  identity: string,
): Promise<StoredJournal[]> => {
  const journals: StoredJournal[] = [];
  for (const files of groupSegmentsByIncarnation(await listJournalSegments(scope.folder)).values()) {
    const head = await firstHead(files);
    if (head && head.owner.identity !== identity) continue;
    const journal = head
      ? await keptJournal(scope, files, head)
      : await readHeadlessJournal(files, scope.summaries, identity);
    if (!journal) continue;
    if (journal.isHeadless) tellOnce(scope, files[0]!, journal);
    journals.push(journal);
  }
  return journals;
};

/** Whose a journal is; undefined: no file of it says so, or can be read. */
const firstHead = async (files: readonly SegmentFile[]): Promise<Head | undefined> => {
  for (const file of files) {
    const head = await readSegmentHead(file).catch((error: unknown) => {
      if (isProcessResourceError(error)) throw error;
      return undefined;
    });
    if (head) return head;
  }
  return undefined;
};

const tellOnce = ({ log, told }: StoredJournalsDeps, file: SegmentFile, { problem }: StoredJournal): void => {
  const path = segmentFilePath(file);
  if (told.has(path)) return;
  told.add(path);
  if (problem === undefined) log.warn({ path }, 'the head of a journal is damaged, and its lines are whole');
  else log.error({ path, problem }, 'a journal cannot be read: a whole copy in its place mends that');
};

const keptJournal = async (
  scope: StoredJournalsDeps,
  files: readonly SegmentFile[],
  head: Head,
): Promise<StoredJournal> => {
  const { owner } = head;
  const found = await foundIn(scope, files, owner.process, owner.incarnation).catch((error: unknown) =>
    unreadable(scope, head, error),
  );
  const { last, seen, era, at: lastAt } = found.reached;
  const lines: StoredJournal['lines'] = (above, passedOver) =>
    passedOver
      ? readWholeJournalLines(scope.folder, owner.incarnation, above, passedOver)
      : readJournalLinesOfIncarnation(scope.folder, owner.incarnation, above);
  const { problem, isReachUnknown = false } = found;
  return {
    ...{ owner, last, seen, era, lastAt, lines },
    ...(problem !== undefined && { problem }),
    ...(isReachUnknown && { isReachUnknown }),
  };
};

/** One journal that cannot be read hides no other. */
const unreadable = ({ log }: StoredJournalsDeps, head: Head, error: unknown): Found => {
  if (isProcessResourceError(error)) throw error;
  log.warn({ err: error, incarnation: head.owner.incarnation }, 'a journal cannot be read');
  return {
    reached: head,
    isReachUnknown: true,
    problem: `the journal cannot be read: ${(error as Error).message}`,
  };
};

interface Found {
  reached: JournalProgress;
  /** Why the journal cannot be relied on. */
  problem?: string | undefined;
  /** It may reach further. */
  isReachUnknown?: boolean;
}

/** What a journal reaches: its own writer knows, else its last segment tells. */
const foundIn = async (
  scope: StoredJournalsDeps,
  files: readonly SegmentFile[],
  process: string,
  incarnation: number,
): Promise<Found> => {
  const written = scope.reached(incarnation);
  if (written) return { reached: written };
  const { file, summary, damage, hasBehind } = await lastSummary(scope, files);
  if (summary.tornBytes > 0 && !damage && scope.isProcessDead(process)) reportTorn(scope, file, summary);
  const problem = damage?.message ?? (await gapIn(scope, files));
  return { reached: summary.reached, problem, isReachUnknown: hasBehind };
};

interface Last {
  file: SegmentFile;
  summary: JournalSegmentSummary;
  /** Of this one, or of those behind it. */
  damage: JournalDamaged | undefined;
  /** There are some behind it, whose heads cannot be read. */
  hasBehind: boolean;
}

/** The last segment that has a head. */
const lastSummary = async (
  { summaries }: StoredJournalsDeps,
  files: readonly SegmentFile[],
): Promise<Last> => {
  let damage: JournalDamaged | undefined;
  let hasBehind = false;
  for (const file of files.toReversed()) {
    const summary = await summaries.of(file).catch((error: unknown) => inFile(file, error));
    damage ??= summary.damage;
    if (summary.hasHead) return { file, summary, damage, hasBehind };
    damage ??= damagedHeadError({ path: segmentFilePath(file) });
    hasBehind = true;
  }
  throw new Error('the journal is gone');
};

/** What the operating system says of a file that was opened names none. */
const inFile = (file: SegmentFile, error: unknown): never => {
  if (isFileNotFound(error) || isProcessResourceError(error) || error instanceof JournalUnreadable)
    throw error;
  throw new JournalDamaged(segmentFilePath(file), 0, (error as Error).message, { cause: error });
};

const reportTorn = (
  { log }: StoredJournalsDeps,
  file: SegmentFile,
  { wholeBytes, tornBytes }: JournalSegmentSummary,
): void => {
  const fields = { path: segmentFilePath(file), offset: wholeBytes, bytes: tornBytes };
  log.warn(fields, 'a journal ends in a line that was cut short, and is ignored: nothing followed from it');
};

/** A segment in the middle is missing; undefined: none, or the one after it has what was in it. */
const gapIn = async (
  { summaries }: StoredJournalsDeps,
  files: readonly SegmentFile[],
): Promise<string | undefined> => {
  for (const [index, file] of files.entries()) {
    const before = files[index - 1];
    if (!before || before.segment + 1 === file.segment) continue;
    const [{ reached }, head] = [await summaries.of(before), await readSegmentHead(file)];
    if (!head || !hasReadUpTo(reached.last, head.last))
      return `the journal lacks a segment before ${segmentFilePath(file)}`;
  }
  return undefined;
};
