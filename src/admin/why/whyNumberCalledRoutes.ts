/** Why a number was called, or was not. */
import * as z from 'zod';
import { defineRoute } from '../routeDeclaration.ts';
import { negotiateLanguage } from '../explained/language.ts';
import {
  accountIdField,
  at,
  idCursorField,
  neverRefusedQueryField,
  nextPageFieldsSchema,
  optionalQueryField,
} from '../fieldSchemas.ts';
import { readNumberInquiry } from './numberFromPhoneOrCallId.ts';
import { readNumberStory } from './readNumberStory.ts';
import { ruleNames } from './numberStoryTexts.ts';

const rules = z.array(
  z.object({
    rule: z.enum(Object.keys(ruleNames)).describe('A word for the rule.'),
    title: z.string().describe('Its name in the language of the answer.'),
    answer: z.enum(['yes', 'no', 'notAsked']).describe('yes: it let the call go.'),
    says: z.string(),
  }),
);

const statement = z.object({
  at,
  origin: z.string().describe('Where the number came from: list, row, who uploaded it.'),
  rules: rules.describe('As they were written down then; empty: they were not.'),
  text: z.string().describe('All of it, to be copied.'),
});

const happened = z.object({
  what: z
    .enum(['called', 'notCalled', 'postponed', 'waiting', 'leftOut'])
    .describe('postponed: not then; waiting: it is still to come; leftOut: of a campaign, before it began.'),
  at,
  account: z.int(),
  call: z.string().nullable().describe('Its machine; null: there is no call.'),
  campaign: z.object({ id: z.int(), name: z.string() }).nullable(),
  rule: z.string().describe('A word for the rule, or for how the call ended.'),
  ruleName: z.string(),
  sentence: z.string(),
  until: at.nullable().describe('When it is asked again.'),
  times: z.int().describe('The same was said so many times in a row.'),
  statement: statement.nullable().describe('What the rules answered; null: none was asked.'),
});

const present = z.object({
  account: z.int(),
  name: z.string(),
  may: z.enum(['now', 'later', 'never', 'inCall']),
  rule: z.string().describe('The one that says no; empty: none does.'),
  until: at.nullable(),
  sentence: z.string(),
  rules: rules.describe('As they answer now.'),
  blocked: z.enum(['account', 'global']).nullable().describe('The block list that has it.'),
});

const says = {
  en: 'It is not called before 2026-11-26 08:00:00: it is outside the calling hours of DDD 11 (SP).',
  refused: 'Not called: 5511987650000 is on the account’s block list: asked us.',
};

export const whyCalledRoutes = {
  'GET /why/:number': defineRoute({
    role: 'operator',
    summary:
      'Says why a number was called, or was not, and when it may be called: of all accounts, the newest first.',
    description:
      'Calls are found by the number that was dialled last. What the rules answered is told as it was written down before' +
      ' each dial, as long as histories are kept; `now` asks them anew, and grants nothing.',
    path: z.object({
      number: z.string().max(120).describe('A number as people write it, a `cd_id`, or a `ctid`.'),
    }),
    query: z.object({
      account: optionalQueryField(accountIdField).describe('Only of this account.'),
      lang: neverRefusedQueryField.describe('`en` or `pt`; default: as the request accepts, else `en`.'),
      cursor: idCursorField(),
    }),
    answer: z.object({
      number: z.string().describe('As it is dialled.'),
      call: z.string().nullable().describe('The call by which it was asked.'),
      region: z.string().nullable().describe('The state where it rings; null: it has no region.'),
      answer: z.array(z.string()).describe('The answer, a sentence or two; empty on later pages.'),
      now: z.array(present).describe('By account; empty on later pages.'),
      happened: z.array(happened),
      unsearched: z.boolean().describe('Lists are so long that they were not searched for it.'),
      accounts: z.record(z.string(), z.string()).describe('Names of accounts by their ids.'),
      zones: z
        .record(z.string(), z.string())
        .describe('Their time zones: all moments in sentences are of those.'),
      ...nextPageFieldsSchema.shape,
    }),
    example: {
      answer: {
        ...{ number: '5511987650000', call: null, region: 'SP' },
        answer: ['Never called.', says.en],
        now: [
          {
            ...{ account: 3, name: 'Demo', may: 'later', rule: 'window', until: 1_795_690_800_000 },
            ...{ sentence: says.en, blocked: null },
            rules: [
              {
                ...{ rule: 'window', title: 'Calling window', answer: 'no' },
                says: 'SP, 08:00-21:00: closed at that hour',
              },
            ],
          },
        ],
        happened: [
          {
            ...{ what: 'notCalled', at: 1_795_325_744_421, account: 3, call: 'a_746512037707776' },
            ...{ campaign: null, rule: 'blocklist', ruleName: 'the number is on a block list' },
            ...{ sentence: says.refused, until: null, times: 1, statement: null },
          },
        ],
        ...{ unsearched: false, accounts: { 3: 'Demo' }, zones: { 3: 'America/Sao_Paulo' } },
        cursor: null,
      },
    },
    handle: async ({ deps, ctx, path: { number }, query }) => {
      const asked = await readNumberInquiry(deps, number, query.account);
      const language = negotiateLanguage(query.lang, ctx.get('accept-language'));
      return readNumberStory(deps, {
        ...asked,
        language,
        below: query.cursor,
        isOfOne: query.account !== undefined,
      });
    },
  }),
};
