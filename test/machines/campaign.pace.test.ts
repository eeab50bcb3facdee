import { describe, expect, it } from 'vitest';
import {
  anInput,
  at,
  type Doing,
  explained,
  HOUR,
  many,
  MINUTE,
  mostWithin,
  NOON,
  ringsOut,
  World,
} from './campaigns.ts';

describe('the pace of a campaign', () => {
  it('dials 57 to 61 calls in any minute at 60 calls a minute, with work left', () => {
    const world = new World(anInput(at(60)), { regions: many(400) }).passes(5 * MINUTE);
    const moments = world.dials.map((dial) => dial.at);
    expect(mostWithin(moments, MINUTE)).toBeLessThanOrEqual(61);
    for (let from = 0; from < 4 * MINUTE; from += 5_000) {
      const within = moments.filter((moment) => moment >= NOON + from && moment < NOON + from + MINUTE);
      expect(within.length).toBeGreaterThanOrEqual(57);
    }
  });

  it('keeps its pace where grants go out several at a time', () => {
    const world = new World(anInput(at(6_000)), { regions: many(3_000) }).passes(20_000);
    const moments = world.dials.map((dial) => dial.at);
    expect(mostWithin(moments, 10_000)).toBeLessThanOrEqual(1_020);
    expect(moments.length).toBeGreaterThan(1_900);
  });

  it('obeys a new pace from the next dial on', () => {
    const world = new World(anInput(at(60)), { regions: many(400) }).passes(MINUTE);
    world.hears('changed', { changes: at(30) });
    const before = world.dials.length;
    world.passes(2 * MINUTE);
    expect(world.dials.length - before).toBeGreaterThanOrEqual(58);
    expect(world.dials.length - before).toBeLessThanOrEqual(62);
  });

  it.each([
    [1, 2],
    [0, 2],
    [2, 2],
  ])(
    'keeps to the faster of two paces, %d and %d calls a minute, however often they change',
    (slow, fast) => {
      const world = new World(anInput(at(fast)), { regions: many(400) });
      for (let changes = 0; changes < 120; changes += 1)
        world.hears('changed', { changes: at(changes % 2 === 0 ? slow : fast) }).passes(5_000);
      const moments = world.dials.map((dial) => dial.at);
      expect(mostWithin(moments, MINUTE)).toBeLessThanOrEqual(fast + 1);
      expect(moments.length).toBeGreaterThan(5);
    },
  );

  it('dials nothing at 0 calls a minute and says so', () => {
    const world = new World(anInput(at(0)), { regions: many(5) }).passes(HOUR);
    expect(world.dials).toEqual([]);
    expect(world.story.state).toBe('active.throttled');
    expect(explained(world).map(({ rule }) => rule)).toContain('lig_min');
    world.hears('changed', { changes: at(null) }).passes(MINUTE);
    expect(world.phase).toBe('completed');
  });

  it.each([
    { wanted: 3, transfers: 50, rules: ['max_answered'] },
    { wanted: 50, transfers: 3, rules: ['pas'] },
    { wanted: 3, transfers: 3, rules: ['max_answered', 'pas'] },
  ])('names the limit that holds it back: $rules', ({ wanted, transfers, rules }) => {
    const input = anInput({ ...at(null, transfers), maxAnswered: wanted });
    const world = new World(input, { regions: many(30), doing: () => ringsOut }).passes(10_000);
    expect(world.phase).toBe('throttled');
    expect(explained(world).map(({ rule }) => rule)).toEqual(rules);
  });

  it('never has more calls under way than transfers it may make', () => {
    const world = new World(anInput(at(null, 3)), { regions: many(30) });
    let most = 0;
    for (let ms = 0; ms < 2 * MINUTE; ms += 100) {
      world.passes(100);
      const { flow } = world.context;
      most = Math.max(most, flow.dialling + flow.up + flow.granted.length);
    }
    expect(most).toBe(3);
    expect(world.phase).toBe('completed');
  });

  it('never has more calls answered than it was to reach', () => {
    const doing = (row: number) => (row % 3 === 0 ? undefined : ringsOut);
    const world = new World(anInput({ maxAnswered: 4 }), {
      regions: many(60),
      doing: (row) =>
        doing(row) ?? [
          [40, 'attemptBegun', { attempt: 1 }],
          [2_000, 'callAnswered'],
          [5_000, 'callEnded', { was: 'up' }],
        ],
    }).passes(HOUR);
    expect(world.counts['answered']).toBe(4);
    expect(world.story.state).toBe('limitReached');
    expect(world.counts['made']).toBeLessThan(60);
  });

  it('looks for the calls that wait for a retry once it has as many answers as it was to reach', () => {
    const answered: Doing = [
      [40, 'attemptBegun', { attempt: 1 }],
      [2_000, 'callAnswered'],
      [5_000, 'callEnded', { was: 'up' }],
    ];
    const busy: Doing = [
      [40, 'attemptBegun', { attempt: 1 }],
      [1_000, 'attemptEnded'],
    ];
    const world = new World(anInput({ maxAnswered: 2 }), {
      regions: many(3),
      doing: (row) => (row === 1 ? busy : answered),
    }).passes(MINUTE);
    expect([world.story.state, world.counts['ended']]).toEqual(['limitReached', 2]);
    expect(world.story.last('findLiveCalls')).toEqual({ after: 0, limit: 100 });
    world.hears('callsLive', { calls: [1_000], more: true });
    expect(world.story.last('findLiveCalls')).toEqual({ after: 1_000, limit: 100 });
    world.hears('callsLive', { calls: [], more: false }).passes(1_000);
    expect([world.counts['ended'], world.story.count('findLiveCalls')]).toEqual([3, 2]);
  });

  it('lets a retry dial before new destinations, and counts a destination made once', () => {
    const retries: Doing = [
      [40, 'attemptBegun', { attempt: 1 }],
      [1_000, 'attemptEnded'],
      [MINUTE, 'attemptWanted'],
      [40, 'attemptBegun', { attempt: 2 }],
      [1_000, 'callEnded', { was: 'dialling' }],
    ];
    const world = new World(anInput(at(6)), {
      regions: many(20),
      doing: (row) => (row === 1 ? retries : ringsOut),
    });
    world.passes(61_000 + 15_000);
    const firstNew = world.dials.filter(({ at: moment }) => moment > NOON + 61_100)[0];
    expect(firstNew?.row).toBe(1);
    world.passes(HOUR);
    expect(world.counts).toMatchObject({ made: 20, ended: 20 });
    expect(world.dials).toHaveLength(21);
  });
});
