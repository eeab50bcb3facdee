/** A write without an answer that lands long after: what it took is heard once, in whatever pieces it is tried meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BadBatch, type ShardMachineStore } from '../../src/engine/contract/store.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { withCommit } from './commits.ts';
import { contextOf, errand } from './errand.ts';

/**
 * The first commit that comes is not written yet, and has no answer; the second is refused, so that the machine's mail goes piece
 * by piece; before the third the first is written.
 */
const aLateWrite = () => {
  let isOn = false;
  let seen = 0;
  let writeLate = async (): Promise<unknown> => undefined;
  let tellSent = (): void => {};
  const sent = new Promise<void>((resolve) => (tellSent = resolve));
  return {
    /** Settles when the first commit was sent. */
    sent,
    begin: () => void (isOn = true),
    through: (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, async (...commit) => {
        if (!isOn) return store.commit(...commit);
        seen += 1;
        if (seen === 1) {
          writeLate = () => store.commit(...commit);
          tellSent();
          throw new Error('connection reset');
        }
        if (seen === 2) throw new BadBatch('refused', { code: 'P0001', cause: new Error('refused') });
        if (seen === 3) await writeLate();
        return store.commit(...commit);
      }),
  };
};

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('a write that lands late on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  it('is not heard a second time by what waits to be tried alone', async () => {
    const late = aLateWrite();
    const engine = await bed.node({ through: late.through });
    const started = await engine.start({ kind: 'errand', shard: 'a', account: 7, input: {} });
    if (started.outcome !== 'started') throw new Error('not started');
    const { ref } = started;
    const say = (text: string): Promise<unknown> => engine.send(ref, { type: 'word', text });
    late.begin();
    await Promise.all(['one', 'two', 'three'].map(say));
    await say('four');
    expect(contextOf(await engine.view(ref)).words).toEqual(['one', 'two', 'three', 'four']);
  });

  it('does not take a second telling of the same event for the first', async () => {
    const late = aLateWrite();
    const engine = await bed.node({ through: late.through });
    const started = await engine.start({ kind: 'errand', shard: 'a', account: 7, input: {} });
    if (started.outcome !== 'started') throw new Error('not started');
    const { ref } = started;
    const event = { type: 'word', text: 'again' };
    late.begin();
    const first = Promise.all([engine.send(ref, event), engine.send(ref, { type: 'word', text: 'two' })]);
    await late.sent;
    await Promise.all([first, engine.send(ref, event)]);
    expect(contextOf(await engine.view(ref)).words).toEqual(['again', 'two', 'again']);
  });
});
