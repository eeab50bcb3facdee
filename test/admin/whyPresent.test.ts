/** What is asked of call admission before it is said whether a number may be called: the question that the call itself would ask. */
import { expect, it } from 'vitest';
import {
  type NumberDialableNowQuery,
  checkNumberDialableNow,
} from '../../src/admin/why/checkCallPermissionNow.ts';
import { createAccountLocalizer } from '../../src/admin/why/told.ts';
import type { AccountRow } from '../../src/store/controlDatabase.ts';

const account = {
  ...{ id: 3, shard: 'a', name: 'Demo', time_zone: 'America/Sao_Paulo', caller_id: '551140000000' },
  ...{ regional_window: 0, skip_blocklist: false, campaign_windows: false, calling_windows: null },
} as AccountRow;
const policy = { skipBlocklist: false, audioKey: 'k', waitForWindow: false };
const forced = { policy, callerId: '552130001000', callerIdAsked: true, fixedRoutes: ['two', 'one'] };

/** 01:36 on a Monday in São Paulo. */
const night = Date.parse('2026-11-30T04:36:00Z');
const hoursOf = (timeStart: string, timeEnd: string, dateEnd = '2026-12-31') => ({
  hours: { dateStart: '2026-11-01', dateEnd, timeStart, timeEnd },
});
const allDay = hoursOf('00:00:00', '23:59:59');

/** What is told, and the question that a door is asked whose machines have these contexts. */
const told = async (contexts: Record<number, object>, of: object, settings: object = {}) => {
  let question: object = {};
  const deps = {
    engine: {
      view: async ({ id }: { id: number }) =>
        contexts[id] && {
          context: contexts[id],
          state: 'waiting',
          endedAt: null,
          pending: false,
          ...contexts[id],
        },
      now: () => night,
    },
    wouldClear: async (_caller: object, given: object) => {
      question = given;
      return { objection: undefined, answers: {} };
    },
  };
  const standing = {
    deps,
    teller: createAccountLocalizer({ ...account, ...settings }, 'en'),
    number: '5511987654321',
    isOneOfMany: false,
  };
  const verdict = await checkNumberDialableNow({
    ...standing,
    newest: undefined,
    campaign: undefined,
    ...of,
  } as unknown as NumberDialableNowQuery);
  const rules = Object.fromEntries(
    verdict.rules.map(({ rule, answer, says }) => [rule, `${answer}: ${says}`]),
  );
  return { question, ...verdict, rules };
};
const asked = async (contexts: Record<number, object>, of: object): Promise<object> =>
  (await told(contexts, of)).question;

const forcedAsked = { callerId: '552130001000', callerIdAsked: true, forcedRoutes: ['two', 'one'] };

it('is asked with the trunks and the caller id of the newest call', async () => {
  const newest = { id: 9, campaign_id: 0, customer_campaign: '' };
  expect(await asked({ 9: { call: forced } }, { newest })).toMatchObject(forcedAsked);
});

it('is asked with those of the campaign that has the number, also where another call was the last', async () => {
  const campaigns = { 31: { definition: { call: forced }, plan: allDay }, 9: { call: { policy } } };
  expect(await asked(campaigns, { campaign: 31 })).toMatchObject({ ...forcedAsked, campaign: 31 });
  const newest = { id: 9, campaign_id: 0, customer_campaign: '' };
  expect(await asked(campaigns, { campaign: 31, newest })).toMatchObject(forcedAsked);
});

it('is asked with what the account shows where nothing more is known', async () => {
  const question = await asked({}, {});
  expect(question).toMatchObject({ callerId: '551140000000' });
  expect(question).not.toHaveProperty('forcedRoutes');
});

const ofCampaign = (plan: object) => ({ 31: { definition: { call: { policy } }, plan } });
const campaign = { campaign: 31 };

it('does not ask for a window that the campaign does not keep, and says its hours', async () => {
  const now = await told(ofCampaign(allDay), campaign);
  expect(now.question).toMatchObject({ waitForWindow: false });
  expect([now.may, now.sentence]).toEqual(['now', 'It may be called now.']);
  expect(now.rules).toMatchObject({
    window: 'yes: hours of the campaign, 00:00-23:59: open',
    holiday: 'notAsked: the campaign calls on holidays too',
  });
});

it('keeps the hours of the campaign, and the account’s within them where the account wants that', async () => {
  const own = await told(ofCampaign(hoursOf('09:00:00', '18:00:00')), campaign);
  expect(own.sentence).toBe(
    'It is not called before 2026-11-30 09:00:00: it is outside the calling hours of SP.',
  );
  expect(own.rules['window']).toBe('no: hours of the campaign, 09:00-18:00: closed now');
  const both = await told(ofCampaign(allDay), campaign, { campaign_windows: true });
  expect(both).toMatchObject({ may: 'later', until: Date.parse('2026-11-30T11:00:00Z') });
  expect(both.rules['window']).toBe(
    'no: hours of the campaign, 00:00-23:59, within the account’s: closed now',
  );
});

it('names no moment where the hours of the campaign do not open again', async () => {
  const over = await told(ofCampaign(hoursOf('00:00:00', '00:30:00', '2026-11-30')), campaign);
  expect(over).toMatchObject({ may: 'never', until: null });
  expect(over.sentence).toBe(
    'It is not called: it is outside the calling hours of SP, and no others follow.',
  );
});

it('asks for the window of a single call as the call or the account waits for one', async () => {
  const newest = { id: 9, campaign_id: 0, customer_campaign: '' };
  const waits = async (regional_window: number, call?: object, endedAt: number | null = null) => {
    const contexts: Record<number, object> = call ? { 9: { call, endedAt } } : {};
    const { question } = await told(contexts, call ? { newest } : {}, { regional_window });
    return (question as { waitForWindow: boolean }).waitForWindow;
  };
  const waiting = { policy: { ...policy, waitForWindow: true } };
  expect(await Promise.all([waits(0), waits(1), waits(2)])).toEqual([false, true, true]);
  expect(await Promise.all([waits(0, waiting), waits(2, { policy })])).toEqual([true, false]);
  // 1 refuses at the door: a call that goes on is dialled, the next one is not taken.
  expect(await Promise.all([waits(1, { policy }), waits(1, { policy }, night)])).toEqual([false, true]);
});

it('says as its account does after a call of a campaign that is over', async () => {
  const newest = { id: 9, campaign_id: 31, customer_campaign: '' };
  const { question } = await told({ 9: { call: { policy } } }, { newest }, { regional_window: 2 });
  expect(question).toMatchObject({ waitForWindow: true });
});
