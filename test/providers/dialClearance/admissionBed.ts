/** Call admission for tests, on a real database: its trunk, its clock, and what it reports. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DialClearanceEffects } from '../../../machines/contracts/clearance.ts';
import type {
  DialClearanceRepository,
  CampaignCallsToNumberQuery,
} from '../../../src/providers/contracts/dialClearance.ts';
import { openCallAdmission } from '../../../src/providers/dialClearance/callAdmission.ts';
import { openTrunkChooser } from '../../../src/providers/dialClearance/trunkChoice.ts';
import type { EffectCall, Fact } from '../../../src/engine/contract/performer.ts';
import { fromLocal } from '../../../src/lib/localTime.ts';
import { storeIdempotentAnswer } from '../../../src/store/idempotencyKeyClaims.ts';
import {
  lookUpAccountBlocklist,
  blockNumber,
  lookUpGlobalBlocklist,
} from '../../../src/store/reads/lists/blocklist.ts';
import { readClaimedKeyAnswer } from '../../../src/store/reads/claims.ts';
import { countEarlierCalls } from '../../../src/store/reads/voice/callLimits.ts';
import { isCampaignPaused } from '../../../src/store/reads/campaigns/campaigns.ts';
import { freshDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { tableOf, trunkOf } from '../../rules/trunks/trunkTable.ts';
import { handClock } from '../../helpers/handClock.ts';

export const WEDNESDAY_NOON = fromLocal('2026-11-18', '12:00', 'America/Sao_Paulo');
export const NUMBER = '5511987654321';
export const ACCOUNT = 7;

/** Of the file of tests that uses it. */
export let database: TestDatabase;

/** Gives the file of tests that calls this a database, which holds no calls and no blocked numbers before each of them. */
export const useDatabase = (): void => {
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => database.pool.query('TRUNCATE blocklist, global_blocklist, calls'));
};

const repositoryOf = ({ pool }: TestDatabase, now: () => number): DialClearanceRepository => ({
  account: async ({ account }) =>
    account === ACCOUNT ? { active: true, callingWindows: null, concurrentCalls: null } : undefined,
  blocked: async ({ account }, number) => {
    const [own, global] = await Promise.all([
      lookUpAccountBlocklist(pool, { account, number }),
      lookUpGlobalBlocklist(pool, number),
    ]);
    if (own !== undefined) return { list: 'account', reason: own };
    return global === undefined ? undefined : { list: 'global', reason: global };
  },
  campaignPaused: ({ account }, campaign) => isCampaignPaused(pool, account, campaign),
  callsBefore: ({ account, id }, query: CampaignCallsToNumberQuery) =>
    countEarlierCalls(pool, { account, id, ...query }),
  rested: ({ account }, { number, scope }) =>
    readClaimedKeyAnswer(pool, account, `${scope} ${number}`, now()),
  rest: ({ account, id }, { number, scope, reason }) =>
    storeIdempotentAnswer(
      pool,
      account,
      { key: `${scope} ${number}`, forMs: 1_000, answer: reason },
      { owner: String(id), at: now() },
    ),
  block: ({ account }, number, reason) => blockNumber(pool, { account, number, reason, at: now() }),
});

export const anAdmission = (
  options: {
    legs?: number;
    repository?: Partial<DialClearanceRepository>;
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
    trunks: openTrunkChooser({ now: () => table, trunk: () => table.trunks[0] }),
    report: ({ id }, fact) => reported.push({ id, fact }),
    clock,
    ...(options.aheadMs !== undefined && { now: () => clock.now() + options.aheadMs! }),
    ...(options.waiting !== undefined && { waiting: options.waiting }),
  });
  const ask = async (id: number, params: Partial<DialClearanceEffects['requestClearance']> = {}) =>
    (await admission.performers.requestClearance(asking(id, params)))?.events?.[0];
  return { admission, clock, reported, ask };
};

export const effectOf = <Params extends object>(
  id: number,
  name: string,
  params: Params,
): EffectCall<Params> => ({
  id: `a.${ACCOUNT}.${id}.1.0`,
  name,
  params,
  machine: { shard: 'a', account: ACCOUNT, id, kind: 'call' },
  attempt: 1,
  seen: {},
  signal: new AbortController().signal,
});

const asking = (id: number, params: Partial<DialClearanceEffects['requestClearance']>) =>
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

export const aCall = (id: number, columns: Record<string, unknown> = {}) => {
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
