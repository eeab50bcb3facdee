import { describe, expect, it } from 'vitest';
import { explainCampaign } from '../../machines/campaign/explain.ts';
import { DEFAULT_WINDOWS } from '../../src/rules/windows.ts';
import { anInput, mostWithin, NOON, ringsOut, World, type Doing } from './campaigns.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const many = (count: number, region = 'SP'): string[] => Array<string>(count).fill(region);
const at = (callsPerMinute: number | null, maxTransfers: number | null = null) => ({
  pace: { callsPerMinute, maxTransfers },
});
const explained = (world: World) => explainCampaign(world.context);

/** What calls were told. */
const toldCalls = ({ story }: World): unknown[] =>
  story.all.filter(({ name }) => name === 'tell').map(({ params }) => params['event']);

/** The record of São Paulo with this number, as the desk finds it for a call of this id. */
const record = (seq: number, call: number) => ({
  ...{ region: 'SP', seq, row: seq, call },
  ...{ numbers: ['1'], placeholders: {}, texts: [] },
});

describe('a campaign', () => {
  it('dials every destination once and is completed when the last call has ended', () => {
    const world = new World(anInput(), { regions: many(250) }).passes(MINUTE);
    expect(world.dials.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    );
    expect(world.phase).toBe('completed');
    expect(world.story.state).toBe('completed');
    expect(world.counts).toMatchObject({
      destinations: 250,
      started: 250,
      made: 250,
      answered: 250,
      ended: 250,
    });
  });

  it('is completed at once when the list leaves nobody to dial', () => {
    const world = new World(anInput(), { regions: [], skipped: { blocklist: 3 } });
    expect(world.phase).toBe('completed');
    expect(world.counts).toMatchObject({ destinations: 0, skipped: 3 });
  });

  it('keeps the order of the list', () => {
    const world = new World(anInput(at(60)), { regions: ['SP', 'RJ', 'SP', 'BA', 'RJ'] }).passes(MINUTE);
    expect(world.dials.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5]);
  });

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

  it('dials nothing at 0 calls a minute and says so', () => {
    const world = new World(anInput(at(0)), { regions: many(5) }).passes(HOUR);
    expect(world.dials).toEqual([]);
    expect(world.story.state).toBe('active.throttled');
    expect(explained(world).map(({ rule }) => rule)).toContain('lig_min');
    world.hears('changed', { changes: at(null) }).passes(MINUTE);
    expect(world.phase).toBe('completed');
  });

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

  it('lets nobody take the room of the answers it wants twice, when its desk answers once too often', () => {
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

  it('takes a transfer back that did not come about', () => {
    const world = new World(anInput(), {
      regions: many(1),
      doing: () => [
        [40, 'attemptBegun', { attempt: 1 }],
        [2_000, 'callAnswered'],
        [2_000, 'callTransferred'],
        [2_000, 'transferUndone'],
        [2_000, 'callEnded', { was: 'up' }],
      ],
    }).passes(5_000);
    expect(world.counts['transferred']).toBe(1);
    expect(world.passes(MINUTE).counts).toMatchObject({ answered: 1, transferred: 0, ended: 1 });
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

  it('is expired after its last day, and tells those who wait', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-18',
      timeStart: '08:00:00',
      timeEnd: '12:30:00',
    };
    const retries: Doing = [
      [40, 'attemptBegun', { attempt: 1 }],
      [1_000, 'attemptEnded'],
      [HOUR, 'attemptWanted'],
    ];
    const world = new World(anInput({ hours, ...at(1) }), { regions: many(100), doing: () => retries });
    world.passes(3 * HOUR);
    expect(world.story.state).toBe('expired');
    expect(world.dials.length).toBeLessThanOrEqual(31);
    expect(world.counts['ended']).toBe(world.counts['started']);
  });

  it('goes on when an expired campaign is given a later last day', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-18',
      timeStart: '08:00:00',
      timeEnd: '12:10:00',
    };
    const world = new World(anInput({ hours, ...at(1) }), { regions: many(30) }).passes(HOUR);
    expect(world.story.state).toBe('expired');
    world.hears('changed', { changes: { hours: { timeEnd: '23:00:00' } } }).passes(HOUR);
    expect(world.phase).toBe('completed');
  });

  it('is never dialled while it is a model', () => {
    const world = new World(anInput({ active: false }), { regions: many(3) });
    world.hears('changed', { changes: { model: true, active: true } }).passes(HOUR);
    expect(world.story.state).toBe('paused');
    expect(explained(world)[0]?.detail).toContain('model');
  });

  it('makes the audio of its calls before it grants them their attempt', () => {
    const call = { ...anInput().call, prompts: { opening: [{ text: 'Olá <NOME>', voice: 'v' }], slots: {} } };
    const world = new World(anInput({ call, ...at(60) }), { regions: many(90) }).passes(MINUTE);
    expect(world.dials.length).toBeGreaterThanOrEqual(57);
    expect(
      mostWithin(
        world.dials.map((dial) => dial.at),
        MINUTE,
      ),
    ).toBeLessThanOrEqual(61);
    expect(world.counts['started']! - world.counts['made']!).toBeLessThanOrEqual(15);
  });

  it('stands as failed when its list cannot be read, and is tried again on an operator’s word', () => {
    const world = new World(anInput(), { regions: many(2), unreadable: 1 });
    expect(world.story.state).toBe('failed');
    expect(explained(world)[0]?.detail).toContain('list is away');
    world.hears('reload').passes(MINUTE);
    expect(world.story.state).toBe('completed');
    expect(world.counts['made']).toBe(2);
  });

  it('hands its results to a delivery when it is over and its last call has ended', () => {
    const world = new World(anInput({ resultsProfile: 8 }), { regions: many(2) }).passes(MINUTE);
    expect(world.story.last('addressResults')).toEqual({ profile: 8 });
    world.hears('resultsAddressed', { delivery: 900, input: { subject: '31' } });
    expect(world.story.last('startMachine')).toEqual({ kind: 'delivery', id: 900, input: { subject: '31' } });
    expect(world.story.count('addressResults')).toBe(1);
  });

  it('delivers its results once more when it was over and went on', () => {
    const past = { ...anInput().hours, dateStart: '2026-01-01', dateEnd: '2026-01-02' };
    const world = new World(anInput({ resultsProfile: 8, hours: past }), { regions: many(2) }).passes(MINUTE);
    const isDelivered = (delivery: number): void => {
      world.hears('resultsAddressed', { delivery, input: { subject: '31' } }).passes(MINUTE);
    };
    isDelivered(900);
    world.hears('changed', { changes: { hours: { timeEnd: '23:00:00' } } }).passes(MINUTE);
    expect([world.story.state, world.story.count('addressResults')]).toEqual(['expired', 1]);
    world.hears('changed', { changes: { hours: { dateEnd: '2026-11-30' } } }).passes(MINUTE);
    expect([world.story.state, world.story.count('addressResults')]).toEqual(['completed', 2]);
    isDelivered(901);
    expect(world.story.last('startMachine')).toMatchObject({ kind: 'delivery', id: 901 });
  });

  it('asks again where its results go when nobody could say', () => {
    const world = new World(anInput({ resultsProfile: 8 }), { regions: many(2) }).passes(MINUTE);
    world.hears('addressResultsFailed', { params: { profile: 8 }, reason: 'exhausted', message: 'away' });
    expect(world.story.count('addressResults')).toBe(2);
  });
});

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

  it('takes an answer without a number, of a desk that gives none yet, for the one it waits for', () => {
    const world = new World(anInput(at(0)), { regions: many(3), deaf: true });
    const open = { regions: { SP: { open: true, until: NOON + HOUR, detail: '' } }, over: NOON + HOUR };
    world.hears('windowsPlanned', open);
    expect(world.context.calendar).toMatchObject({ asked: false, question: 1, over: NOON + HOUR });
    world.hears('windowsPlanned', { ...open, over: NOON + 2 * HOUR });
    expect(world.context.calendar.over).toBe(NOON + HOUR);
  });

  it('tells a retry whose region has closed when to ask again', () => {
    const retries: Doing = [
      [40, 'attemptBegun', { attempt: 1 }],
      [1_000, 'attemptEnded'],
      [HOUR, 'attemptWanted'],
      [40, 'attemptBegun', { attempt: 2 }],
      [1_000, 'callEnded', { was: 'dialling' }],
    ];
    const start = Date.parse('2026-11-18T20:30:00Z');
    const world = new World(anInput({ hours }), { regions: ['SP'], doing: () => retries }, start).passes(
      24 * HOUR,
    );
    expect(world.dials.map((dial) => new Date(dial.at).toISOString().slice(8, 13))).toEqual([
      '18T20',
      '19T12',
    ]);
    expect(world.phase).toBe('completed');
  });
});
