/** What all calls of a campaign have in common, but for what is heard. */
import type { SecondLegTarget } from '../../../../machines/call/input.ts';
import type { CallTemplate } from '../../../../machines/campaign/input.ts';
import { findQueueActiveFlag } from '../../../store/reads/voice/targets.ts';
import { readForcedTrunksParam } from '../../voice/callInput/callerIdRoutesAndCallback.ts';
import { digest } from '../../idempotency.ts';
import { readFollowUp } from '../../sms/followUpSmsParams.ts';
import type { CreateCampaignContext } from './params.ts';

const modes = { 0: 'play', 4: 'question', 6: 'validate' } as const;
/** As in a call that names none of them, seconds. */
const usual = { lineSeconds: 300, ringSeconds: 45, limitSeconds: 3_600, answerSeconds: 0 } as const;
const minuteMs = 60_000;

/** A call without its prompts. */
export type CallTemplateWithoutPrompts = Omit<CallTemplate, 'prompts'>;

/** Throws 225, 252, 299 (queue) and 300 to 305. Changes nothing. */
export const readCallTemplate = async (ctx: CreateCampaignContext): Promise<CallTemplateWithoutPrompts> => {
  const { account, params } = ctx;
  const sms = readSms(ctx);
  const transfer = await readTransfer(ctx);
  return {
    mode: modes[params.type],
    callerId: account.caller_id,
    keys: {},
    ...readDigits(ctx),
    ...(transfer && { transfer }),
    waitInLine: transfer !== undefined,
    ...usual,
    music: 'music',
    schedule: {
      tries: params.retries + 1,
      intervalMs: params.retryMinutes * minuteMs,
      ...(!account.retry_declined && { retryDeclined: false }),
    },
    priority: 0,
    ...(sms && { sms }),
    policy: { skipBlocklist: params.skipBlocklist, audioKey: '', waitForWindow: false },
    customerCampaign: params.correlation,
    correlation: '',
    origin: 'api',
    fixedRoutes: readForcedTrunksParam(ctx),
  };
};

/** The whole template; the same prompts are the same audio to `audiolim`. */
export const callTemplateWithPrompts = (
  bare: CallTemplateWithoutPrompts,
  prompts: CallTemplate['prompts'],
): CallTemplate => ({
  ...bare,
  prompts,
  policy: { ...bare.policy, audioKey: digest(prompts) },
});

const readDigits = (
  ctx: CreateCampaignContext,
): Pick<CallTemplate, 'digits' | 'secondAnswer' | 'compare'> => {
  const { params } = ctx;
  const waitSeconds = params.digitSeconds;
  if (params.type === '0') return { digits: { count: 1, waitSeconds } };
  if (params.type === '6') return { digits: { count: 1, waitSeconds }, compare: readCompare(ctx) };
  const { replayDigit: replay, secondAnswerDigits: secondAnswer } = params;
  return {
    digits: { count: params.answerDigits, waitSeconds, ...(replay !== undefined && { replay }) },
    ...(secondAnswer !== undefined && { secondAnswer }),
  };
};

const readCompare = ({ params, refuse }: CreateCampaignContext): NonNullable<CallTemplate['compare']> => {
  const { compare: column, validationDigits: digits, confirmDigit: confirm } = params;
  if (column === undefined) throw refuse('badCompare', 'compw is required with cp_type 6');
  if (digits === undefined) throw refuse('badDigits', 'ndigval is required with cp_type 6');
  return { column, digits, confirm };
};

const readSms = ({ params, refuse }: CreateCampaignContext): CallTemplate['sms'] => {
  const asksSms = params.smsAction !== undefined || params.smsText !== undefined;
  if (asksSms && params.type !== '0') throw refuse('smsElsewhere');
  return readFollowUp(params, refuse);
};

const readTransfer = async ({
  account,
  params,
  services,
  refuse,
}: CreateCampaignContext): Promise<SecondLegTarget | undefined> => {
  if (params.queue === undefined) return undefined;
  const active = await findQueueActiveFlag(services.database(account.shard), account.id, params.queue);
  if (!active)
    throw refuse('badValue', `queue_id must be an active queue of the account; ${params.queue} is not`);
  // It asks for no key, so no call is transferred.
  if (params.type === '0') return undefined;
  return { kind: 'queue', queue: params.queue };
};
