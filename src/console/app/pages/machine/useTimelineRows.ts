/** Rows of a timeline, brought in blocks as they come into sight. A few blocks are kept, however long the history is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MachineAtMoment, MachineTimelinePage, Row } from '../../data.ts';
import { blocksOf, timelineBlockSize } from './rowsInSight.ts';

const mostBlocks = 20;

/** Positions from the first to the one before the end. */
interface RowRange {
  first: number;
  end: number;
}

export interface Rows {
  /** Undefined: nothing was answered yet. */
  count: number | undefined;
  /** Undefined: it is on its way. */
  rowAt(position: number): Row | undefined;
  /** Brings what is missing of these. */
  need(sight: RowRange): void;
}

interface Block {
  rows: readonly Row[];
  /** Which version it was asked for with. */
  version: number;
}

interface Known {
  key: string;
  count: number | undefined;
  /** By their first rows. */
  blocks: ReadonlyMap<number, Block>;
}

type Ask = (from: number) => Promise<MachineTimelinePage>;

/** `key`: which rows. `version`: with another one, there may be more of them. `first`: what is known when it begins. */
export const useTimelineRows = (
  key: string,
  version: number,
  first: Pick<MachineAtMoment, 'count' | 'timeline'>,
  ask: Ask,
): Rows => {
  const [known, setKnown] = useState<Known>(() => ({
    key,
    count: first.count,
    blocks: new Map(first.timeline.map(({ from, rows }) => [from, { rows, version }])),
  }));
  const current: Known = known.key === key ? known : { key, count: undefined, blocks: new Map() };
  const onTheWay = useRef(new Set<string>());
  /** Of these the answer came: they are asked for no more once it is drawn. */
  const answered = useRef<string[]>([]);
  const latest = useRef(key);
  latest.current = key;
  const bring = (from: number): void => {
    const block = current.blocks.get(from);
    // Whatever the version, no row of a block that others follow becomes another.
    const isWhole = from + timelineBlockSize <= (current.count ?? 0);
    const name = isWhole ? `${key} ${from}` : `${key} ${from} ${version}`;
    if (block?.rows.length === timelineBlockSize || block?.version === version || onTheWay.current.has(name))
      return;
    onTheWay.current.add(name);
    ask(from).then(
      ({ count, rows }) => {
        if (latest.current !== key) {
          onTheWay.current.delete(name);
          return;
        }
        answered.current.push(name);
        setKnown((before) => withBlock(before, { key, count }, from, { rows, version }));
      },
      // It is asked for again when it comes into sight again.
      () => onTheWay.current.delete(name),
    );
  };
  useEffect(() => {
    for (const name of answered.current.splice(0)) onTheWay.current.delete(name);
  }, [known]);
  const inSight = useRef<RowRange>(undefined);
  const need = (sight: RowRange): void => {
    inSight.current = sight;
    for (const from of blocksOf(sight)) bring(from);
  };
  useEffect(() => {
    if (inSight.current) need(inSight.current);
  }, [key, version]);
  return {
    count: current.count,
    rowAt: (position) => {
      const nth = position % timelineBlockSize;
      return current.blocks.get(position - nth)?.rows[nth];
    },
    need,
  };
};

const withBlock = (
  before: Known,
  { key, count }: Pick<Known, 'key' | 'count'>,
  from: number,
  block: Block,
): Known => {
  const blocks = new Map(before.key === key ? before.blocks : []);
  // An answer that was overtaken by a later one.
  if ((blocks.get(from)?.version ?? 0) > block.version) return before;
  blocks.delete(from);
  blocks.set(from, block);
  for (const oldest of blocks.keys()) if (blocks.size > mostBlocks) blocks.delete(oldest);
  return { key, count, blocks };
};
