/** The journals in a folder, and their lines. */
import type { JournalLine, KeptJournal } from '../engine/contract/journal.ts';
import type { EngineLog } from '../engine/contract/ports.ts';
import type { Head, Reached } from './entries.ts';
import { covers, linesOf } from './keptLines.ts';
import { headOf, type JournalDamaged, type Summary } from './reading.ts';
import { byIncarnation, isGone, listSegments, pathOf, type SegmentFile } from './segments.ts';
import type { Summaries } from './summaries.ts';

export interface KeptScope {
  /** Of the shard. */
  folder: string;
  summaries: Summaries;
  log: EngineLog;
  /** What was written so far, for an incarnation that is written by this process; undefined: another's. */
  reached(incarnation: number): Reached | undefined;
  isProcessDead(process: string): boolean;
}

/** All journals of the shard with this identity, the oldest incarnation first. */
export const keptJournals = async (scope: KeptScope, identity: string): Promise<KeptJournal[]> => {
  const journals: KeptJournal[] = [];
  for (const files of byIncarnation(await listSegments(scope.folder)).values()) {
    const head = await firstHead(scope, files);
    if (head?.owner.identity === identity) journals.push(await keptJournal(scope, files, head));
  }
  return journals;
};

/** Whose a journal is; undefined: its files are not ours, or a newer release wrote them. */
const firstHead = async ({ log }: KeptScope, files: readonly SegmentFile[]): Promise<Head | undefined> => {
  for (const file of files) {
    try {
      const head = await headOf(file);
      if (head) return head;
    } catch (error) {
      if (isGone(error)) continue;
      log.warn({ err: error, ...file }, 'a file among the journals cannot be read');
    }
  }
  return undefined;
};

const keptJournal = async (
  scope: KeptScope,
  files: readonly SegmentFile[],
  head: Head,
): Promise<KeptJournal> => {
  const { owner } = head;
  const { reached, problem } = await foundIn(scope, files, owner.process, owner.incarnation).catch(
    (error: unknown) => unreadable(scope, head, error),
  );
  const { last, seen, era, at: lastAt } = reached;
  const lines = (above: ReadonlyMap<number, number>): AsyncIterable<JournalLine> =>
    linesOf(scope.folder, owner.incarnation, above);
  return { owner, last, seen, era, lastAt, lines, ...(problem !== undefined && { problem }) };
};

/** One journal that cannot be read hides no other. */
const unreadable = ({ log }: KeptScope, head: Head, error: unknown): Found => {
  log.warn({ err: error, incarnation: head.owner.incarnation }, 'a journal cannot be read');
  return { reached: head, problem: `the journal cannot be read: ${(error as Error).message}` };
};

interface Found {
  reached: Reached;
  /** Why the journal cannot be relied on. */
  problem?: string | undefined;
}

/** What a journal reaches: its own writer knows, else its last segment tells. */
const foundIn = async (
  scope: KeptScope,
  files: readonly SegmentFile[],
  process: string,
  incarnation: number,
): Promise<Found> => {
  const written = scope.reached(incarnation);
  if (written) return { reached: written };
  const { file, summary, damage } = await lastSummary(scope, files);
  if (summary.tornBytes > 0 && !damage && scope.isProcessDead(process)) reportTorn(scope, file, summary);
  return { reached: summary.reached, problem: damage?.message ?? (await gapIn(scope, files)) };
};

interface Last {
  file: SegmentFile;
  summary: Summary;
  /** Of this one, or of those behind it. */
  damage: JournalDamaged | undefined;
}

/** The last segment that has a head. */
const lastSummary = async ({ summaries }: KeptScope, files: readonly SegmentFile[]): Promise<Last> => {
  let damage: JournalDamaged | undefined;
  for (const file of files.toReversed()) {
    const summary = await summaries.of(file);
    damage ??= summary.damage;
    if (summary.hasHead) return { file, summary, damage };
  }
  throw new Error('the journal is gone');
};

const reportTorn = ({ log }: KeptScope, file: SegmentFile, { wholeBytes, tornBytes }: Summary): void => {
  const fields = { path: pathOf(file), offset: wholeBytes, bytes: tornBytes };
  log.warn(fields, 'a journal ends in a line that was cut short, and is ignored: nothing followed from it');
};

/** A segment in the middle is missing; undefined: none, or the one after it has what was in it. */
const gapIn = async (
  { summaries }: KeptScope,
  files: readonly SegmentFile[],
): Promise<string | undefined> => {
  for (const [index, file] of files.entries()) {
    const before = files[index - 1];
    if (!before || before.segment + 1 === file.segment) continue;
    const [{ reached }, head] = [await summaries.of(before), await headOf(file)];
    if (!head || !covers(reached.last, head.last))
      return `the journal lacks a segment before ${pathOf(file)}`;
  }
  return undefined;
};
