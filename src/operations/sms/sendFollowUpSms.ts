/**
 * The SMS that follows a call: a message of its own, under the rules of the account. Repeated, the effect finds the
 * message it has begun; the call goes on when that is durable, and the message log tells what became of it.
 */
import type { FollowUpSmsEffects, FollowUpSmsEvent } from '../../../machines/contracts/sms.ts';
import { Unavailable } from '../../engine/contract/api.ts';
import type { EffectCall, EffectPerformer } from '../../engine/contract/performer.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import { beginSms, type SmsRuleRefusalReason, type SmsOperationServices } from './startSms.ts';
import { readSmsNumber } from '../../rules/sms/smsNumber.ts';
import { trimFollowUpSmsText } from '../../rules/sms/smsText.ts';
import { isTransientDatabaseError } from '../../store/transientError.ts';
import type { AccountRow, ControlDatabase } from '../../store/controlDatabase.ts';
import { readCallCorrelationAndCampaign } from '../../store/reads/sms/submissionOutcomeAndFollowedCall.ts';
import { writeCallId } from '../../wire/callId.ts';

type FollowUp = EffectCall<FollowUpSmsEffects['sendSms']>;

/** How long a repeated effect finds its message, milliseconds; it is tried for minutes. */
const rememberedMs = 86_400_000;

const sentences: Readonly<Record<SmsRuleRefusalReason, string>> = {
  blocked: 'the number is on the block list',
  impersonation: 'the text names a bank and is none of the approved models',
  noTariff: 'there is no SMS tariff for the number',
  nightCap: 'the night cap is reached',
  noRoute: 'the account has no SMS route for the number',
  noBalance: 'the balance of the account or of a reseller above it does not cover it',
};

/** `services` is asked for with the first effect: the engine is made after its performers. */
export const followUpSmsPerformers = (
  control: ControlDatabase,
  services: () => SmsOperationServices,
): { sendSms: EffectPerformer<FollowUpSmsEffects['sendSms']> } => ({
  sendSms: async (call) => {
    try {
      return { events: [accepted(await send(control, services(), call))] };
    } catch (error) {
      if (error instanceof Unavailable || isTransientDatabaseError(error))
        throw new Retryable('the message cannot be placed now', { cause: error });
      throw error;
    }
  },
});

const accepted = (providerId: string): FollowUpSmsEvent => ({ type: 'smsAccepted', providerId, slow: false });

/** The message's id. */
const send = async (
  control: ControlDatabase,
  services: SmsOperationServices,
  call: FollowUp,
): Promise<string> => {
  const account = await accountOf(control, call);
  const text = textOf(call);
  const id = services.engine.mintId(account.shard);
  const begun = await beginSms({
    ...{ account, services, id, number: numberOf(call), text },
    sender: call.params.from ?? '',
    ...(await relationOf(services, account, call)),
    claims: [{ key: `followUp:${call.id}`, forMs: rememberedMs }],
  });
  if (begun.outcome === 'refused') throw new NotRetryable(begun.word, sentences[begun.word]);
  return begun.outcome === 'claimed' ? begun.owner : String(id);
};

const accountOf = async (control: ControlDatabase, { machine }: FollowUp): Promise<AccountRow> => {
  const account = await control.account(machine.account);
  if (!account || (await control.switchedOff(account)) !== undefined)
    throw new NotRetryable('account', 'the account is not active');
  return account;
};

/** As it was dialled. */
const numberOf = ({ params }: FollowUp): string => {
  const read = readSmsNumber(params.to, { brazil: false });
  if ('refused' in read) throw new NotRetryable('badNumber', read.refused);
  return read.number;
};

/** What a campaign's records fill in may have accents, be long, or be nothing at all. */
const textOf = ({ params }: FollowUp): string => {
  const text = trimFollowUpSmsText(params.text);
  if (text === '') throw new NotRetryable('noText', 'its text says nothing once it is filled in');
  return text;
};

const relationOf = async (
  services: SmsOperationServices,
  { id, shard }: AccountRow,
  { machine }: FollowUp,
) => {
  const call = await readCallCorrelationAndCampaign(services.database(shard), id, machine.id);
  return {
    correlation: call?.correlation ?? '',
    campaignId: call?.campaign ? String(call.campaign) : (call?.customerCampaign ?? ''),
    callId: writeCallId(shard, machine.id),
  };
};
