/** Which rows of a timeline stand in its box, and which are mounted around them. */

export const rowHeight = 30;
/** Of the box at most, and until it is measured (`styles/machine.css`). */
export const usualHeight = 480;
/** Rows are brought so many at a time. */
export const timelineBlockSize = 100;
/** Mounted above and below what is in sight. */
const around = 4;
const mostMounted = 100;
/** Before and after the entry that a page opens with, all that its timeline mounts. */
export const rowsAtOnce = 30;

/** Whether so many rows, under their head, are taller than the box may become. */
export const fillsBox = (count: number): boolean => (count + 1) * rowHeight >= usualHeight;

/** Where the box stands when this row is shown first, pixels. */
export const topThatShows = (at: number): number => Math.max(0, (at + 2) * rowHeight - usualHeight);

/** Where the box stands when a row is brought into sight, as little as it takes. The head stands over the first row. */
export const topThatKeepsInSight = (at: number, top: number, height: number): number => {
  const from = at * rowHeight;
  if (from < top) return from;
  return from + 2 * rowHeight > top + height ? from + 2 * rowHeight - height : top;
};

interface TimelineSight {
  /** Where the box stands, and how high it is, pixels. */
  top: number;
  height: number;
  /** All rows that there are. */
  count: number;
  /** No row is mounted around those in sight. */
  isBare: boolean;
}

/** The first row that is mounted, and the one after the last. */
export const rowsInSight = ({
  top,
  height,
  count,
  isBare,
}: TimelineSight): { first: number; end: number } => {
  const more = isBare ? 0 : around;
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight) - more), Math.max(0, count - 1));
  const mounted = Math.min(mostMounted, Math.ceil(height / rowHeight) + 1 + 2 * more);
  return { first, end: Math.min(count, first + mounted) };
};

/** The first rows of the blocks that hold what is mounted. */
export const blocksOf = ({ first, end }: { first: number; end: number }): number[] => {
  const blocks: number[] = [];
  const last = Math.max(first, end - 1);
  for (let nth = Math.floor(first / timelineBlockSize); nth * timelineBlockSize <= last; nth += 1)
    blocks.push(nth * timelineBlockSize);
  return blocks;
};
