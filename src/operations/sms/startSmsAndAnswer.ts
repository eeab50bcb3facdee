/** Sends what MakeSMS was asked for, and words the answer; a repeated Idempotency-Key is answered by the first message. */
import type { ExclusiveKeyClaimRequest } from '../../engine/contract/api.ts';
import type { MessageSubmissionOutcome } from '../../store/reads/sms/submissionOutcomeAndFollowedCall.ts';
import type { OperationSuccess } from '../declare.ts';
import { replayedAnswer, buildIdempotencyClaims } from '../idempotency.ts';
import { duplicateMessageClaimKey, waitForProviderResponse } from '../chargeAndStartMessage.ts';
import type { SmsRequest } from './readSmsRequest.ts';
import { beginSms } from './startSms.ts';
import { replayedRefusal, type Refused } from '../refused.ts';
import type { SmsRequestContext } from './params.ts';

export interface SentSms {
  id: number;
  heard: MessageSubmissionOutcome;
  replayed: boolean;
}

/** The message that an earlier request made under this Idempotency-Key; undefined when the key is new. */
export const replayedSms = async (ctx: SmsRequestContext): Promise<SentSms | undefined> => {
  const fields = await replayedAnswer('MakeSMS', ctx);
  if (!fields) return undefined;
  const id = Number(fields['cdls_id']);
  return { id, heard: await waitForProviderResponse({ ...ctx, id }), replayed: true };
};

/** Throws the refusals of the account's rules. */
export const startSmsMessage = async (
  ctx: SmsRequestContext,
  { number, text }: SmsRequest,
): Promise<SentSms> => {
  const { account, params, services, refuse } = ctx;
  const id = services.engine.mintId(account.shard);
  const begun = await beginSms({
    ...{ account, services, id, number, text },
    sender: params.sender,
    correlation: params.correlation,
    campaignId: params.campaign,
    callId: params.call,
    provider: providerOf(ctx),
    claims: [
      ...buildIdempotencyClaims('MakeSMS', ctx.idempotency, params, { cdls_id: String(id) }),
      ...duplicateClaims(ctx, { number, text }),
    ],
  });
  if (begun.outcome === 'refused') throw refuse(begun.word);
  if (begun.outcome === 'begun')
    return { id, heard: await waitForProviderResponse({ ...ctx, id }), replayed: false };
  // Another request was faster: with our Idempotency-Key its answer is ours, else we are its duplicate.
  const before = await replayedSms(ctx);
  if (!before) throw refuse('duplicate');
  return before;
};

const duplicateClaims = (
  { params: { duplicateWindow } }: SmsRequestContext,
  wish: SmsRequest,
): ExclusiveKeyClaimRequest[] =>
  duplicateWindow === 0
    ? []
    : [{ key: duplicateMessageClaimKey('MakeSMS', wish), forMs: duplicateWindow * 1_000 }];

/** The only account whose `provider` counts. */
const administrative = 2;
const providers = ['prov_b', 'prov_c', 'prov_d'];
/** A name that no route has: that there is none is found out in its turn, after the other rules. */
const noSuchProvider = '';

const providerOf = ({ account, params: { provider } }: SmsRequestContext): string | undefined => {
  if (account.id !== administrative || provider === undefined) return undefined;
  return providers.includes(provider) ? provider : noSuchProvider;
};

/** What the provider said; a slow one leaves the message under way. */
export const answerSentSms = (
  { refuse, inSandbox }: SmsRequestContext,
  { id, heard, replayed }: SentSms,
): OperationSuccess | Refused => {
  if (heard.sandbox) inSandbox();
  const fields = { cdls_id: String(id) };
  if (heard.code === '0') return { fields, replayed };
  if (heard.code === '1') return { fields: { ...fields, status: 'WR', status_code: '1' }, replayed };
  const no = refuse('providerError', heard.text, fields);
  return replayed ? replayedRefusal(no) : no;
};
