/** What all calls of a campaign have in common, but for what is heard. */
import type { LegTarget } from '../../../../machines/call/input.ts';
import type { CallTemplate } from '../../../../machines/campaign/input.ts';
import { queueActive } from '../../../store/reads/voice/targets.ts';
import { fixedRoutesOf } from '../../voice/callInput/optionalParams.ts';
import { digest } from '../../idempotency.ts';
import { readFollowUp } from '../../sms/smsFollowUp.ts';
import type { CampaignAsked } from './params.ts';

const modes = { 0: 'play', 4: 'question', 6: 'validate' } as const;
/** As in a call that names none of them, seconds. */
const usual = { lineSeconds: 300, ringSeconds: 45, limitSeconds: 3_600, answerSeconds: 0 } as const;
const minuteMs = 60_000;

/** A call without its prompts. */
export type BareTemplate = Omit<CallTemplate, 'prompts'>;

/** Throws 225, 252, 299 (queue) and 300 to 305. Changes nothing. */
export const readTemplate = async (asked: CampaignAsked): Promise<BareTemplate> => {
  const { account, params: given } = asked;
  const sms = readSms(asked);
  const transfer = await readTransfer(asked);
  return {
    mode: modes[given.type],
    callerId: account.caller_id,
    keys: {},
    ...readDigits(asked),
    ...(transfer && { transfer }),
    waitInLine: transfer !== undefined,
    ...usual,
    music: 'music',
    schedule: {
      tries: given.retries + 1,
      intervalMs: given.retryMinutes * minuteMs,
      ...(!account.retry_declined && { retryDeclined: false }),
    },
    priority: 0,
    ...(sms && { sms }),
    policy: { skipBlocklist: given.skipBlocklist, audioKey: '', waitForWindow: false },
    customerCampaign: given.correlation,
    correlation: '',
    origin: 'api',
    fixedRoutes: fixedRoutesOf(asked),
  };
};

/** The whole template; the same prompts are the same audio to `audiolim`. */
export const withPrompts = (bare: BareTemplate, prompts: CallTemplate['prompts']): CallTemplate => ({
  ...bare,
  prompts,
  policy: { ...bare.policy, audioKey: digest(prompts) },
});

const readDigits = (asked: CampaignAsked): Pick<CallTemplate, 'digits' | 'secondAnswer' | 'compare'> => {
  const { params: given } = asked;
  const waitSeconds = given.digitSeconds;
  if (given.type === '0') return { digits: { count: 1, waitSeconds } };
  if (given.type === '6') return { digits: { count: 1, waitSeconds }, compare: readCompare(asked) };
  const { replayDigit: replay, secondAnswerDigits: secondAnswer } = given;
  return {
    digits: { count: given.answerDigits, waitSeconds, ...(replay !== undefined && { replay }) },
    ...(secondAnswer !== undefined && { secondAnswer }),
  };
};

const readCompare = ({ params: given, refuse }: CampaignAsked): NonNullable<CallTemplate['compare']> => {
  const { compare: column, validationDigits: digits, confirmDigit: confirm } = given;
  if (column === undefined) throw refuse('badCompare', 'compw is required with cp_type 6');
  if (digits === undefined) throw refuse('badDigits', 'ndigval is required with cp_type 6');
  return { column, digits, confirm };
};

const readSms = ({ params: given, refuse }: CampaignAsked): CallTemplate['sms'] => {
  const asked = given.smsAction !== undefined || given.smsText !== undefined;
  if (asked && given.type !== '0') throw refuse('smsElsewhere');
  return readFollowUp(given, refuse);
};

const readTransfer = async ({
  account,
  params: given,
  services,
  refuse,
}: CampaignAsked): Promise<LegTarget | undefined> => {
  if (given.queue === undefined) return undefined;
  const active = await queueActive(services.database(account.shard), account.id, given.queue);
  if (!active)
    throw refuse('badValue', `queue_id must be an active queue of the account; ${given.queue} is not`);
  // It asks for no key, so no call is transferred.
  if (given.type === '0') return undefined;
  return { kind: 'queue', queue: given.queue };
};
