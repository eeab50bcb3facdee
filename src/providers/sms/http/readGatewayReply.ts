/** What a gateway's answer means, as the route says. */
import { readGatewayAnswerField } from '../../../rules/sms/gatewayTemplate.ts';
import { faultOfProviderId, isProviderId } from '../../../rules/sms/providerId.ts';
import { retryAfterMs } from '../../../lib/retryAfter.ts';
import type { HttpGatewaySettings } from '../../../rules/sms/smsRouteCarrierSchemas.ts';
import { OutcomeUnknown, UnusableProviderAnswer, Retryable } from '../../../engine/contract/performer.ts';
import type { SmsSubmitAnswer } from '../../contracts/sms.ts';
import type { SmsGatewayRequestOutcome } from './gatewayClient.ts';

/** Kept of an answer that names no reason, characters. */
const shown = 300;
/** The longest pause that a gateway may ask for, milliseconds. */
const longestPauseMs = 60_000;
/** Of a gateway before the gateway: whether the message was handed on is not known. */
const inBetween: ReadonlySet<number> = new Set([502, 504]);

/** Of a gateway's own code of an error, characters. */
const longestCode = 60;

/** Throws `Retryable` when it took nothing now, and `OutcomeUnknown`. */
export const readSmsGatewayReply = (
  reply: SmsGatewayRequestOutcome,
  settings: HttpGatewaySettings,
): SmsSubmitAnswer => {
  if (reply.heard === 'no')
    return { type: 'unavailable', text: `the gateway: ${reply.why}`, answer: '', passing: reply.passing };
  if (reply.heard === 'perhaps') throw new OutcomeUnknown(`the gateway: ${reply.why}`);
  const { status, text, retryAfter } = reply;
  if (status === 429) throw new Retryable('the gateway is asked too much', pauseOf(retryAfter));
  if (inBetween.has(status)) throw new OutcomeUnknown(`the gateway answers with HTTP ${status}`);
  if (status === 503)
    return { type: 'unavailable', text: reasonOf(reply, settings), answer: text, http: status };
  if (status >= 200 && status < 300 && isSuccess(text, settings))
    return { type: 'acknowledged', providerId: idIn(text, settings), answer: text };
  const code = (settings.error_code && readGatewayAnswerField(text, settings.error_code)) || String(status);
  return {
    ...{ type: 'refused', code: code.slice(0, longestCode).toWellFormed() },
    ...{ text: reasonOf(reply, settings), answer: text, http: status },
  };
};

/** Empty: it names none. It took the message, so one that names nonsense leaves the outcome unknown. */
const idIn = (text: string, { id }: HttpGatewaySettings): string => {
  const named = (id && readGatewayAnswerField(text, id)) ?? '';
  if (named !== '' && !isProviderId(named))
    throw new UnusableProviderAnswer(`the gateway names ${faultOfProviderId(named)}`);
  return named;
};

const isSuccess = (text: string, { success }: HttpGatewaySettings): boolean => {
  if (!success) return true;
  const { equals, ...where } = success;
  const said = readGatewayAnswerField(text, where);
  return said !== undefined && (equals === undefined || said === equals);
};

const reasonOf = (
  { status, text }: { status: number; text: string },
  { error }: HttpGatewaySettings,
): string =>
  (error && readGatewayAnswerField(text, error)) ||
  text.slice(0, shown).trim() ||
  `the gateway answers with HTTP ${status}`;

/** What it asks for; where it asks for nothing, the engine decides. */
const pauseOf = (retryAfter: string): { afterMs?: number } => {
  const afterMs = retryAfterMs(retryAfter, Date.now());
  return afterMs === undefined ? {} : { afterMs: Math.min(longestPauseMs, afterMs) };
};
