import { describe, expect, it } from 'vitest';
import { anInput, at, type Doing, HOUR, many, MINUTE, World } from './campaigns.ts';

/** What calls were told. */
const toldCalls = ({ story }: World): unknown[] =>
  story.all.filter(({ name }) => name === 'tell').map(({ params }) => params['event']);

/** The record of São Paulo with this number, as the dialler finds it for a call of this id. */
const record = (seq: number, call: number) => ({
  ...{ region: 'SP', seq, row: seq, call },
  ...{ numbers: ['1'], placeholders: {}, texts: [] },
});

describe('what a campaign grants', () => {
  it('lets no call go while it is paused, and takes back the grants that are out', () => {
    const world = new World(anInput(), { regions: many(300) }).passes(30);
    world.hears('changed', { changes: { active: false } });
    expect(
      world.story.asked.filter(({ params }) => JSON.stringify(params).includes('attemptRevoked')),
    ).not.toEqual([]);
    expect(world.story.state).toBe('paused');
    const begun = world.counts['started']!;
    world.passes(HOUR);
    expect(world.counts['started']).toBe(begun);
    world.hears('changed', { changes: { active: true } }).passes(MINUTE);
    expect(world.counts['started']).toBe(300);
  });

  it('ignores records that were found for it while it was being paused', () => {
    const world = new World(anInput({ active: false }), { regions: many(3) });
    world.hears('destinationsFound', { found: [record(1, 5)] });
    expect(world.counts['started']).toBe(0);
  });

  it('claims a destination once, however often it is found', () => {
    const world = new World(anInput(at(1)), { regions: many(3), slow: true });
    world.hears('destinationsFound', { found: [record(1, 5)] });
    world.passes(MINUTE);
    expect(world.story.count('fetchDestinations')).toBe(2);
    world.hears('destinationsFound', { found: [record(1, 6)] });
    expect(world.counts['started']).toBe(1);
  });

  it('takes no more of what was found than it asked for', () => {
    const world = new World(anInput(at(1)), { regions: many(3), slow: true });
    expect(world.story.last('fetchDestinations')).toMatchObject({ limit: 1 });
    world.hears('destinationsFound', { found: [record(1, 5), record(2, 6)] });
    expect(world.counts['started']).toBe(1);
  });

  it('takes nothing that is found a second time, when it asks for nothing', () => {
    const world = new World(anInput(at(1)), { regions: many(3) });
    world.hears('destinationsFound', { found: [record(2, 5)] });
    expect(world.counts['started']).toBe(1);
  });

  it('lets nobody take the room of the answers it wants twice, when its dialler answers once too often', () => {
    const retry: Doing = [
      [40, 'attemptBegun', { attempt: 1 }],
      [1_000, 'attemptEnded'],
      [1_000, 'attemptWanted'],
    ];
    const options = { regions: many(9), slow: true, doing: () => retry };
    const world = new World(anInput({ maxAnswered: 1 }), options);
    world.hears('destinationsFound', { found: [record(1, 5)] }).passes(1_040);
    expect(world.story.last('fetchDestinations')).toMatchObject({ limit: 1, cursors: { SP: 1 } });
    // The answer to the first question once more: nobody is to be had of it, and the retry may go instead.
    world.hears('destinationsFound', { found: [record(1, 6)] }).passes(10_000);
    expect(world.context.flow).toMatchObject({ dialling: 0, granted: [{ call: 5 }], fetching: 0 });
    world.hears('destinationsFound', { found: [record(2, 7)] });
    expect(world.context.flow.granted).toMatchObject([{ call: 5 }]);
    expect(world.counts['started']).toBe(1);
  });

  it('counts a grant it has called back until the call has answered: the word may find it dialling', () => {
    const world = new World(anInput(at(null, 1)), { regions: many(3) });
    expect([world.counts['started'], world.context.flow.granted.length]).toEqual([1, 1]);
    world.hears('changed', { changes: { active: false } }).hears('changed', { changes: { active: true } });
    expect([world.phase, world.context.flow.revoked.length]).toEqual(['throttled', 1]);
    world.passes(1_000);
    expect([world.context.flow.dialling, world.context.flow.revoked, world.counts['started']]).toEqual([
      1,
      [],
      1,
    ]);
    world.passes(MINUTE);
    expect([world.phase, world.counts['made']]).toEqual(['completed', 3]);
  });

  it('never forgets a grant: it asks the call every ten minutes what became of it', () => {
    const world = new World(anInput({ maxAnswered: 1 }), { regions: many(2), doing: () => [] });
    world.passes(10 * MINUTE - 1_000);
    expect(toldCalls(world)).toEqual([]);
    world.passes(2 * HOUR);
    expect(toldCalls(world)).toEqual(Array.from({ length: 12 }, () => ({ type: 'attemptAwaited', ask: 0 })));
    expect([world.counts['started'], world.phase]).toEqual([1, 'throttled']);
  });

  it('looks for a call that does not answer, and goes on without it when it is no more', () => {
    const world = new World(anInput({ maxAnswered: 1 }), { regions: many(1), doing: () => [] });
    world.passes(10 * MINUTE);
    expect(world.story.count('findLostCalls')).toBe(0);
    world.passes(10 * MINUTE);
    expect(world.story.last('findLostCalls')).toEqual({ calls: [1_000] });
    world.hears('callsLost', { calls: [] });
    expect(world.context.flow.granted).toMatchObject([{ call: 1_000, awaited: 2 }]);
    world.hears('callsLost', { calls: [1_000, 999] });
    expect([world.phase, world.counts]).toMatchObject(['completed', { started: 1, made: 0, ended: 1 }]);
    // An answer that was given twice.
    world.hears('callsLost', { calls: [1_000] });
    expect(world.counts).toMatchObject({ ended: 1 });
  });

  it('looks for lost calls once at a time, however many are silent and however long the dialler is away', () => {
    const world = new World(anInput(at(2_000)), { regions: many(200), doing: () => [] });
    world
      .passes(5_000)
      .hears('changed', { changes: at(0) })
      .passes(HOUR);
    expect(world.context.flow.granted.length).toBeGreaterThan(50);
    expect(world.story.count('findLostCalls')).toBe(1);
    world.hears('callsLost', { calls: [] }).passes(20 * MINUTE);
    expect(world.story.count('findLostCalls')).toBe(2);
    const params = world.story.last('findLostCalls');
    world
      .hears('findLostCallsFailed', { params, reason: 'broken', message: 'unreadable' })
      .passes(20 * MINUTE);
    expect(world.story.count('findLostCalls')).toBe(3);
  });

  it('waits in the same way for the answer of a call that it has called back', () => {
    const world = new World(anInput(at(null, 1)), { regions: many(2), doing: () => [] });
    world.hears('changed', { changes: { active: false } }).hears('changed', { changes: { active: true } });
    world.passes(10 * MINUTE + 1_000);
    expect(toldCalls(world)).toEqual([
      { type: 'attemptRevoked', ask: 0 },
      { type: 'attemptAwaited', ask: 0 },
    ]);
    expect(world.counts['started']).toBe(1);
    world.hears('attemptDropped', { call: 1_000, ask: 0 });
    expect(world.counts['started']).toBe(2);
  });

  it('leaves a call that says it has its grant alone for as long again', () => {
    const world = new World(anInput({ maxAnswered: 1 }), { regions: many(2), doing: () => [] });
    world
      .passes(10 * MINUTE)
      .passes(MINUTE)
      .hears('attemptHeld', { call: 1_000, ask: 0 });
    world.passes(9 * MINUTE + 59_000);
    expect(toldCalls(world)).toHaveLength(1);
    world.passes(1_000);
    expect(toldCalls(world)).toHaveLength(2);
    world.hears('attemptBegun', { call: 1_000, attempt: 1, ask: 0 });
    expect(world.context.flow).toMatchObject({ granted: [], dialling: 1 });
  });

  it('takes a wish that is repeated for the one it has granted already, and one that is new for a grant given back', () => {
    const wish = (call: number, ask: number) => ({ call, region: 'SP', ask });
    const world = new World(anInput({ maxAnswered: 1, ...at(0) }), { regions: many(4), doing: () => [] });
    for (const one of [wish(1, 1), wish(2, 1)]) world.hears('attemptWanted', one);
    world.hears('changed', { changes: { pace: { callsPerMinute: null } } });
    expect(world.context.flow).toMatchObject({ granted: [{ call: 1, ask: 1 }], wanting: [{ call: 2 }] });
    world.hears('attemptWanted', wish(1, 1));
    expect(world.context.flow).toMatchObject({ granted: [{ call: 1, ask: 1 }], wanting: [{ call: 2 }] });
    world.hears('attemptWanted', wish(1, 2));
    expect(world.context.flow).toMatchObject({
      granted: [{ call: 2, ask: 1 }],
      wanting: [{ call: 1, ask: 2 }],
    });
    // What is said of a grant long settled touches no other.
    world.hears('attemptDropped', { call: 2, ask: 0 });
    expect(world.context.flow.granted).toMatchObject([{ call: 2, ask: 1 }]);
  });

  it('goes on with grants and wishes that were kept before questions had numbers', () => {
    const world = new World(anInput(at(0)), { regions: many(2), slow: true });
    const old = {
      ...world.context.flow,
      granted: [{ call: 5, at: world.story.at }],
      wanting: [{ call: 6, region: 'SP' }],
    };
    const { snapshot } = world.story;
    world.story.snapshot = { ...snapshot, context: { ...world.context, flow: old } } as typeof snapshot;
    world.hears('changed', { changes: { pace: { callsPerMinute: null } } });
    expect(world.context.flow.granted).toMatchObject([{ call: 5 }, { call: 6, ask: 0 }]);
    world.hears('attemptBegun', { call: 5, attempt: 1 }).hears('attemptDropped', { call: 6 });
    expect(world.context.flow).toMatchObject({ granted: [], dialling: 1 });
  });
});
