/** What a commit leaves of machines, their records, and what they tell. */
import { expect, it } from 'vitest';
import { BadBatch } from '../../../src/engine/contract/store.ts';
import { account, at, aWrite, ofEveryStore, recordOf } from './bed.ts';

ofEveryStore((here) => {
  it('keeps every text to the letter', async () => {
    const attention = 'a "quoted" \\ {brace}, comma\nand line';
    const birth = aWrite(1, { row: { ...aWrite(1).row, attention } });
    expect(await here.store.commit(0, [birth], at)).toBe(1);
    const { row: written } = birth;
    expect(await here.row(1)).toEqual({
      account,
      id: 1,
      kind: 'call',
      version: 1,
      createdAt: at,
      ...written,
    });
    expect(await here.store.history({ account, id: 1 }, 0, 10)).toEqual(birth.history);
  });

  it('writes a step only on the revision it began from', async () => {
    await here.store.commit(0, [aWrite(1), aWrite(2)], at);
    expect(await here.store.commit(0, [aWrite(1, { revision: 2 }), aWrite(2, { revision: 5 })], at)).toBe(1);
    expect([(await here.row(1))!.revision, (await here.row(2))!.revision]).toEqual([2, 1]);
    expect(await here.store.history({ account, id: 2 }, 1, 10)).toEqual([]);
  });

  it('does not bear a machine twice', async () => {
    const first = aWrite(1);
    await here.store.commit(0, [first], at);
    expect(await here.store.commit(0, [aWrite(1)], at)).toBe(0);
    expect((await here.row(1))!.stepId).toBe(first.row.stepId);
  });

  it('keeps another account away from a machine', async () => {
    await here.store.commit(0, [aWrite(1)], at);
    expect(await here.store.read([{ account: 8, id: 1 }])).toEqual([]);
    expect(await here.store.commit(0, [{ ...aWrite(1, { revision: 2 }), account: 8 }], at)).toBe(0);
  });

  it('writes a record with its machine, and only what changed later', async () => {
    await here.store.commit(0, [aWrite(1, { record: recordOf('first "one"', true) })], at);
    await here.store.commit(0, [aWrite(1, { revision: 2, record: recordOf('later \\ one', false) })], at);
    expect(await here.bed.calls(1)).toMatchObject({
      correlation: 'first "one"',
      status: 'later \\ one',
      finished: true,
      attempt: 7,
    });
    await here.store.commit(0, [aWrite(1, { revision: 9, record: recordOf('stale', false) })], at);
    expect(await here.bed.calls(1)).toMatchObject({ status: 'later \\ one' });
  });

  it('leaves events for machines and takes them away with the step that heard them', async () => {
    const tell = { account, machine: 2, id: 77, event: '{"type":"hello"}', at };
    await here.store.commit(0, [aWrite(2), aWrite(1, { tells: [tell] })], at);
    await here.store.leave([
      { ...tell, id: 78 },
      { ...tell, id: 78 },
    ]);
    expect(await here.store.inbox(5, 10)).toEqual([tell, { ...tell, id: 78 }]);
    expect(await here.store.inbox(6, 10)).toEqual([]);
    await here.store.commit(0, [aWrite(2, { revision: 5, heard: [77] })], at);
    expect(await here.store.inbox(5, 10)).toHaveLength(2);
    await here.store.commit(0, [aWrite(2, { revision: 2, heard: [77, 78] })], at);
    expect(await here.store.inbox(5, 10)).toEqual([]);
  });

  it('bears a child only with its parent’s step', async () => {
    await here.store.commit(0, [aWrite(1)], at);
    expect(await here.store.commit(0, [aWrite(1, { revision: 3 }), aWrite(10, { parent: 1 })], at)).toBe(0);
    expect(await here.row(10)).toBeUndefined();
    expect(await here.store.commit(0, [aWrite(1, { revision: 2 }), aWrite(11, { parent: 1 })], at)).toBe(2);
  });

  it('bears what a newborn starts only with that newborn, in whatever order their ids are', async () => {
    const started = [aWrite(30, { parent: 31 }), aWrite(31), aWrite(32, { parent: 31 })];
    expect(await here.store.commit(0, started, at)).toBe(3);
    expect(await here.row(30)).toMatchObject({ id: 30 });
    // The id of the second is taken: it is not born, and neither is what it starts.
    const again = [aWrite(31), aWrite(33, { parent: 31 }), aWrite(34)];
    expect(await here.store.commit(0, again, at)).toBe(1);
    expect(await here.row(33)).toBeUndefined();
    const lost = aWrite(40, { claims: [{ key: 'k', until: at + 1, answer: null }] });
    await here.store.commit(0, [lost], at);
    const late = aWrite(41, { claims: [{ key: 'k', until: at + 1, answer: null }] });
    expect(await here.store.commit(0, [late, aWrite(42, { parent: 41 })], at)).toBe(0);
    expect(await here.row(42)).toBeUndefined();
  });

  it.each<[string, (write: ReturnType<typeof aWrite>) => void]>([
    ['a text with NUL', ({ history }) => (history[0]!.payload = '{"a":"\u0000"}')],
    ['a moment that is no whole millisecond', ({ row: state }) => (state.wakeAt = at + 0.5)],
  ])('refuses a batch with bad data whole: %s', async (_what, spoil) => {
    const bad = aWrite(2);
    spoil(bad);
    await expect(here.store.commit(0, [aWrite(1), bad], at)).rejects.toBeInstanceOf(BadBatch);
    expect(await here.row(1)).toBeUndefined();
  });
});
