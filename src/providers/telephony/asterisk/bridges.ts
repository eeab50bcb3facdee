/** Legs that wait, and legs that talk to each other. */
import type { HoldMusic, TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { sendAriCommand, path, describeAriRefusal, ignoreIfGone } from './ariRestClient.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { runInBackground, type AriContext } from './ariContext.ts';
import type { Leg } from './legTypes.ts';

const waiting: Readonly<Record<HoldMusic, 'moh' | 'ring' | 'silence'>> = {
  music: 'moh',
  ringing: 'ring',
  silence: 'silence',
};

/** How long a leg's word that it has left a bridge is waited for. */
const leaveMs = 1000;

/** Lets a leg wait with music, ringing or silence; out of its bridge when it is in one. */
export const hold = async (context: AriContext, leg: Leg, music: HoldMusic): Promise<void> => {
  await part(context, leg);
  await releaseFromHold(context, leg);
  await sendAriCommand(context.ari, 'POST', `${path`/channels/${leg.channel}`}/${waiting[music]}`);
  leg.held = music;
};

/** Ends the waiting, if it waits. */
export const releaseFromHold = async (context: AriContext, leg: Leg): Promise<void> => {
  if (!leg.held) return;
  await sendAriCommand(context.ari, 'DELETE', `${path`/channels/${leg.channel}`}/${waiting[leg.held]}`);
  leg.held = undefined;
};

/** The id of the bridge of two legs, whichever is named first. */
export const bridgeIdOf = ({ installation }: AriContext, first: Leg, second: Leg): string => {
  const [one, other] = first.number < second.number ? [first, second] : [second, first];
  return `${installation}.bridge.${one.channel}.${other.number}`;
};

/** Joins two legs. Asking again is fine. */
export const bridgeLegs = async (context: AriContext, first: Leg, second: Leg): Promise<void> => {
  const { ari } = context;
  const id = bridgeIdOf(context, first, second);
  for (const leg of [first, second]) {
    if (leg.bridge?.id !== id) await part(context, leg);
    await releaseFromHold(context, leg);
  }
  const made = await ari.ask('POST', path`/bridges/${id}`, { query: { type: 'mixing' } });
  if (made.status !== 200 && made.status !== 409)
    throw new Retryable(`no bridge: ${describeAriRefusal(made)}`);
  const query = { channel: `${first.channel},${second.channel}` };
  const added = await ari.ask('POST', path`/bridges/${id}/addChannel`, { query });
  if (added.status >= 300) {
    await sendAriCommand(ari, 'DELETE', path`/bridges/${id}`).catch(ignoreIfGone);
    // 400: a channel is gone; 409: one of them is not in our application (yet).
    if (added.status === 400) throw new NotRetryable('gone', describeAriRefusal(added));
    throw new Retryable(`not joined: ${describeAriRefusal(added)}`);
  }
  first.bridge = { id, with: second.number };
  second.bridge = { id, with: first.number };
};

/** Parts two legs; both stay up. */
export const unbridgeLegs = async (
  context: AriContext,
  [one, other]: TelephonyEffects['unbridge']['legs'],
  find: (number: number) => Leg | undefined,
): Promise<void> => {
  const first = find(one) ?? find(other);
  if (first?.bridge && [one, other].includes(first.bridge.with)) await part(context, first);
};

/** Takes a leg, and with it the other one, out of the bridge it is in. */
const part = async (context: AriContext, leg: Leg): Promise<void> => {
  const { bridge: left } = leg;
  if (!left) return;
  const other = context.legs.of(leg.machine, left.with);
  for (const one of [leg, other]) {
    if (one?.bridge?.id !== left.id) continue;
    one.bridge = undefined;
    one.leaving = leave(one);
  }
  await sendAriCommand(context.ari, 'DELETE', path`/bridges/${left.id}`).catch(ignoreIfGone);
};

/** Asterisk lets a bridge go at once, and its channels leave it a moment later; settles when this one has. */
const leave = (leg: Leg): Promise<void> =>
  new Promise((resolve) => {
    const left = (): void => {
      clearTimeout(unheard);
      leg.hasLeft = leg.leaving = undefined;
      resolve();
    };
    const unheard = setTimeout(left, leaveMs).unref();
    leg.hasLeft = left;
  });

/** The leg is gone: a bridge for one would keep the other from being played to directly. */
export const leaveBridge = (context: AriContext, leg: Leg): void =>
  runInBackground(context, 'clearing a bridge', part(context, leg));
