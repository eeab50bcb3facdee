/**
 * A carrier by way of Asterisk 22 and its REST interface (ARI).
 *
 * The channel's id is the leg's id, so what Asterisk says finds its machine by key. The story of a leg: `originate`
 * asks Asterisk to dial, `listen` turns what it says into facts, the other parts act on the channel, and `recover`
 * finds out what became of legs whose events were not read for a while.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import type { MediaStore } from '../media.ts';
import type { Names } from '../names.ts';
import { Retryable, Terminal, type Performer, type Report } from '../../engine/contract/performer.ts';
import type { Telephony, TelephonyProfile } from '../telephony.ts';
import { originateAgent } from './asterisk/agent.ts';
import { command, createAri, path, type Login } from './asterisk/ari.ts';
import { detectMachine } from './asterisk/detect.ts';
import { unread } from './asterisk/events.ts';
import { background, machineOf, type Call, type AriContext, type Log } from './asterisk/ariContext.ts';
import { bridge, hold, release, unbridge } from './asterisk/bridges.ts';
import { createLegs } from './asterisk/legs.ts';
import { listen } from './asterisk/listen.ts';
import {
  byTrunk,
  dialString,
  endpointsOf,
  hangUp,
  originate,
  type DialPatterns,
  type TrunkDial,
} from './asterisk/originate.ts';
import { play, stopPlay } from './asterisk/playback.ts';
import { record, stopRecord } from './asterisk/recording.ts';
import { adopt, findLeg, isThere, lookUp, reconcile } from './asterisk/recover.ts';
import { openSocket, type EventSocket } from './asterisk/socket.ts';
import { createOrphanReaper, type Owns } from './asterisk/orphanReaper.ts';
import type { Leg } from './asterisk/leg.ts';
import type { Member } from './pool/members.ts';

export { dialPatterns } from './asterisk/originate.ts';

/** How an Asterisk is reached, and how it dials. */
export interface AsteriskAccess {
  login: Login;
  dial: DialPatterns;
}

export interface AsteriskOptions extends AsteriskAccess {
  /** This node's name; no two nodes of an installation share one. */
  node: string;
  /** Name of the installation at this Asterisk. Default `ramal`. */
  installation?: string;
  /** How a trunk dials numbers; undefined, or for a trunk that is not known: as `dial` says. */
  trunk?: (name: string) => TrunkDial | undefined;
  media: MediaStore;
  /** Where Asterisk fetches a file of the media store: a URL that answers with `audio/wav`. */
  mediaUrl: (account: number, media: string) => string;
  report: Report;
  owns: Owns;
  log: Log;
  /** Finds the addresses of agents; each account has look-ups of its own. */
  names: Pick<Names, 'of'>;
  /** Between two looks for lost legs and orphans, milliseconds. Default 30,000. */
  sweepMs?: number;
  profile?: Partial<Pick<TelephonyProfile, 'callsPerSecond' | 'legs' | 'route'>>;
}

/** What an Asterisk of the settings bears at first. */
export const asteriskProfile: TelephonyProfile = {
  name: 'asterisk',
  callsPerSecond: 45,
  legs: 450,
  route: 'asterisk',
};

/** How long an originate waits for a socket that is just coming back. */
const connectMs = 4000;

/** An Asterisk as a carrier. */
export const createAsterisk = (options: AsteriskOptions): Telephony & Member<AsteriskAccess> => {
  const { installation = 'ramal', sweepMs = 30_000 } = options;
  const profile: TelephonyProfile = { ...asteriskProfile, ...options.profile };
  let access: AsteriskAccess = { login: options.login, dial: options.dial };
  let open = false;
  let socket: EventSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  const context: AriContext = {
    ari: createAri(options.login),
    installation,
    app: `${installation}-${options.node}`,
    legs: createLegs((machine, fact) => open && options.report(machine, fact)),
    recordings: new Map(),
    arrivals: new Map(),
    subscribed: new Set(),
    media: options.media,
    mediaUrl: options.mediaUrl,
    log: options.log,
    names: options.names,
    open: () => open,
  };
  const sweep = createOrphanReaper(context, options.owns);

  const round = async (): Promise<void> => {
    if (socket?.connected) await sweep(await reconcile(context, true));
  };

  const connect = (): EventSocket =>
    openSocket({
      login: access.login,
      app: context.app,
      onEvent: (event) => listen(context, event),
      prepare: () => prepare(context, access.dial),
      onProblem: (err) => options.log.warn({ err }, 'an event of Asterisk was not understood'),
    });

  return {
    profile,
    performers: performersOf(context, { trunk: options.trunk, access: () => access }, async () => {
      if (await socket?.whenConnected(connectMs)) return;
      throw new Terminal('unreachable', `Asterisk is away: ${socket?.detail ?? 'not started'}`);
    }),
    start: async () => {
      open = true;
      socket = connect();
      timer = setInterval(() => background(context, 'clearing up at Asterisk', round()), sweepMs).unref();
    },
    stop: async () => {
      open = false;
      clearInterval(timer);
      socket?.close();
      await context.ari.close();
    },
    health: () =>
      socket?.connected
        ? { ok: true, detail: 'connected to Asterisk' }
        : { ok: false, detail: `Asterisk is away: ${socket?.detail ?? 'not started'}` },
    has: (machine, leg) => isThere(context, machine, leg),
    legs: () => context.legs.count(),
    reachBy: (next) => {
      const isSame = isDeepStrictEqual(next.login, access.login);
      access = next;
      if (isSame) return;
      const former = context.ari;
      context.ari = createAri(next.login);
      socket?.close();
      if (open) socket = connect();
      background(context, 'leaving an Asterisk', former.close());
    },
  };
};

/** After every connect: what we want to hear, then what we missed. */
const prepare = async (context: AriContext, dial: DialPatterns): Promise<void> => {
  const { ari, app, subscribed } = context;
  const endpoints = new Set([...endpointsOf(dial), ...subscribed]);
  subscribed.clear();
  for (const endpoint of endpoints) await subscribe(context, endpoint);
  const body = { disallowed: unread.map((type) => ({ type })) };
  await command(ari, 'PUT', path`/applications/${app}/eventFilter`, { body });
  await reconcile(context, false);
};

/** What a leg says before it is answered comes by the subscription of its endpoint: one each, at its first dial. */
const subscribe = async ({ ari, app, log, subscribed }: AriContext, endpoint: string): Promise<void> => {
  if (subscribed.has(endpoint)) return;
  const query = { eventSource: `endpoint:${endpoint}` };
  await command(ari, 'POST', path`/applications/${app}/subscription`, { query }).catch((error: unknown) => {
    // One trunk that Asterisk does not know leaves the others usable; dialling it fails by itself.
    if (!(error instanceof Terminal)) throw error;
    log.warn({ endpoint }, 'Asterisk does not know this endpoint');
  });
  subscribed.add(endpoint);
};

const performersOf = (
  context: AriContext,
  { access, trunk = () => undefined }: { access: () => AsteriskAccess; trunk: AsteriskOptions['trunk'] },
  connected: () => Promise<void>,
): Telephony['performers'] => {
  const need = async (call: Call<object>, number: number): Promise<Leg> => {
    const leg = await findLeg(context, machineOf(call), number);
    if (!leg) throw new Terminal('gone', `leg ${number} is gone`);
    return leg;
  };
  const onLeg =
    <Params extends { leg: number }>(
      act: (leg: Leg, call: Call<Params>) => Promise<unknown>,
    ): Performer<Params> =>
    async (call) => {
      await act(await need(call, call.params.leg), call);
    };

  return {
    originate: async (call) => {
      await connected();
      const { to } = call.params;
      const { login, dial } = access();
      if (to.kind === 'websocket') await originateAgent(context, login, call, to);
      else {
        const patterns = byTrunk(dial, trunk(call.params.trunk ?? ''));
        const endpoint = dialString(patterns, to);
        for (const one of endpointsOf(patterns)) await subscribe(context, one);
        await originate(context, endpoint, call);
      }
    },
    hangUp: (call) => hangUp(context, call),
    play: onLeg<TelephonyEffects['play']>(async (leg, call) => {
      await release(context, leg);
      await play(context, leg, call);
    }),
    stopPlay: onLeg<TelephonyEffects['stopPlay']>((leg, call) => stopPlay(context, leg, call)),
    detectMachine: onLeg<TelephonyEffects['detectMachine']>(async (leg) => {
      await release(context, leg);
      await detectMachine(context, leg);
    }),
    hold: onLeg<TelephonyEffects['hold']>((leg, { params }) => hold(context, leg, params.music)),
    bridge: async (call) => {
      const [first, second] = call.params.legs;
      await bridge(context, await need(call, first), await need(call, second));
    },
    unbridge: async (call) => {
      await unbridge(context, call.params.legs, (number) => context.legs.of(call.machine, number));
    },
    sendDigits: onLeg<TelephonyEffects['sendDigits']>((leg, call) => sendDigits(context, leg, call)),
    record: onLeg<TelephonyEffects['record']>((leg, call) => record(context, leg, call)),
    stopRecord: onLeg<TelephonyEffects['stopRecord']>((leg, { params }) =>
      stopRecord(context, leg, params.recording),
    ),
    adopt: async (call) => ({ events: await adopt(context, call) }),
    lookUp: async (call) => ({ events: await lookUp(context, call) }),
  };
};

/** Not repeated when its fate is unknown: a digit sent twice is another number. */
const sendDigits = async (
  { ari }: AriContext,
  leg: Leg,
  { params, signal }: Call<TelephonyEffects['sendDigits']>,
): Promise<void> => {
  // Asterisk takes other characters, and says nothing.
  if (!/^[0-9*#A-D]+$/.test(params.digits)) throw new Terminal('refused', `${params.digits} are not digits`);
  const query = { dtmf: params.digits, between: 100, duration: 120 };
  const answer = await ari.ask('POST', path`/channels/${leg.channel}/dtmf`, { query, signal });
  if (answer.status === 404) throw new Terminal('gone', `leg ${leg.number} is gone`);
  if (answer.status >= 300) throw new Retryable(`Asterisk sent no digits: ${answer.status}`);
};
