/** Opening and ending legs. */
import type { LegDestination, TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { NotRetryable } from '../../../engine/contract/performer.ts';
import { isNumberWithoutCountryCode } from '../../../rules/voice/parsePhoneNumber.ts';
import { legId } from '../../contracts/telephony.ts';
import {
  sendAriCommand,
  ignoreIfGone,
  AriRequestNeverSent,
  path,
  describeAriRefusal,
  type AriResponse,
} from './ariRestClient.ts';
import { machineRefOfEffect, type Call, type AriContext } from './ariContext.ts';
import type { Leg } from './legTypes.ts';

/** How endpoints are dialled; `{number}` and `{uri}` are filled in. */
export interface DialStrings {
  /** `PJSIP/{number}@carrier` */
  number: string;
  /** The trunk to the chat app; absent: it is not connected. */
  chat?: string;
  /** `PJSIP/carrier/{uri}` */
  sip: string;
  /** Default `e164`. */
  numberFormat?: TrunkDialFormat['numberFormat'];
}

/** The patterns of an installation that names how it dials numbers (`ARI_ENDPOINT`) and the chat app (`WA_ENDPOINT`). */
export const dialStringTemplatesFromEndpoints = (number: string, chat?: string): DialStrings => ({
  number,
  ...(chat ? { chat } : {}),
  sip: `${endpointOf(number)}/{uri}`,
});

/** How a trunk dials numbers. */
export interface TrunkDialFormat {
  /** `PJSIP/{number}@carrier` */
  dialPattern: string;
  numberFormat: 'e164' | 'plus' | 'national';
}

/** The patterns of an installation, with how a trunk dials numbers. Agents, and the chat app, are reached as ever. */
export const dialPatternsForTrunk = (
  patterns: DialStrings,
  trunk: TrunkDialFormat | undefined,
): DialStrings => {
  if (!trunk || trunk.dialPattern === '') return patterns;
  return { ...patterns, number: trunk.dialPattern, numberFormat: trunk.numberFormat };
};

/** A number in the form that a trunk wants. Special numbers, which have no country, stay as they are. */
const formatted = (number: string, format: TrunkDialFormat['numberFormat']): string => {
  const isBrazilian = /^55\d{10,11}$/.test(number);
  if (format === 'national') return isBrazilian ? `0${number.slice(2)}` : number;
  return format === 'plus' && !isNumberWithoutCountryCode(number) ? `+${number}` : number;
};

/** `PJSIP/carrier` of `PJSIP/{number}@carrier`. */
const endpointOf = (pattern: string): string => {
  const [tech, first = ''] = pattern.split('/');
  return `${tech}/${first.split('@').at(-1)!}`;
};

/** The endpoints whose events we subscribe to. */
export const asteriskEndpointsToSubscribe = ({ number, chat, sip }: DialStrings): string[] => [
  ...new Set([number, chat, sip].flatMap((pattern) => (pattern ? endpointOf(pattern) : []))),
];

/** The dial string of an endpoint. Throws `NotRetryable('unreachable')` for what cannot be dialled. */
export const dialString = (
  patterns: DialStrings,
  to: Exclude<LegDestination, { kind: 'websocket' }>,
): string => {
  if (to.kind === 'sip') {
    const uri = /^sips?:/.test(to.uri) ? to.uri : `sip:${to.uri}`;
    if (!/^sips?:[^\s<>"&,]+$/.test(uri)) throw new NotRetryable('unreachable', `${to.uri} is not a SIP URI`);
    return patterns.sip.replace('{uri}', uri);
  }
  const pattern = patterns[to.kind];
  if (!pattern) throw new NotRetryable('unreachable', 'no trunk to the chat app is configured');
  if (!/^\+?[0-9*#]+$/.test(to.number)) throw new NotRetryable('unreachable', `${to.number} is not a number`);
  const number = to.kind === 'number' ? formatted(to.number, patterns.numberFormat ?? 'e164') : to.number;
  return pattern.replace('{number}', number);
};

/**
 * Asks Asterisk to dial. The channel enters the dialplan's `enter` once answered, which waits for us when our
 * socket is down; everything before the answer comes through the subscription of the endpoint.
 * What is thrown that is not `NotRetryable` means: whether the far end was dialled is not known.
 */
export const originate = async (
  context: AriContext,
  endpoint: string,
  call: Call<TelephonyEffects['originate']>,
): Promise<Leg> => {
  const { params, signal } = call;
  const leg = openOnce(context, call);
  await place(context, leg, () =>
    context.ari.ask('POST', path`/channels/${leg.channel}`, {
      query: {
        endpoint,
        context: 'enter',
        extension: 's',
        priority: 1,
        callerId: params.callerId,
        timeout: Math.max(1, Math.round(params.ringSeconds)),
      },
      body: { variables: variablesOf(context, leg, endpoint, params.limitSeconds) },
      signal,
    }),
  );
  return leg;
};

/** Begins to look after a leg that is about to be made. Throws `NotRetryable('duplicate')` for one that lives. */
const openOnce = ({ legs }: AriContext, call: Call<{ leg: number }>): Leg => {
  const machine = machineRefOfEffect(call);
  if (legs.of(machine, call.params.leg)) throw new NotRetryable('duplicate', `leg ${call.params.leg} lives`);
  return legs.open(machine, call.params.leg, call.seen[`leg ${call.params.leg}`]);
};

/** Makes the channel, and decides what an answer other than 200 means. */
const place = async (context: AriContext, leg: Leg, make: () => Promise<AriResponse>): Promise<void> => {
  const { legs } = context;
  let answer;
  try {
    answer = await make();
  } catch (cause) {
    if (cause instanceof AriRequestNeverSent) {
      legs.forget(leg);
      throw new NotRetryable('unreachable', cause.message, { cause });
    }
    // It may be ringing: facts of it are told, and a look at Asterisk tells the rest.
    leg.placedAt = Date.now();
    throw cause;
  }
  if (answer.status === 200) {
    leg.placedAt = Date.now();
    return;
  }
  legs.forget(leg);
  throw await refusal(context, leg, answer);
};

/**
 * 409 says that the id is taken, or, by a flaw of Asterisk, that the channel could not be made on a connection
 * which saw a duplicate before. Only a look tells.
 */
const refusal = async ({ ari }: AriContext, leg: Leg, answer: AriResponse): Promise<Error> => {
  if (answer.status === 409) {
    const { status } = await ari.ask('GET', path`/channels/${leg.channel}`);
    if (status === 200) return new NotRetryable('duplicate', `channel ${leg.channel} lives already`);
  }
  return new NotRetryable('unreachable', `Asterisk did not dial: ${describeAriRefusal(answer)}`);
};

/** Variables of a new channel: whose it is, and the limit that Asterisk keeps without us. */
const variablesOf = (
  { app }: AriContext,
  leg: Leg,
  endpoint: string,
  limitSeconds: number,
): Record<string, string> => ({
  APP_NAME: app,
  CALL_ID: leg.channel,
  'TIMEOUT(absolute)': String(Math.max(1, Math.ceil(limitSeconds))),
  // Our id travels, so that a carrier's log and ours can be laid side by side.
  ...(endpoint.startsWith('PJSIP/') ? { 'PJSIP_HEADER(add,X-Ramal-Leg)': leg.channel } : {}),
});

const reasons = { normal: undefined, busy: 'busy', noAnswer: 'no_answer' } as const;

/** Ends a leg, also one that another process looks after. One that is gone is fine. */
export const hangUp = async (context: AriContext, call: Call<TelephonyEffects['hangUp']>): Promise<void> => {
  const leg = context.legs.of(call.machine, call.params.leg);
  if (leg) leg.ending = true;
  const { channel } = leg ?? { channel: channelOf(call) };
  const query = { reason: reasons[call.params.reason] };
  await sendAriCommand(context.ari, 'DELETE', path`/channels/${channel}`, {
    query,
    signal: call.signal,
  }).catch(ignoreIfGone);
};

const channelOf = (call: Call<{ leg: number }>): string => legId(call.machine, call.params.leg);
