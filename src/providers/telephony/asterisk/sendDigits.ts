/** Digits that a leg sends. */
import type { TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { path } from './ariRestClient.ts';
import type { AriContext, Call } from './ariContext.ts';
import type { Leg } from './legTypes.ts';

/** Not repeated when its fate is unknown: a digit sent twice is another number. */
export const sendDigits = async (
  { ari }: AriContext,
  leg: Leg,
  { params, signal }: Call<TelephonyEffects['sendDigits']>,
): Promise<void> => {
  // Asterisk takes other characters, and says nothing.
  if (!/^[0-9*#A-D]+$/.test(params.digits))
    throw new NotRetryable('refused', `${params.digits} are not digits`);
  const query = { dtmf: params.digits, between: 100, duration: 120 };
  const answer = await ari.ask('POST', path`/channels/${leg.channel}/dtmf`, { query, signal });
  if (answer.status === 404) throw new NotRetryable('gone', `leg ${leg.number} is gone`);
  if (answer.status >= 300) throw new Retryable(`Asterisk sent no digits: ${answer.status}`);
};
