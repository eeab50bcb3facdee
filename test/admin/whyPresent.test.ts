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
  ...{ regional_window: 0, skip_blocklist: false },
} as AccountRow;
const policy = { skipBlocklist: false, audioKey: 'k', waitForWindow: false };
const forced = { policy, callerId: '552130001000', callerIdAsked: true, fixedRoutes: ['two', 'one'] };

/** The question that a door is asked whose machines have these contexts. */
const asked = async (contexts: Record<number, object>, of: object): Promise<object> => {
  let question: object = {};
  const deps = {
    engine: {
      view: async ({ id }: { id: number }) =>
        contexts[id] && { context: contexts[id], state: 'waiting', endedAt: null, pending: false },
    },
    wouldClear: async (_caller: object, given: object) => {
      question = given;
      return { objection: undefined, answers: {} };
    },
  };
  const standing = {
    deps,
    teller: createAccountLocalizer(account, 'en'),
    number: '5511987654321',
    isOneOfMany: false,
  };
  await checkNumberDialableNow({
    ...standing,
    newest: undefined,
    campaign: undefined,
    ...of,
  } as unknown as NumberDialableNowQuery);
  return question;
};

const forcedAsked = { callerId: '552130001000', callerIdAsked: true, forcedRoutes: ['two', 'one'] };

it('is asked with the trunks and the caller id of the newest call', async () => {
  const newest = { id: 9, campaign_id: 0, customer_campaign: '' };
  expect(await asked({ 9: { call: forced } }, { newest })).toMatchObject(forcedAsked);
});

it('is asked with those of the campaign that has the number, also where another call was the last', async () => {
  const campaigns = { 31: { definition: { call: forced } }, 9: { call: { policy } } };
  expect(await asked(campaigns, { campaign: 31 })).toMatchObject({ ...forcedAsked, campaign: 31 });
  const newest = { id: 9, campaign_id: 0, customer_campaign: '' };
  expect(await asked(campaigns, { campaign: 31, newest })).toMatchObject(forcedAsked);
});

it('is asked with what the account shows where nothing more is known', async () => {
  const question = await asked({}, {});
  expect(question).toMatchObject({ callerId: '551140000000' });
  expect(question).not.toHaveProperty('forcedRoutes');
});
