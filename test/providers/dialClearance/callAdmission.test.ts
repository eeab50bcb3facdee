/** Which calls are cleared: accounts, block lists, limits, windows. */
import { describe, expect, it } from 'vitest';
import { Retryable } from '../../../src/engine/contract/performer.ts';
import { fromLocal } from '../../../src/lib/localTime.ts';
import { blockNumber } from '../../../src/store/reads/lists/blocklist.ts';
import {
  ACCOUNT,
  aCall,
  anAdmission,
  database,
  effectOf,
  NUMBER,
  useDatabase,
  WEDNESDAY_NOON,
} from './admissionBed.ts';

const DAY = 86_400_000;

useDatabase();

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
