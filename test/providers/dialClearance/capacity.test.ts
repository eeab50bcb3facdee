/** Calls that wait for capacity: who is next, and what is asked again when a turn comes. */
import { describe, expect, it } from 'vitest';
import {
  type Fact,
  NotRetryable,
  OutcomeUnknown,
  Retryable,
} from '../../../src/engine/contract/performer.ts';
import type { DialClearanceRepository } from '../../../src/providers/contracts/dialClearance.ts';
import {
  releaseSlotsOnHangup,
  wrapPerformersWithTrunkSlots,
} from '../../../src/providers/dialClearance/takeAndReleaseTrunkSlots.ts';
import type { Telephony } from '../../../src/providers/contracts/telephony.ts';
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

useDatabase();

describe('capacity', () => {
  const carrier = (originate: Telephony['performers']['originate']) =>
    ({ originate, adopt: async () => {}, lookUp: async () => {} }) as unknown as Telephony['performers'];
  const originate = (id: number, leg: number, onBehalfOf?: number, trunk?: string) =>
    effectOf(id, 'originate', {
      leg,
      to: { kind: 'number' as const, number: NUMBER },
      callerId: '',
      ringSeconds: 30,
      limitSeconds: 60,
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
      ...(trunk === undefined ? {} : { trunk }),
    });

  it('is handed on when the leg hangs up, and the waiting call hears of it', async () => {
    const { admission, ask, reported } = anAdmission({ legs: 1 });
    const heard: Fact[] = [];
    const report = releaseSlotsOnHangup(admission, (_, fact) => heard.push(fact));
    const { originate: dial } = wrapPerformersWithTrunkSlots(
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

  it('counts numbers that callees are passed on to, and has no place for one too many', async () => {
    const { admission, ask, reported } = anAdmission({ legs: 3 });
    const told = releaseSlotsOnHangup(admission, () => {});
    const { originate: dial } = wrapPerformersWithTrunkSlots(
      admission,
      carrier(async () => {}),
    );
    await ask(1);
    await ask(2);
    await dial(originate(1, 1));
    await dial(originate(1, 2, 1, 'test route'));
    expect(admission.usageOf('test route').legs).toBe(3);
    await expect(dial(originate(2, 2, 1, 'test route'))).rejects.toMatchObject({ reason: 'unreachable' });
    expect(await ask(3)).toBeUndefined();
    told({ shard: 'a', account: ACCOUNT, id: 1 }, { type: 'hungUp', leg: 2 });
    await expect.poll(() => reported).toMatchObject([{ id: 3, fact: { type: 'cleared' } }]);
    // An agent is reached without the trunk.
    const agent = originate(1, 3, 1, 'test route');
    await dial({ ...agent, params: { ...agent.params, to: { kind: 'sip', uri: 'sip:ana@x' } } });
    expect(admission.usageOf('test route').legs).toBe(3);
  });

  it('counts second legs that were taken over with their call', async () => {
    const { admission } = anAdmission({ legs: 3 });
    const facts = [1, 2, 3].map((leg) => ({ type: 'legFound', leg, state: 'up' }));
    const performers = { ...carrier(async () => {}), adopt: async () => ({ events: facts }) };
    const { adopt } = wrapPerformersWithTrunkSlots(admission, performers);
    // The third one is an agent's.
    await adopt(effectOf(1, 'adopt', { legs: [1, 2, 3], trunk: 'test route', seconds: [2] }));
    expect(admission.usageOf('test route').legs).toBe(2);
    releaseSlotsOnHangup(admission, () => {})(
      { shard: 'a', account: ACCOUNT, id: 1 },
      { type: 'hungUp', leg: 2 },
    );
    expect(admission.usageOf('test route').legs).toBe(1);
  });

  it('dials no member of a line whose number is closed', async () => {
    const { admission, ask } = anAdmission({ legs: 3 });
    const asked: string[] = [];
    const { originate: dial } = wrapPerformersWithTrunkSlots(
      admission,
      carrier(async () => {}),
      {
        secondLegObjection: async (_, number, trunk) => {
          asked.push(`${number} ${trunk}`);
          return { reason: 'targetClosed', detail: 'closed' };
        },
      },
    );
    await ask(1);
    await dial(originate(1, 1));
    await expect(dial(originate(1, 2, 1, 'test route'))).rejects.toMatchObject({ reason: 'unreachable' });
    expect([asked, admission.usageOf('test route').legs]).toEqual([[`${NUMBER} test route`], 1]);
  });

  it.each([
    ['is refused', async () => Promise.reject(new NotRetryable('unreachable', 'no route'))],
    ['ends as it begins', async () => ({ events: [{ type: 'hungUp', leg: 1 }] })],
  ])('is handed on when the originate %s', async (_, perform) => {
    const { admission, ask, reported } = anAdmission({ legs: 1 });
    const { originate: dial } = wrapPerformersWithTrunkSlots(admission, carrier(perform));
    await ask(1);
    await ask(2);
    await dial(originate(1, 1)).catch(() => {});
    await expect.poll(() => reported).toMatchObject([{ id: 2, fact: { type: 'cleared' } }]);
  });

  it.each([
    ['has an unknown outcome', new OutcomeUnknown('the answer did not come')],
    ['is to be tried again', new Retryable('not now')],
    ['finds that the leg lives already', new NotRetryable('duplicate', 'it lives')],
  ])('is kept while the originate %s, and handed on when the leg is found to be gone', async (_, error) => {
    const { admission, ask, reported } = anAdmission({ legs: 1 });
    const gone = async () => ({ events: [{ type: 'hungUp', leg: 1, lost: true }] });
    const { originate: dial, lookUp } = wrapPerformersWithTrunkSlots(admission, {
      ...carrier(async () => Promise.reject(error)),
      lookUp: gone,
    });
    await ask(1);
    await ask(2);
    await expect(dial(originate(1, 1))).rejects.toBe(error);
    expect(admission.load()).toEqual({ waiting: 1, held: 1 });
    await lookUp(effectOf(1, 'lookUp', { leg: 1 }));
    await expect.poll(() => reported).toMatchObject([{ id: 2, fact: { type: 'cleared' } }]);
  });

  it('takes no place for a question that was withdrawn before it was asked, and one for the next question', async () => {
    const { admission, ask } = anAdmission({ legs: 1 });
    const asked = ask(1, { question: 3 });
    await admission.performers.withdrawClearance(effectOf(1, 'withdrawClearance', { question: 3 }));
    expect([await asked, admission.load()]).toEqual([undefined, { waiting: 0, held: 0 }]);
    expect(await ask(1, { question: 3 })).toBeUndefined();
    expect(await ask(1, { question: 4 })).toMatchObject({ type: 'cleared', question: 4 });
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
    const repository: Partial<DialClearanceRepository> = {
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
