/** Why a call is where it is, or how it ended, in sentences that an assistant can act on. */
import * as z from 'zod';
import { text } from '../operations/fields.ts';
import { readCallId, writeCallId } from '../wire/callId.ts';
import type { CallInsight, Insight } from './insight.ts';
import { moment } from '../lib/moment.ts';
import { found, customTool } from './customTool.ts';
import { failure, type Tool } from './tool.ts';
import { params } from '../operations/param.ts';

const answer = z.object({
  cd_id: z.string(),
  cd_status: z.string().describe('Empty until it has ended.'),
  dest: z.string(),
  ended: z.boolean(),
  attempts: z.int().describe('Times it was dialled.'),
  explanation: z.array(z.string()).describe('What happened, in order.'),
  next: z.string().describe('What to do, or what to wait for.'),
  time_zone: z.string().describe('Of all moments here.'),
});

const explainParams = params({
  callId: {
    rest: 'cd_id',
    tool: 'cd_id',
    schema: text(40).optional(),
    says: 'The call, <cdcs_db>_<numeric>, as make_tts_call and get_call_status give it.',
  },
});

export const explainCall = ({ call }: Pick<Insight, 'call'>): Tool =>
  customTool({
    name: 'explain_call',
    title: 'Explain a call',
    says:
      'Why one call is where it is or ended so: what the carrier said, which rule stopped it or put it off,' +
      ' when it dials next; next says what to do. Changes nothing. 404: no such call.',
    permission: 'telephony',
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    params: explainParams,
    requires: ['callId'],
    answer,
    example: { cd_id: 'a_741205934080' },
    async handle({ callId: written = '' }, { caller: { account } }) {
      const named = readCallId(written, account.shard);
      const insight = named?.shard === account.shard ? await call(account, named.id) : undefined;
      if (!named || !insight)
        return failure(404, `cd_id ${written} is not a call of this account: get_call_status lists those`);
      return found({
        cd_id: writeCallId(account.shard, named.id),
        cd_status: insight.status,
        dest: insight.destination,
        ended: insight.ended,
        attempts: insight.attempts,
        explanation: storyOf(insight, account.time_zone),
        next: adviceFor(insight, account.time_zone),
        time_zone: account.time_zone,
      });
    },
  });

const storyOf = (insight: CallInsight, zone: string): string[] => [
  `It was asked for at ${moment(insight.requestedAt, zone)}.`,
  ...insight.reasons.map(({ detail, at, until }) => {
    const upTo = until === undefined ? '' : `, until ${moment(until, zone)}`;
    return `${moment(at, zone)}: ${detail}${upTo}.`;
  }),
  insight.ended ? (insight.outcome ?? `It ended ${insight.status}.`) : stateWords(insight),
];

/** The outer states of the call's chart. */
const states: Readonly<Record<string, string>> = {
  born: 'It is about to begin.',
  preparing: 'Its audio is being made.',
  due: 'It is about to be dialled.',
  scheduled: 'It waits for its time.',
  awaitingTurn: 'It waits for its turn in the campaign.',
  deferred: 'It waits until it may be dialled.',
  clearing: 'It is asked whether it may be dialled now.',
  postponed: 'It was put off.',
  dialing: 'It is being dialled.',
  checking: 'It is being found out whether it was dialled.',
  answered: 'It was answered and goes on.',
  closing: 'It is being hung up.',
  filing: 'It has ended and is being filed.',
  settling: 'It has ended and is being settled.',
  retrying: 'It waits for its next attempt.',
  texting: 'It has ended, and its SMS is being sent.',
};

const stateWords = ({ state }: CallInsight): string => states[state] ?? `It is in ${state}.`;

const adviceFor = (insight: CallInsight, zone: string): string => {
  if (insight.stuck)
    return 'Something went wrong inside: tell the operator of the service its cd_id. Do not repeat it.';
  if (!insight.ended) return whileItLasts(insight, zone);
  const refused = insight.reasons.findLast(({ rule }) => rule in rulesAdvice);
  if (insight.status === 'CANCEL' && refused) return rulesAdvice[refused.rule]!;
  return statusAdvice[insight.status] ?? 'Nothing is left to do.';
};

const whileItLasts = ({ reasons }: CallInsight, zone: string): string => {
  const until = reasons.findLast(({ open }) => open)?.until;
  const when = until === undefined ? '' : ` at ${moment(until, zone)}`;
  return `Nothing: it goes on by itself${when}. Do not place it again; ask get_call_status later.`;
};

const rulesAdvice: Readonly<Record<string, string>> = {
  blocklist: 'This person is on a block list and must not be called.',
  numlim: 'This number was called as often as numlim allows within 30 days: leave it.',
  audiolim: 'This number heard this audio as often as audiolim allows within 30 days: leave it.',
  audio:
    'Its audio could not be made, is gone, or says nothing: look at the text, the voice and the audio ids, then place a new call.',
  rested: 'This person, or their network, wants no more calls of this campaign: leave it.',
  cancelled: 'Somebody called it off: ask before you place it again.',
};

const statusAdvice: Readonly<Record<string, string>> = {
  OK: 'Nothing is left to do: it was answered.',
  BUSY: 'Try again in some minutes, or with repeat, which does so by itself.',
  NOANSWER: 'Try again at another time of day, or with repeat, which does so by itself.',
  CANCEL: 'It was stopped before it could be answered; the explanation says by what.',
  CONGESTION: 'The carrier had no room: try again in some minutes.',
  CHANUNAVAIL: 'Look at the number before you try again: it may not exist.',
};
