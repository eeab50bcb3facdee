import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClearanceEffects } from '../../../machines/contracts/clearance.ts';
import type { AdmissionRepository, LimitQuery } from '../../../src/providers/clearance.ts';
import { openCallAdmission } from '../../../src/providers/clearance/callAdmission.ts';
import { trunksOf } from '../../../src/providers/clearance/trunkChoice.ts';
import { trackReleases, usingSlots } from '../../../src/providers/clearance/trackReleases.ts';
import { Retryable, Terminal } from '../../../src/engine/contract/performer.ts';
import type { EffectCall, Fact } from '../../../src/engine/contract/performer.ts';
import type { Telephony } from '../../../src/providers/telephony.ts';
import { fromLocal } from '../../../src/lib/localTime.ts';
import { keepAnswer } from '../../../src/store/claims.ts';
import { accountBlock, blockNumber, globalBlock } from '../../../src/store/reads/lists/blocklist.ts';
import { claimAnswer } from '../../../src/store/reads/claims.ts';
import { callsBefore } from '../../../src/store/reads/voice/callLimits.ts';
import { campaignPaused } from '../../../src/store/reads/campaigns/campaigns.ts';
import { freshDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { tableOf, trunkOf } from '../../rules/trunks/trunkTable.ts';
import { handClock } from '../../helpers/handClock.ts';

const WEDNESDAY_NOON = fromLocal('2026-11-18', '12:00', 'America/Sao_Paulo');
const DAY = 86_400_000;
const NUMBER = '5511987654321';
const ACCOUNT = 7;

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE blocklist, global_blocklist, calls'));

const repositoryOf = ({ pool }: TestDatabase, now: () => number): AdmissionRepository => ({
  account: async ({ account }) =>
    account === ACCOUNT ? { active: true, callingWindows: null, concurrentCalls: null } : undefined,
  blocked: async ({ account }, number) => {
    const [own, global] = await Promise.all([
      accountBlock(pool, { account, number }),
      globalBlock(pool, number),
    ]);
    if (own !== undefined) return { list: 'account', reason: own };
    return global === undefined ? undefined : { list: 'global', reason: global };
  },
  campaignPaused: ({ account }, campaign) => campaignPaused(pool, account, campaign),
  callsBefore: ({ account, id }, query: LimitQuery) => callsBefore(pool, { account, id, ...query }),
  rested: ({ account }, { number, scope }) => claimAnswer(pool, account, `${scope} ${number}`, now()),
  rest: ({ account, id }, { number, scope, reason }) =>
    keepAnswer(
      pool,
      account,
      { key: `${scope} ${number}`, forMs: 1_000, answer: reason },
      { owner: String(id), at: now() },
    ),
  block: ({ account }, number, reason) => blockNumber(pool, { account, number, reason, at: now() }),
});

const anAdmission = (
  options: {
    legs?: number;
    repository?: Partial<AdmissionRepository>;
    at?: number;
    waiting?: number;
    /** The shard's time against the clock. */
    aheadMs?: number;
  } = {},
) => {
  const table = tableOf([trunkOf(1, 'test route', { callsPerSecond: 1000, legs: options.legs ?? 100 })]);
  const clock = handClock(options.at ?? WEDNESDAY_NOON);
  const reported: { id: number; fact: Fact }[] = [];
  const admission = openCallAdmission({
    repository: { ...repositoryOf(database, () => clock.now()), ...options.repository },
    trunks: trunksOf({ now: () => table, trunk: () => table.trunks[0] }),
    report: ({ id }, fact) => reported.push({ id, fact }),
    clock,
    ...(options.aheadMs !== undefined && { now: () => clock.now() + options.aheadMs! }),
    ...(options.waiting !== undefined && { waiting: options.waiting }),
  });
  const ask = async (id: number, params: Partial<ClearanceEffects['requestClearance']> = {}) =>
    (await admission.performers.requestClearance(asking(id, params)))?.events?.[0];
  return { admission, clock, reported, ask };
};

const effectOf = <Params extends object>(id: number, name: string, params: Params): EffectCall<Params> => ({
  id: `a.${ACCOUNT}.${id}.1.0`,
  name,
  params,
  machine: { shard: 'a', account: ACCOUNT, id, kind: 'call' },
  attempt: 1,
  seen: {},
  signal: new AbortController().signal,
});

const asking = (id: number, params: Partial<ClearanceEffects['requestClearance']>) =>
  effectOf(id, 'requestClearance', {
    destination: NUMBER,
    attempt: 1,
    priority: 0,
    skipBlocklist: false,
    customerCampaign: '',
    audioKey: 'audio',
    waitForWindow: false,
    ...params,
  });

const aCall = (id: number, columns: Record<string, unknown> = {}) => {
  const row: Record<string, unknown> = {
    account_id: ACCOUNT,
    id,
    requested_at: WEDNESDAY_NOON,
    called_at: WEDNESDAY_NOON,
    destination: NUMBER,
    customer_campaign: 'spring',
    mode: 'play',
    audio_key: 'audio',
    caller_id: '',
    ...columns,
  };
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  return database.pool.query(
    `INSERT INTO calls (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
};

describe('call admission', () => {
  it('clears a call that nothing speaks against, and names the route', async () => {
    expect(await anAdmission().ask(1)).toMatchObject({ type: 'cleared', route: 'test route' });
  });

  it('names the question it answers, at once or later', async () => {
    const { admission, ask, reported } = anAdmission({ legs: 1 });
    expect(await ask(1, { question: 3 })).toMatchObject({
      type: 'cleared',
      route: 'test route',
      question: 3,
    });
    expect(await ask(2, { question: 4 })).toBeUndefined();
    expect(await ask(2, { question: 5 })).toBeUndefined();
    admission.release({ shard: 'a', account: ACCOUNT, id: 1 });
    await expect.poll(() => reported).toMatchObject([{ id: 2, fact: { type: 'cleared', question: 5 } }]);
  });

  it("lets an account's campaigns have no more calls at a time than the account allows", async () => {
    const repository = { account: async () => ({ active: true, callingWindows: null, concurrentCalls: 1 }) };
    const { admission, ask, reported } = anAdmission({ repository });
    expect(await ask(1, { campaign: 31 })).toMatchObject({ type: 'cleared' });
    expect(await ask(2, { campaign: 32 })).toBeUndefined();
    await ask(3);
    await expect.poll(() => reported).toMatchObject([{ id: 3, fact: { type: 'cleared' } }]);
    admission.release({ shard: 'a', account: ACCOUNT, id: 1 });
    await expect.poll(() => reported[1]).toMatchObject({ id: 2, fact: { type: 'cleared' } });
  });

  it('takes the grant back while the campaign is paused, also of a call that stood in the queue', async () => {
    let paused = true;
    const repository = { campaignPaused: async (_: unknown, campaign: number) => paused && campaign === 31 };
    const { admission, clock, ask, reported } = anAdmission({ legs: 1, repository });
    expect(await ask(1, { campaign: 31 })).toMatchObject({ type: 'attemptRevoked' });
    expect(await ask(2, { campaign: 32 })).toMatchObject({ type: 'cleared' });
    paused = false;
    clock.turn(1_000);
    expect(await ask(3, { campaign: 31 })).toBeUndefined();
    paused = true;
    clock.turn(1_000);
    admission.release({ shard: 'a', account: ACCOUNT, id: 2 });
    await expect.poll(() => reported).toMatchObject([{ id: 3, fact: { type: 'attemptRevoked' } }]);
    expect(admission.load()).toEqual({ waiting: 0, held: 0 });
  });

  it('knows a paused campaign by its record', async () => {
    const { ask } = anAdmission();
    await database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state, date_start,
         date_end, time_start, time_end) VALUES ($1, 41, 0, 'play', 1, '{}', 'Sale', false, 'paused', '', '', '', '')`,
      [ACCOUNT],
    );
    expect(await ask(1, { campaign: 41 })).toMatchObject({ type: 'attemptRevoked' });
    expect(await ask(2, { campaign: 42 })).toMatchObject({ type: 'cleared' });
  });

  it('refuses an account that is closed or unknown; calls of its campaigns wait while it is closed', async () => {
    const closed = anAdmission({
      repository: { account: async () => ({ active: false, callingWindows: null, concurrentCalls: null }) },
    });
    expect(await closed.ask(1)).toMatchObject({ type: 'refused', reason: 'account' });
    expect(await closed.ask(1, { campaign: 31 })).toMatchObject({
      type: 'postponed',
      reason: 'account',
      detail: `account ${ACCOUNT} is not active`,
      until: WEDNESDAY_NOON + 60_000,
    });
    const unknown = anAdmission({ repository: { account: async () => undefined } });
    expect(await unknown.ask(1, { campaign: 31 })).toMatchObject({ type: 'refused', reason: 'account' });
    expect(await unknown.ask(1)).toMatchObject({ type: 'refused', reason: 'account' });
  });

  it('is asked again when the database is away', async () => {
    const away = anAdmission({
      repository: { blocked: () => Promise.reject(new Error('connection refused')) },
    });
    await expect(away.ask(1)).rejects.toThrow(Retryable);
  });
});

describe('block lists', () => {
  it("refuse a number on the account's list, with the reason given there", async () => {
    const { admission, ask } = anAdmission();
    await admission.performers.blockNumber(
      effectOf(1, 'blockNumber', { number: NUMBER, reason: 'opted out' }),
    );
    await admission.performers.blockNumber(effectOf(2, 'blockNumber', { number: NUMBER, reason: 'again' }));
    expect(await ask(3)).toMatchObject({
      type: 'refused',
      reason: 'blocklist',
      detail: `${NUMBER} is on the account's block list: opted out`,
    });
  });

  it('let a number rest for the campaign whose calls are unwanted, whatever free says', async () => {
    const { admission, ask } = anAdmission();
    const rest = { number: NUMBER, scope: 'campaign 12', reason: 'unwanted' };
    await admission.performers.restNumber(effectOf(1, 'restNumber', rest));
    expect(await ask(2, { restScope: 'campaign 12', skipBlocklist: true })).toMatchObject({
      type: 'refused',
      reason: 'rested',
      detail: `${NUMBER} rests for calls of this campaign: the callee wants none`,
    });
    expect(await ask(3, { restScope: 'campaign 13' })).toMatchObject({ type: 'cleared' });
    expect(await ask(4)).toMatchObject({ type: 'cleared' });
  });

  it('refuse a number on the global list', async () => {
    await database.pool.query(`INSERT INTO global_blocklist VALUES ('${NUMBER}', '', 0)`);
    expect(await anAdmission().ask(1)).toMatchObject({
      type: 'refused',
      reason: 'blocklist',
      detail: `${NUMBER} is on the global block list`,
    });
  });

  it("do not hold for other numbers, other accounts' lists, or calls that may pass", async () => {
    const { ask } = anAdmission();
    await blockNumber(database.pool, { account: 8, number: NUMBER, reason: '', at: 0 });
    expect(await ask(1)).toMatchObject({ type: 'cleared' });
    await blockNumber(database.pool, { account: ACCOUNT, number: NUMBER, reason: '', at: 0 });
    expect(await ask(2, { destination: '5511987654322' })).toMatchObject({ type: 'cleared' });
    expect(await ask(3, { skipBlocklist: true })).toMatchObject({ type: 'cleared' });
  });

  it('answer many at once, each its own', async () => {
    const { ask } = anAdmission({ legs: 2000 });
    const numbers = Array.from({ length: 1200 }, (_, index) => `5511${987_000_000 + index}`);
    const blocked = numbers.filter((_, index) => index % 3 === 0);
    await database.pool.query(
      `INSERT INTO blocklist SELECT ${ACCOUNT}, number, '', 0 FROM unnest($1::text[]) AS number`,
      [blocked],
    );
    const answers = await Promise.all(numbers.map((destination, id) => ask(id, { destination })));
    const refused = numbers.filter((_, index) => answers[index]?.type === 'refused');
    expect(refused).toEqual(blocked);
  });
});

describe('numlim and audiolim', () => {
  const limited = { customerCampaign: 'spring', numberLimit: 2 };

  it('refuse the call after the last one allowed', async () => {
    const { ask } = anAdmission();
    await aCall(1, { dialed_at: WEDNESDAY_NOON - DAY, finished: true });
    expect(await ask(9, limited)).toMatchObject({ type: 'cleared' });
    await aCall(2, { dialed_at: WEDNESDAY_NOON - 29 * DAY, finished: true });
    expect(await ask(9, limited)).toMatchObject({
      type: 'refused',
      reason: 'numlim',
      detail: `${NUMBER} has had its 2 calls of campaign spring in 30 days`,
    });
  });

  it('count only dialled calls of the last 30 days, to the number, of the campaign, of the account', async () => {
    const { ask } = anAdmission();
    const dialed_at = WEDNESDAY_NOON - DAY;
    await aCall(1, { dialed_at: WEDNESDAY_NOON - 31 * DAY, finished: true });
    await aCall(2, { finished: true });
    await aCall(3, { dialed_at, destination: '5511987654322' });
    await aCall(4, { dialed_at, customer_campaign: 'autumn' });
    await aCall(5, { dialed_at, account_id: 8 });
    await aCall(9, { dialed_at });
    expect(await ask(9, { ...limited, numberLimit: 1 })).toMatchObject({ type: 'cleared' });
  });

  it('count older calls still in flight, so that calls at the same time do not all pass', async () => {
    const { ask } = anAdmission();
    for (const id of [1, 2, 3, 4]) await aCall(id);
    const answers = await Promise.all([1, 2, 3, 4].map((id) => ask(id, limited)));
    expect(answers.map((answer) => answer?.type)).toEqual(['cleared', 'cleared', 'refused', 'refused']);
  });

  it('need a campaign to count over', async () => {
    const { ask } = anAdmission();
    await aCall(1, { dialed_at: WEDNESDAY_NOON, customer_campaign: '' });
    expect(await ask(9, { numberLimit: 1 })).toMatchObject({ type: 'cleared' });
  });

  it('audiolim counts only calls with the same audio', async () => {
    const { ask } = anAdmission();
    await aCall(1, { dialed_at: WEDNESDAY_NOON, audio_key: 'other' });
    const byAudio = { customerCampaign: 'spring', audioLimit: 1 };
    expect(await ask(9, byAudio)).toMatchObject({ type: 'cleared' });
    await aCall(2, { dialed_at: WEDNESDAY_NOON, audio_key: 'audio' });
    expect(await ask(9, byAudio)).toMatchObject({ type: 'refused', reason: 'audiolim' });
  });
});

describe('the regional window', () => {
  const sunday = fromLocal('2026-11-22', '12:00', 'America/Sao_Paulo');
  const mondayMorning = fromLocal('2026-11-23', '08:00', 'America/Sao_Paulo');

  it('postpones a call that waits for it until the next opening', async () => {
    expect(await anAdmission({ at: sunday }).ask(1, { waitForWindow: true })).toMatchObject({
      type: 'postponed',
      reason: 'window',
      until: mondayMorning,
    });
  });

  it('is nothing to a call that does not wait for it', async () => {
    expect(await anAdmission({ at: sunday }).ask(1)).toMatchObject({ type: 'cleared' });
  });

  it("is the account's own when it has one", async () => {
    const repository = {
      account: async () => ({
        active: true,
        callingWindows: { sundays: ['10:00-14:00'] },
        concurrentCalls: null,
      }),
    };
    expect(await anAdmission({ at: sunday, repository }).ask(1, { waitForWindow: true })).toMatchObject({
      type: 'cleared',
    });
  });

  it('may close while a call stands in the queue', async () => {
    const evening = fromLocal('2026-11-18', '20:59', 'America/Sao_Paulo');
    const { admission, clock, ask, reported } = anAdmission({ legs: 1, at: evening });
    await ask(1);
    expect(await ask(2, { waitForWindow: true })).toBeUndefined();
    clock.turn(60_000);
    admission.release({ shard: 'a', account: ACCOUNT, id: 1 });
    await expect
      .poll(() => reported)
      .toMatchObject([{ id: 2, fact: { type: 'postponed', reason: 'window' } }]);
    expect(admission.load()).toEqual({ waiting: 0, held: 0 });
  });
});

describe('a call that is put off', () => {
  const minute = 60_000;

  // It compares the moment with the shard's time, and would ask again at once, and again, for one that has passed.
  it('is told when to come again in the time of the shard, whatever the clock of the host says', async () => {
    const eight = fromLocal('2026-11-18', '08:00', 'America/Sao_Paulo');
    const early = anAdmission({ at: eight - 2 * minute, aheadMs: minute });
    expect(await early.ask(1, { waitForWindow: true })).toMatchObject({ type: 'postponed', until: eight });
    const passed = anAdmission({ at: eight - minute / 2, aheadMs: minute });
    expect(await passed.ask(1, { waitForWindow: true })).toMatchObject({ type: 'cleared' });
  });

  it('is told so in whole milliseconds when the carrier is full', async () => {
    const { ask } = anAdmission({ legs: 0, waiting: 0, at: 17.25, aheadMs: WEDNESDAY_NOON });
    const { until } = (await ask(1)) as unknown as { until: number };
    expect(Number.isInteger(until)).toBe(true);
    expect(until).toBeGreaterThan(WEDNESDAY_NOON);
  });
});

describe('capacity', () => {
  const carrier = (originate: Telephony['performers']['originate']) =>
    ({ originate, adopt: async () => {}, lookUp: async () => {} }) as unknown as Telephony['performers'];
  const originate = (id: number, leg: number, onBehalfOf?: number) =>
    effectOf(id, 'originate', {
      leg,
      to: { kind: 'number' as const, number: NUMBER },
      callerId: '',
      ringSeconds: 30,
      limitSeconds: 60,
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    });

  it('is handed on when the leg hangs up, and the waiting call hears of it', async () => {
    const { admission, ask, reported } = anAdmission({ legs: 1 });
    const heard: Fact[] = [];
    const report = trackReleases(admission, (_, fact) => heard.push(fact));
    const { originate: dial } = usingSlots(
      admission,
      carrier(async () => {}),
    );
    await ask(1);
    expect(await ask(2)).toBeUndefined();
    await dial(originate(1, 1));
    await dial(originate(1, 2, 1));
    report({ shard: 'a', account: ACCOUNT, id: 1 }, { type: 'hungUp', leg: 2 });
    expect(reported).toEqual([]);
    report({ shard: 'a', account: ACCOUNT, id: 1 }, { type: 'hungUp', leg: 1 });
    await expect
      .poll(() => reported)
      .toMatchObject([{ id: 2, fact: { type: 'cleared', route: 'test route' } }]);
    expect(heard.map((fact) => fact.type)).toEqual(['hungUp', 'hungUp']);
  });

  it.each([
    ['is refused', async () => Promise.reject(new Terminal('unreachable', 'no route'))],
    ['ends as it begins', async () => ({ events: [{ type: 'hungUp', leg: 1 }] })],
  ])('is handed on when the originate %s', async (_, perform) => {
    const { admission, ask, reported } = anAdmission({ legs: 1 });
    const { originate: dial } = usingSlots(admission, carrier(perform));
    await ask(1);
    await ask(2);
    await dial(originate(1, 1)).catch(() => {});
    await expect.poll(() => reported).toMatchObject([{ id: 2, fact: { type: 'cleared' } }]);
  });

  it('forgets a question that is withdrawn, and gives what it had granted to the next', async () => {
    const { admission, reported, ask } = anAdmission({ legs: 1 });
    const withdraw = (id: number) =>
      admission.performers.withdrawClearance(effectOf(id, 'withdrawClearance', {}));
    expect(await ask(1)).toMatchObject({ type: 'cleared' });
    await ask(2);
    await ask(3);
    await withdraw(2);
    await withdraw(1);
    await expect.poll(() => reported).toMatchObject([{ id: 3, fact: { type: 'cleared' } }]);
    expect(admission.load()).toEqual({ waiting: 0, held: 1 });
  });
});

describe('a call whose turn comes after a wait', () => {
  const release = ({ admission }: ReturnType<typeof anAdmission>, id: number) =>
    admission.release({ shard: 'a', account: ACCOUNT, id });

  it('is refused when its number was blocked meanwhile, and its slot goes to the next', async () => {
    const on = anAdmission({ legs: 1 });
    await on.ask(1, { destination: '5511987654322' });
    expect(await on.ask(2)).toBeUndefined();
    expect(await on.ask(3, { destination: '5511987654323' })).toBeUndefined();
    await blockNumber(database.pool, { account: ACCOUNT, number: NUMBER, reason: 'asked to be', at: 0 });
    release(on, 1);
    await expect
      .poll(() => on.reported)
      .toMatchObject([
        { id: 2, fact: { type: 'refused', reason: 'blocklist' } },
        { id: 3, fact: { type: 'cleared' } },
      ]);
    expect(on.admission.load()).toEqual({ waiting: 0, held: 1 });
  });

  it('is refused when its account was switched off meanwhile', async () => {
    let active = true;
    const repository = { account: async () => ({ active, callingWindows: null, concurrentCalls: null }) };
    const on = anAdmission({ legs: 1, repository });
    await on.ask(1);
    expect(await on.ask(2)).toBeUndefined();
    expect(await on.ask(3, { campaign: 31 })).toBeUndefined();
    active = false;
    on.clock.turn(4_000);
    release(on, 1);
    await expect
      .poll(() => on.reported)
      .toMatchObject([
        { id: 2, fact: { type: 'refused', reason: 'account' } },
        { id: 3, fact: { type: 'postponed', reason: 'account' } },
      ]);
    expect(on.admission.load()).toEqual({ waiting: 0, held: 0 });
  });

  it('is refused when its limit was reached meanwhile', async () => {
    const on = anAdmission({ legs: 1 });
    await on.ask(1);
    expect(await on.ask(9, { customerCampaign: 'spring', numberLimit: 1 })).toBeUndefined();
    await aCall(2, { dialed_at: WEDNESDAY_NOON, finished: true });
    release(on, 1);
    await expect
      .poll(() => on.reported)
      .toMatchObject([{ id: 9, fact: { type: 'refused', reason: 'numlim' } }]);
  });

  it('asks again in a while when its data cannot be read at that moment: nothing is dialled', async () => {
    let away = false;
    const repository: Partial<AdmissionRepository> = {
      blocked: async () => {
        if (away) throw new Error('connection refused');
        return undefined;
      },
    };
    const on = anAdmission({ legs: 1, repository });
    await on.ask(1);
    expect(await on.ask(2, { question: 4 })).toBeUndefined();
    away = true;
    release(on, 1);
    const fact = { type: 'postponed', reason: 'capacity', question: 4, until: WEDNESDAY_NOON + 5_000 };
    await expect.poll(() => on.reported).toMatchObject([{ id: 2, fact }]);
    expect(on.admission.load()).toEqual({ waiting: 0, held: 0 });
  });

  it('hears nothing when it withdraws while it is judged again', async () => {
    let goOn = (): void => {};
    const judged = new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)));
    let isHeldUp = false;
    const blocked = async () => (isHeldUp ? judged : undefined);
    const on = anAdmission({ legs: 1, repository: { blocked } });
    await on.ask(1);
    await on.ask(2);
    isHeldUp = true;
    release(on, 1);
    await on.admission.performers.withdrawClearance(effectOf(2, 'withdrawClearance', {}));
    goOn();
    isHeldUp = false;
    await on.ask(3);
    expect(on.reported).toEqual([]);
    expect(on.admission.load()).toEqual({ waiting: 0, held: 1 });
  });

  it('is told to come back when its seat goes to an account that has fewer', async () => {
    const on = anAdmission({ legs: 1, waiting: 1 });
    await on.ask(1, { destination: '5511987654322' });
    expect(await on.ask(2)).toBeUndefined();
    expect(await on.ask(3)).toMatchObject({ type: 'postponed', reason: 'capacity' });
    expect(await on.ask(4, { priority: -20 })).toBeUndefined();
    expect(on.reported).toMatchObject([{ id: 2, fact: { type: 'postponed', reason: 'capacity' } }]);
  });
});
