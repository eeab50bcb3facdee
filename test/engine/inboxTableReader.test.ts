import { beforeEach, describe, expect, it } from 'vitest';
import { DatabaseFailureTracker } from '../../src/engine/contract/databaseFailureTracker.ts';
import { InboxTableReader } from '../../src/engine/runtime/inboxTableReader.ts';
import type { Mail } from '../../src/engine/contract/machineMail.ts';
import { hostClock, noopEngineLog } from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { MachineInboxRow } from '../../src/engine/contract/rows.ts';

const row = (id: number, machine = 1): MachineInboxRow => ({
  ...{ account: 7, machine, id, at: 0 },
  event: JSON.stringify({ type: 'word', n: id }),
});

/** Rows that stand in the store; reads wait until they are let in. */
let stands: MachineInboxRow[];
let reads: (() => void)[];
let isHeld: boolean;
/** Ids of rows, as they came to their machine. */
let heard: number[];
let mails: Mail[];
let here: Set<number>;
let sentSince: number;
/** Whether the node may act on what its commits say: its heartbeat is young, and so are they. */
let mayAct: boolean;
let inbox: InboxTableReader;

const passes = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

beforeEach(() => {
  [stands, reads, heard, mails] = [[], [], [], []];
  [isHeld, here, sentSince, mayAct] = [false, new Set([1]), Infinity, true];
  const store = {
    inbox: async (_heldBy: number, limit: number, { except = [] }: { except?: readonly number[] } = {}) => {
      const found = stands.filter(({ id }) => !except.includes(id)).slice(0, limit);
      if (isHeld) await new Promise<void>((resolve) => void reads.push(resolve));
      return found;
    },
  };
  inbox = new InboxTableReader({
    ...{ shard: 'a', clock: hostClock, random: Math.random },
    health: new DatabaseFailureTracker('a', hostClock, noopEngineLog),
    store: store as unknown as ShardMachineStore,
    hints: { publish: () => {}, subscribe: () => {} },
    membership: { incarnation: 1, mayAct: () => mayAct, guard: { isOpen: true } } as never,
    isHere: (machine) => here.has(machine),
    sentSince: () => sentSince,
    dispatcher: (_account, _machine, mail) => {
      mails.push(mail);
      heard.push((mail as Mail & { what: 'event' }).event['n'] as number);
    },
  });
});

/** A step of this node told it, with a commit that has landed. */
const left = (rows: MachineInboxRow[]): void => inbox.dispatch(rows, 0);

/** The machine's step took it, and its row is gone. */
const takes = (id: number): void => {
  stands = stands.filter((one) => one.id !== id);
  inbox.acknowledge(mails[heard.indexOf(id)]!);
};

describe('what a machine of this node was told', () => {
  it('is handed on at once, also while a read is under way, and once', async () => {
    isHeld = true;
    void inbox.read();
    stands.push(row(1));
    left([row(1)]);
    expect(heard).toEqual([1]);
    reads.shift()!();
    await passes();
    expect([heard, reads]).toEqual([[1], []]);
  });

  it('is not heard again when a read brought it before its commit was known here', async () => {
    sentSince = performance.now();
    stands.push(row(1));
    await inbox.read();
    takes(1);
    // Another read, while the commit is still under way.
    await inbox.read();
    left([row(1)]);
    expect(heard).toEqual([1]);
  });

  it('is not heard again when a read brought it while it waited for that read', async () => {
    isHeld = true;
    stands.push(row(1), row(2));
    inbox.requestReread();
    left([row(2)]);
    reads.shift()!();
    await passes();
    expect(heard).toEqual([1, 2]);
    takes(2);
    inbox.requestReread();
    reads.shift()!();
    await passes();
    expect(heard).toEqual([1, 2]);
  });

  it('is not heard again where that read leaves others to be read', async () => {
    isHeld = true;
    stands.push(row(1), row(2));
    inbox.requestReread();
    left([row(2)]);
    inbox.requestReread();
    reads.shift()!();
    await passes();
    takes(1);
    takes(2);
    inbox.requestReread();
    // The second had looked before they were taken; the third finds nothing.
    for (const _ of ['second', 'third']) {
      reads.shift()!();
      await passes();
    }
    expect([heard, reads]).toEqual([[1, 2], []]);
  });

  it('waits for what must be read first, and needs no read of its own', async () => {
    isHeld = true;
    stands.push(row(1));
    inbox.requestReread();
    await passes();
    // Left after the read had looked.
    left([row(2)]);
    left([row(3)]);
    expect(heard).toEqual([]);
    reads.shift()!();
    await passes();
    expect([heard, reads]).toEqual([[1, 2, 3], []]);
  });

  it('is brought by a read when its machine is not in memory', async () => {
    stands.push(row(1, 2));
    left([row(1, 2)]);
    await passes();
    expect(heard).toEqual([1]);
  });

  it('is brought by a read when its commit was sent so long ago that others may have heard it', async () => {
    mayAct = false;
    left([row(1)]);
    await passes();
    expect(heard).toEqual([]);
    stands.push(row(2));
    left([row(2)]);
    await passes();
    expect(heard).toEqual([2]);
  });

  it('is not heard when it waited for a read, and others may have heard it meanwhile', async () => {
    isHeld = true;
    inbox.requestReread();
    left([row(1)]);
    mayAct = false;
    for (const _ of ['the read it waited for', 'the read that shows whether it stands']) {
      reads.shift()!();
      await passes();
    }
    expect([heard, reads]).toEqual([[], []]);
  });

  it('is not heard when it was put by before a read that does not find it', async () => {
    inbox.takeoverBegan();
    left([row(1)]);
    inbox.takeoverEnded();
    await passes();
    expect(heard).toEqual([]);
  });

  it('is not heard when its machine was taken up since: whoever had it until then may have heard it', async () => {
    const sentAt = performance.now();
    inbox.takeoverBegan();
    inbox.takeoverEnded();
    await passes();
    inbox.dispatch([row(1)], sentAt);
    await passes();
    expect(heard).toEqual([]);
    stands.push(row(2));
    inbox.dispatch([row(2)], sentAt);
    await passes();
    expect(heard).toEqual([2]);
    // What was told since needs no read.
    inbox.dispatch([row(3)], performance.now());
    expect(heard).toEqual([2, 3]);
  });

  it('comes from the store when too much waits, in its order', async () => {
    isHeld = true;
    const ids = Array.from({ length: 1_500 }, (_, index) => index + 1);
    inbox.requestReread();
    for (const id of ids) {
      stands.push(row(id));
      left([row(id)]);
    }
    isHeld = false;
    reads.shift()!();
    // Each that is heard makes room for others.
    while (stands.length > 0) {
      await passes();
      for (const id of heard.filter((one) => stands.some((stand) => stand.id === one))) takes(id);
    }
    expect(heard).toEqual(ids);
  });
});
