/**
 * A journal of which no file has a head that can be read: damaged, cut off, emptied, closed to us, of a newer release. It is
 * there, so a node wrote it, whatever it holds; and its lines are used where nothing but heads is damaged.
 */
import type { StoredJournal } from '../engine/contract/journal.ts';
import { advanceJournalProgress, type JournalProgress } from './entries.ts';
import { damagedHeadError, readLinesAfterDamagedHead } from './readLinesAfterDamagedHead.ts';
import { readWholeJournalLines } from './readLinesSkippingDamage.ts';
import {
  openJournalSegmentForReading,
  isFileNotFound,
  isProcessResourceError,
  segmentFilePath,
  type SegmentFile,
} from './segments.ts';
import type { JournalSummaryCache } from './segmentSummaryCache.ts';

/**
 * A journal of which no segment has a head that can be read. Undefined: its files were deleted meanwhile. Rejects when this process
 * cannot look (it has no handle or no memory left). `identity`: of the shard that asks; nothing in the files contradicts it.
 */
export const readHeadlessJournal = async (
  files: readonly SegmentFile[],
  summaries: JournalSummaryCache,
  identity: string,
): Promise<StoredJournal | undefined> => {
  const found: Found[] = [];
  for (const file of files) {
    const one = await lookAt(file, summaries);
    if (one) found.push(one);
  }
  const [first] = found;
  if (!first) return undefined;
  const { incarnation } = first.file;
  const problem = found.find((one) => one.problem !== undefined)?.problem ?? gapIn(files);
  const owner = { shard: '', identity, incarnation, slot: 0, name: '', process: '', tokens: [] };
  return {
    owner,
    isHeadless: true,
    ...sumOf(
      found.map(({ reached }) => reached),
      incarnation,
    ),
    lastAt: Math.max(...found.map(({ lastAt }) => lastAt)),
    lines: (above, passedOver) => {
      if (passedOver) return readWholeJournalLines(first.file.folder, incarnation, above, passedOver);
      return problem === undefined
        ? readLinesAfterDamagedHead(files, above)
        : unreadable(first.file, problem);
    },
    ...(problem !== undefined && { problem, isReachUnknown: true }),
  };
};

interface Found {
  file: SegmentFile;
  /** At least. */
  reached: JournalProgress;
  /** Not before its last line, epoch milliseconds. */
  lastAt: number;
  problem?: string;
}

const lookAt = async (file: SegmentFile, summaries: JournalSummaryCache): Promise<Found | undefined> => {
  try {
    const { modifiedAt, ...segment } = await openJournalSegmentForReading(file);
    const { reached, hasHead, damage } = await summaries.of(file);
    const problem = damage ?? (hasHead ? damagedHeadError(segment) : undefined);
    if (!problem) return { file, reached, lastAt: reached.at };
    return { file, reached, lastAt: Math.max(modifiedAt, reached.at), problem: problem.message };
  } catch (error) {
    if (isFileNotFound(error)) return undefined;
    if (isProcessResourceError(error)) throw error;
    const what = `${segmentFilePath(file)} cannot be read: ${(error as Error).message}`;
    return {
      file,
      reached: { last: new Map(), seen: new Set(), at: 0, era: 0 },
      lastAt: Infinity,
      problem: what,
    };
  }
};

const gapIn = (files: readonly SegmentFile[]): string | undefined => {
  const next = files.find(({ segment }, index) => index > 0 && files[index - 1]!.segment + 1 !== segment);
  return next && `the journal lacks a segment before ${segmentFilePath(next)}`;
};

const sumOf = (
  all: readonly JournalProgress[],
  incarnation: number,
): Pick<JournalProgress, 'last' | 'seen' | 'era'> => {
  const sum: JournalProgress = { last: new Map(), seen: new Set([incarnation]), at: 0, era: 0 };
  for (const { last, seen, era } of all) {
    for (const [lane, number] of last) advanceJournalProgress(sum, { lane, number, era });
    for (const one of seen) sum.seen.add(one);
  }
  return sum;
};

// oxlint-disable-next-line require-yield
async function* unreadable(file: SegmentFile, problem: string): AsyncGenerator<never, void> {
  throw damagedHeadError({ path: segmentFilePath(file) }, { cause: new Error(problem) });
}
