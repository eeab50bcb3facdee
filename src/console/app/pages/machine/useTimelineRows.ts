/** Rows of a timeline, brought in blocks as they come into sight. A few blocks are kept, however long the history is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Row, MachineTimelinePage } from '../../data.ts';

const blockSize = 100;
const mostBlocks = 20;

export interface Rows {
  /** Undefined: nothing was answered yet. */
  count: number | undefined;
  /** Undefined: it is on its way. */
  rowAt(position: number): Row | undefined;
  /** Brings what is missing between two positions. */
  need(first: number, last: number): void;
}

interface Block {
  rows: readonly Row[];
  /** Which version it was asked for with. */
  version: number;
}

interface Known {
  key: string;
  count: number | undefined;
  blocks: ReadonlyMap<number, Block>;
}

type Ask = (from: number) => Promise<MachineTimelinePage>;

/** `key`: which rows. `version`: with another one, there may be more of them. */
export const useTimelineRows = (key: string, version: number, ask: Ask): Rows => {
  const [known, setKnown] = useState<Known>({ key, count: undefined, blocks: new Map() });
  const current: Known = known.key === key ? known : { key, count: undefined, blocks: new Map() };
  const onTheWay = useRef(new Set<string>());
  const latest = useRef(key);
  latest.current = key;
  const bring = (nth: number): void => {
    const block = current.blocks.get(nth);
    const name = `${key} ${nth} ${version}`;
    if (block?.rows.length === blockSize || block?.version === version || onTheWay.current.has(name)) return;
    onTheWay.current.add(name);
    ask(nth * blockSize).then(
      ({ count, rows }) => {
        onTheWay.current.delete(name);
        if (latest.current === key)
          setKnown((before) => withBlock(before, { key, count }, nth, { rows, version }));
      },
      // It is asked for again when it comes into sight again.
      () => onTheWay.current.delete(name),
    );
  };
  const sight = useRef<readonly [number, number]>([0, 0]);
  const need = (first: number, last: number): void => {
    sight.current = [first, last];
    for (let nth = Math.floor(first / blockSize); nth <= Math.floor(last / blockSize); nth += 1) bring(nth);
  };
  useEffect(() => need(...sight.current), [key, version]);
  return {
    count: current.count,
    rowAt: (position) => current.blocks.get(Math.floor(position / blockSize))?.rows[position % blockSize],
    need,
  };
};

const withBlock = (
  before: Known,
  { key, count }: Pick<Known, 'key' | 'count'>,
  nth: number,
  block: Block,
): Known => {
  const blocks = new Map(before.key === key ? before.blocks : []);
  blocks.delete(nth);
  blocks.set(nth, block);
  for (const oldest of blocks.keys()) if (blocks.size > mostBlocks) blocks.delete(oldest);
  return { key, count, blocks };
};
