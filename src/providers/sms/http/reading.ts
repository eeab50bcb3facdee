/** What a gateway's answer means, as the route says. */
import { readAt } from '../../../rules/gatewayTemplate.ts';
import { retryAfterMs } from '../../../rules/retryAfter.ts';
import type { HttpSettings } from '../../../rules/smsRoute.ts';
import { OutcomeUnknown, Retryable } from '../../performer.ts';
import type { SmsAnswer } from '../../sms.ts';
import type { GatewayReply } from './exchange.ts';

/** Kept of an answer that names no reason, characters. */
const shown = 300;
/** Pause after a gateway that is asked too much, milliseconds: the usual one, and the longest. */
const usualPauseMs = 2_000;
const longestPauseMs = 60_000;
/** Of a gateway before the gateway: whether the message was handed on is not known. */
const inBetween: ReadonlySet<number> = new Set([502, 504]);

/** Throws `Retryable` when it took nothing now, and `OutcomeUnknown`. */
export const answerOf = (reply: GatewayReply, settings: HttpSettings): SmsAnswer => {
  if (reply.heard === 'no') return { type: 'unavailable', text: `the gateway: ${reply.why}`, answer: '' };
  if (reply.heard === 'perhaps') throw new OutcomeUnknown(`the gateway: ${reply.why}`);
  const { status, text, retryAfter } = reply;
  if (status === 429) throw new Retryable('the gateway is asked too much', { afterMs: pauseOf(retryAfter) });
  if (inBetween.has(status)) throw new OutcomeUnknown(`the gateway answers with HTTP ${status}`);
  if (status === 503)
    return { type: 'unavailable', text: reasonOf(reply, settings), answer: text, http: status };
  if (status >= 200 && status < 300 && isSuccess(text, settings))
    return {
      type: 'acknowledged',
      providerId: (settings.id && readAt(text, settings.id)) ?? '',
      answer: text,
    };
  const code = (settings.error_code && readAt(text, settings.error_code)) ?? String(status);
  return { type: 'refused', code, text: reasonOf(reply, settings), answer: text, http: status };
};

const isSuccess = (text: string, { success }: HttpSettings): boolean => {
  if (!success) return true;
  const { equals, ...where } = success;
  const said = readAt(text, where);
  return said !== undefined && (equals === undefined || said === equals);
};

const reasonOf = ({ status, text }: { status: number; text: string }, { error }: HttpSettings): string =>
  (error && readAt(text, error)) || text.slice(0, shown).trim() || `the gateway answers with HTTP ${status}`;

const pauseOf = (retryAfter: string): number =>
  Math.min(longestPauseMs, retryAfterMs(retryAfter, Date.now()) ?? usualPauseMs);
