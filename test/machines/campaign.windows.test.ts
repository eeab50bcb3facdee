import { describe, expect, it } from 'vitest';
import { DEFAULT_WINDOWS } from '../../src/rules/voice/callingWindows.ts';
import { anInput, at, type Doing, explained, HOUR, many, MINUTE, NOON, World } from './campaigns.ts';

describe('a campaign over several time zones', () => {
  const hours = {
    dateStart: '2026-11-18',
    dateEnd: '2026-11-20',
    timeStart: '09:00:00',
    timeEnd: '17:59:59',
  };
  const zones: Record<string, number> = { AC: -5, AM: -4, MT: -4, SP: -3, PE: -3 };
  const regions = Object.keys(zones).flatMap((region) => many(40, region));
  const localHour = (moment: number, region: string): number =>
    new Date(moment + zones[region]! * HOUR).getUTCHours();

  it('dials each number inside its own hours only', () => {
    const world = new World(anInput({ hours, ...at(10) }), { regions }, Date.parse('2026-11-18T10:00:00Z'));
    world.passes(48 * HOUR);
    expect(world.dials).toHaveLength(200);
    for (const dial of world.dials) {
      expect(localHour(dial.at, dial.region)).toBeGreaterThanOrEqual(9);
      expect(localHour(dial.at, dial.region)).toBeLessThan(18);
    }
  });

  it('calls back who still waits for the carrier when the hours of its region are over, and no other', () => {
    const start = Date.parse('2026-11-18T20:58:00Z');
    const list = [...many(2, 'SP'), ...many(3, 'AC')];
    const world = new World(anInput({ hours, ...at(null) }), { regions: list, doing: () => [] }, start);
    const calledBack = (): number =>
      world.story.all.filter(
        ({ name, params }) => name === 'tell' && JSON.stringify(params).includes('Revoked'),
      ).length;
    expect(world.counts['started']).toBe(5);
    world.passes(MINUTE);
    expect(calledBack()).toBe(0);
    world.passes(MINUTE);
    expect([calledBack(), world.context.flow.revoked.length, world.context.flow.granted.length]).toEqual([
      2, 2, 3,
    ]);
    world.passes(MINUTE);
    expect(calledBack()).toBe(2);
  });

  it('says of each region that waits when it can go', () => {
    const world = new World(anInput({ hours, ...at(10) }), { regions }, Date.parse('2026-11-18T10:00:00Z'));
    expect(world.story.state).toBe('active.waitingWindow');
    const windows = explained(world).filter(({ rule }) => rule === 'window');
    expect(windows).toHaveLength(5);
    expect(windows.find(({ detail }) => detail.includes('AC'))?.until).toBe(
      Date.parse('2026-11-18T14:00:00Z'),
    );
    expect(windows.find(({ detail }) => detail.includes('SP'))?.until).toBe(
      Date.parse('2026-11-18T12:00:00Z'),
    );
  });

  it('keeps the holidays of each state when the account wants it', () => {
    // 20 November is a holiday everywhere; the table opens no holiday.
    const world = new World(
      anInput({ hours: { ...hours, dateStart: '2026-11-20', dateEnd: '2026-11-23' }, ...at(null) }),
      { regions, table: DEFAULT_WINDOWS },
      Date.parse('2026-11-20T10:00:00Z'),
    );
    expect(explained(world).find(({ detail }) => detail.includes('SP'))?.detail).toContain(
      'Consciência Negra',
    );
    world.passes(24 * HOUR);
    expect(world.dials).toEqual([]);
    world.passes(48 * HOUR);
    expect(world.dials).toHaveLength(200);
    expect(new Date(world.dials[0]!.at).getUTCDate()).toBe(21);
  });

  it('asks a few times for its hours while no answer comes, however often they change, and then once for the last', () => {
    const world = new World(anInput(at(10)), { deaf: true });
    for (let changes = 0; changes < 50; changes += 1) world.hears('windowsChanged');
    expect(world.story.count('planWindows')).toBe(4);
    const open = { open: true, until: NOON + HOUR, detail: '' };
    const plan = (question: number) => ({ question, regions: { SP: open }, over: NOON + 24 * HOUR });
    world.hears('windowsPlanned', plan(1));
    expect([world.story.count('planWindows'), world.phase]).toEqual([5, 'waitingWindow']);
    world.hears('windowsPlanned', plan(5));
    expect([world.story.count('planWindows'), world.phase]).toEqual([5, 'dialing']);
  });

  it('plans no oftener for a region that does not open again', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-18',
      timeStart: '08:00:00',
      timeEnd: '11:30:00',
    };
    // Over in São Paulo, open for another ninety minutes in Rio Branco.
    const world = new World(anInput({ hours, ...at(1) }), { regions: [...many(5), ...many(500, 'AC')] });
    world.passes(30 * MINUTE);
    expect(world.story.all.filter(({ name }) => name === 'planWindows')).toHaveLength(1);
    expect(world.phase).toBe('dialing');
  });

  it('believes no plan that was made for hours it had before', () => {
    const world = new World(anInput(at(0)), { regions: many(30) });
    const [SP] = Object.values(world.context.calendar.regions);
    const plan = { regions: { SP }, over: world.context.calendar.over };
    const planned = () => world.story.last('planWindows')['question'];
    expect(planned()).toBe(1);
    world.hears('changed', { changes: { hours: { timeStart: '18:00:00' }, pace: { callsPerMinute: 1 } } });
    expect([planned(), world.phase]).toEqual([2, 'waitingWindow']);
    // The former question was tried again, and is answered last; then once more without an end to it.
    world.hears('windowsPlanned', { ...plan, question: 1 });
    world.hears('planWindowsFailed', { params: { question: 1 }, reason: 'exhausted', message: 'away' });
    world.passes(30 * MINUTE);
    expect([world.dials, world.phase]).toEqual([[], 'waitingWindow']);
  });

  it('waits for the answer to the newest question only', () => {
    const world = new World(anInput(at(0)), { regions: many(3), deaf: true });
    world.hears('windowsChanged');
    const open = { regions: { SP: { open: true, until: NOON + HOUR, detail: '' } }, over: NOON + HOUR };
    world.hears('windowsPlanned', { ...open, question: 1 });
    expect(world.context.calendar).toMatchObject({ asked: true, regions: {} });
    world.hears('windowsPlanned', { ...open, question: 2 });
    expect(world.context.calendar).toMatchObject({ asked: false, over: NOON + HOUR });
  });

  it('asks again while it is paused for the day on which it is over, and ends on it', () => {
    const world = new World(anInput({ active: false }), { regions: many(3), deaf: true });
    const failed = { params: { question: 1 }, reason: 'exhausted', message: 'away' };
    world.hears('planWindowsFailed', failed).passes(MINUTE);
    expect([world.phase, world.story.count('planWindows')]).toEqual(['paused', 2]);
    world.hears('windowsPlanned', { question: 2, regions: {}, over: NOON + HOUR }).passes(HOUR + MINUTE);
    expect([world.phase, world.story.count('planWindows')]).toEqual(['expired', 2]);
  });

  it('takes an answer without a number, of a dialler that gives none yet, for the one it waits for', () => {
    const world = new World(anInput(at(0)), { regions: many(3), deaf: true });
    const open = { regions: { SP: { open: true, until: NOON + HOUR, detail: '' } }, over: NOON + HOUR };
    world.hears('windowsPlanned', open);
    expect(world.context.calendar).toMatchObject({ asked: false, question: 1, over: NOON + HOUR });
    world.hears('windowsPlanned', { ...open, over: NOON + 2 * HOUR });
    expect(world.context.calendar.over).toBe(NOON + HOUR);
  });

  /** Is tried half an hour before its hours are over, and wants to be tried again after an hour. */
  const retries: Doing = [
    [40, 'attemptBegun', { attempt: 1 }],
    [1_000, 'attemptEnded'],
    [HOUR, 'attemptWanted'],
    [40, 'attemptBegun', { attempt: 2 }],
    [1_000, 'callEnded', { was: 'dialling' }],
  ];
  const start = Date.parse('2026-11-18T20:30:00Z');

  it('tells a retry whose region has closed when to ask again', () => {
    const world = new World(anInput({ hours }), { regions: ['SP'], doing: () => retries }, start).passes(
      24 * HOUR,
    );
    expect(world.dials.map((dial) => new Date(dial.at).toISOString().slice(8, 13))).toEqual([
      '18T20',
      '19T12',
    ]);
    expect(world.phase).toBe('completed');
  });

  it.each([
    ['in the evening already', { timeEnd: '21:59:59' }, '18T22'],
    ['earlier next morning', { timeStart: '07:00:00' }, '19T10'],
  ])('lets a retry go %s when the hours change so while it waits for the former ones', (_, change, hour) => {
    const world = new World(
      anInput({ hours }),
      { regions: ['SP'], doing: () => retries, findsCalls: true },
      start,
    );
    world.passes(90 * MINUTE).hears('changed', { changes: { hours: change } });
    world.passes(24 * HOUR);
    expect(world.dials.map((dial) => new Date(dial.at).toISOString().slice(8, 13))).toEqual(['18T20', hour]);
    expect(world.phase).toBe('completed');
  });

  it('looks for calls that wait when hours open earlier only, and once for each change', () => {
    const world = new World(anInput({ hours }), { regions: many(5), doing: () => retries }, start);
    world.passes(90 * MINUTE);
    const later = { changes: { hours: { timeStart: '10:00:00' } } };
    world.hears('changed', later).passes(2 * HOUR);
    expect(world.story.count('findLiveCalls')).toBe(0);
    const earlier = { changes: { hours: { timeStart: '08:00:00' } } };
    world
      .hears('changed', earlier)
      .hears('windowsChanged')
      .passes(2 * HOUR);
    expect(world.story.count('findLiveCalls')).toBe(1);
  });
});
