/** Taking up, looking ahead, leading and resting. */
import { expect, it } from 'vitest';
import { firstIdAt, raiseMintedIdAboveStep } from '../../../src/engine/contract/idGenerator.ts';
import type { TakenOverMachine } from '../../../src/engine/contract/store.ts';
import { account, at, aWrite, ofEveryStore } from './bed.ts';

ofEveryStore((here) => {
  it('gives the rows of the dead a new holder and the next revision, ended ones and unknown versions excepted', async () => {
    const ended = aWrite(3);
    ended.row.endedAt = at;
    const foreign = aWrite(4);
    foreign.insert!.version = 9;
    const writes = [aWrite(1), aWrite(2), ended, foreign];
    const lastOf = (id: number): number => writes.find((write) => write.id === id)!.row.stepId;
    await here.store.commit(0, writes, at);
    const request = { dead: 5, overdue: null, heldBy: 6, stepId: 1, at, known: ['call:1'], limit: 1 };
    const [first] = await here.store.takeUp({ ...request, after: null });
    const [second] = await here.store.takeUp({ ...request, after: first! });
    expect(await here.store.takeUp({ ...request, after: second! })).toEqual([]);
    const { state, agenda, wakeAt } = aWrite(1).row;
    const taken = {
      account,
      kind: 'call',
      version: 1,
      revision: 2,
      state,
      agenda,
      wakeAt,
      heldBy: 6,
      from: 5,
    };
    expect([first, second]).toEqual([
      { id: 1, ...taken, stepId: raiseMintedIdAboveStep(lastOf(1), 1) },
      { id: 2, ...taken, stepId: raiseMintedIdAboveStep(lastOf(2), 1) },
    ]);
    expect((await here.row(2))!.stepId).toBe(raiseMintedIdAboveStep(lastOf(2), 1));
    expect(await here.store.history({ account, id: 1 }, 1, 5)).toMatchObject([
      { revision: 2, event: 'takenOver', state: 'talking.listening' },
    ]);
    expect(await here.store.commit(0, [aWrite(1, { revision: 2 })], at)).toBe(0);
  });

  it('finds the rows that a statement took up, whatever stepped them since, and no others', async () => {
    const stepped = aWrite(1);
    const ended = aWrite(2);
    await here.store.commit(0, [stepped, ended, aWrite(3), aWrite(4)], at);
    const request = { dead: 5, overdue: null, heldBy: 6, known: ['call:1'] };
    const taken = await here.store.takeUp({ ...request, after: null, stepId: 1, at, limit: 3 });
    const after = taken.at(-1)!;
    await here.store.takeUp({ ...request, after, stepId: 2, at: at + 1, limit: 9 });
    const next = (id: number, endedAt: number | null) => {
      const write = aWrite(id, { revision: 3 });
      Object.assign(write.row, { heldBy: 6, endedAt, stepId: firstIdAt(at + 5_000) });
      return write;
    };
    await here.store.commit(0, [next(1, null), next(2, at)], at);
    const found = (of: object) => here.store.findTakenOver({ heldBy: 6, limit: 9, statements: [], ...of });
    const byId = (rows: TakenOverMachine[]) => rows.toSorted((one, other) => one.id - other.id);
    expect(byId(await found({ statements: [{ at, stepId: 1 }] }))).toEqual([
      { ...taken[0], stepId: firstIdAt(at + 5_000), revision: 2, takenAt: at },
      { ...taken[2], takenAt: at },
    ]);
    const both = [
      { at, stepId: 1 },
      { at: at + 1, stepId: 2 },
    ];
    expect(byId(await found({ statements: both })).map(({ id }) => id)).toEqual([1, 3, 4]);
    expect(await found({ heldBy: 7, statements: both })).toEqual([]);
    expect(await found({ statements: [{ at: at + 2, stepId: 1 }] })).toEqual([]);
  });

  it('takes up the living’s rows only when they are overdue', async () => {
    await here.store.commit(0, [aWrite(1)], at);
    const request = { dead: null, after: null, heldBy: 6, stepId: 1, at, known: ['call:1'], limit: 10 };
    expect(await here.store.takeUp({ ...request, overdue: at + 1_000 })).toEqual([]);
    expect(await here.store.takeUp({ ...request, overdue: at + 1_001 })).toHaveLength(1);
    expect(await here.store.takeUp({ ...request, overdue: at + 1_001 })).toEqual([]);
  });

  it('leaves the living’s overdue rows alone that were stepped since', async () => {
    const stepped = aWrite(1);
    stepped.row.stepId = firstIdAt(at + 1_001);
    await here.store.commit(0, [stepped], at);
    const request = { dead: null, after: null, heldBy: 6, stepId: 1, at, known: ['call:1'], limit: 10 };
    expect(await here.store.takeUp({ ...request, overdue: at + 1_001 })).toEqual([]);
    expect(await here.store.takeUp({ ...request, overdue: at + 1_002 })).toHaveLength(1);
  });

  it('looks ahead over the due times of one holder, earliest first', async () => {
    const later = aWrite(1);
    later.row.wakeAt = at + 5_000;
    const never = aWrite(3);
    never.row.wakeAt = null;
    await here.store.commit(0, [later, aWrite(2), never], at);
    expect(await here.store.lookAhead(5, at + 9_000, 10)).toEqual([
      { account, id: 2, wakeAt: at + 1_000 },
      { account, id: 1, wakeAt: at + 5_000 },
    ]);
    expect(await here.store.lookAhead(5, at + 2_000, 10)).toHaveLength(1);
    expect(await here.store.lookAhead(6, at + 9_000, 10)).toEqual([]);
  });

  it('lets one node lead a job at a time', async () => {
    expect(await here.store.lead('job', 'one', at, at + 100)).toBe(true);
    expect(await here.store.lead('job', 'other', at + 50, at + 150)).toBe(false);
    expect(await here.store.lead('job', 'one', at + 50, at + 150)).toBe(true);
    expect(await here.store.lead('job', 'other', at + 150, at + 250)).toBe(true);
  });

  it('moves what has ended to the history', async () => {
    const ended = aWrite(1);
    ended.row.endedAt = at;
    await here.store.commit(0, [ended, aWrite(2)], at);
    expect(await here.store.rest(at, at, 10)).toBe(0);
    expect(await here.store.rest(at + 1, at + 1, 10)).toBe(1);
    expect(await here.row(1)).toBeUndefined();
    const [archived] = await here.store.history({ account, id: 1 }, -1, 5, 'archived');
    expect(archived).toMatchObject({ revision: 2, state: 'talking.listening' });
    expect(JSON.parse(archived!.payload!)).toMatchObject({
      kind: 'call',
      milestones: ['dialed'],
      ended_at: at,
    });
  });

  it('sweeps words for machines that have ended or are not there, and for no other, however old they are', async () => {
    const ended = aWrite(2);
    ended.row.endedAt = at;
    await here.store.commit(0, [aWrite(1), ended], at);
    const left = [1, 2, 3].map((machine) => ({ account, machine, id: 70 + machine, event: '{}', at }));
    await here.store.leave(left);
    await here.store.sweep(at + 86_400_000, 1_000);
    expect(await here.store.inbox(5, 10)).toEqual([left[0]]);
    // Whoever is born now hears nothing that was swept.
    await here.store.commit(0, [aWrite(3)], at);
    expect(await here.store.inbox(5, 10)).toEqual([left[0]]);
  });

  it('keeps young words for machines that are still to come', async () => {
    await here.store.leave([{ account, machine: 1, id: 71, event: '{}', at }]);
    await here.store.sweep(at + 6_000, 1_000);
    await here.store.commit(0, [aWrite(1)], at);
    expect(await here.store.inbox(5, 10)).toHaveLength(1);
  });

  it('sweeps claims a grace time after they ran out', async () => {
    const claims = [{ key: 'k', until: at + 100, answer: null }];
    await here.store.commit(0, [aWrite(1, { claims })], at);
    const stands = async (): Promise<number> => (await here.store.claims([{ account, key: 'k' }], at)).length;
    await here.store.sweep(at + 1_099, 1_000);
    expect(await stands()).toBe(1);
    await here.store.sweep(at + 1_100, 1_000);
    expect(await stands()).toBe(0);
  });
});
