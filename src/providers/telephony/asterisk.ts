/**
 * A carrier by way of Asterisk 22 and its REST interface (ARI).
 *
 * The channel's id is the leg's id, so what Asterisk says finds its machine by key. The story of a leg: `originate`
 * asks Asterisk to dial, `handleAriEvent` turns what it says into facts, the other parts act on the channel, and `recover`
 * finds out what became of legs whose events were not read for a while.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import type { MediaStore } from '../contracts/media.ts';
import type { DnsLookups } from '../contracts/dns.ts';
import {
  NotRetryable,
  type EffectPerformer,
  type ReportFactToMachine,
} from '../../engine/contract/performer.ts';
import type { Telephony, TelephonyCarrierCapacity } from '../contracts/telephony.ts';
import { originateRealtimeAgentLeg } from './asterisk/websocketVoiceAgent.ts';
import { createAri, type AriLogin } from './asterisk/ariRestClient.ts';
import { startAnsweringMachineDetection } from './asterisk/detect.ts';
import {
  runInBackground,
  machineRefOfEffect,
  type Call,
  type AriContext,
  type Log,
} from './asterisk/ariContext.ts';
import { bridgeLegs, hold, releaseFromHold, unbridgeLegs } from './asterisk/bridges.ts';
import { createLegTable } from './asterisk/legTable.ts';
import { handleAriEvent } from './asterisk/handleAriEvents.ts';
import {
  dialPatternsForTrunk,
  dialString,
  asteriskEndpointsToSubscribe,
  hangUp,
  originate,
  type DialStrings,
  type TrunkDialFormat,
} from './asterisk/originate.ts';
import { play, stopPlay } from './asterisk/playback.ts';
import {
  subscribeAndReconcileOnAriConnect,
  subscribeToAriEndpoint,
} from './asterisk/prepareAriConnection.ts';
import { startLegRecording, stopLegRecording } from './asterisk/recording.ts';
import {
  adoptCallLegs,
  findOrRecoverLeg,
  isLegAlive,
  recoverLegStatus,
  reconcileLegs,
} from './asterisk/recover.ts';
import { sendDigits } from './asterisk/sendDigits.ts';
import { openAriEventSocket, type AriEventSocket } from './asterisk/ariEventSocket.ts';
import { createOrphanReaper, type Owns } from './asterisk/orphanReaper.ts';
import type { Leg } from './asterisk/legTypes.ts';
import { asteriskManagerClient } from './asterisk/trunks/amiRegistrationStatus.ts';
import type { SipTrunk } from './asterisk/trunks/trunkToPjsipObjects.ts';
import { SipTrunkSync } from './asterisk/trunks/sipTrunkSync.ts';
import type { TelephonyServerConnection } from './serverPool/serverConnections.ts';

export { dialStringTemplatesFromEndpoints } from './asterisk/originate.ts';

/** How an Asterisk is reached, how it dials, and which trunks it is to have. */
export interface AsteriskAccess {
  login: AriLogin;
  dial: DialStrings;
  /** Those with SIP details. Default none. */
  trunks?: readonly SipTrunk[];
}

export interface AsteriskOptions extends AsteriskAccess {
  /** This node's name; no two nodes of an installation share one. */
  node: string;
  /** Name of the installation at this Asterisk. Default `ramal`. */
  installation?: string;
  /** How a trunk dials numbers; undefined, or for a trunk that is not known: as `dial` says. */
  trunk?: (name: string) => TrunkDialFormat | undefined;
  media: MediaStore;
  /** Where Asterisk fetches a file of the media store: a URL that answers with `audio/wav`. */
  mediaUrl: (account: number, media: string) => string;
  report: ReportFactToMachine;
  owns: Owns;
  log: Log;
  /** Finds the addresses of agents; each account has look-ups of its own. */
  names: Pick<DnsLookups, 'of'>;
  /** Between two looks for lost legs and orphans, milliseconds. Default 30,000. */
  sweepMs?: number;
  /** Between two looks how registrations stand, milliseconds. Default 2,000. */
  registrationsMs?: number;
  profile?: Partial<Pick<TelephonyCarrierCapacity, 'callsPerSecond' | 'legs' | 'route'>>;
}

/** What an Asterisk of the settings bears at first. */
export const asteriskDefaultCapacity: TelephonyCarrierCapacity = {
  name: 'asterisk',
  callsPerSecond: 45,
  legs: 450,
  route: 'asterisk',
};

/** How long an originate waits for a socket that is just coming back. */
const connectMs = 4000;

/** An Asterisk as a carrier. */
export const createAsterisk = (
  options: AsteriskOptions,
): Telephony & TelephonyServerConnection<AsteriskAccess> => {
  const { installation = 'ramal', sweepMs = 30_000, registrationsMs = 2_000 } = options;
  const profile: TelephonyCarrierCapacity = { ...asteriskDefaultCapacity, ...options.profile };
  let access: AsteriskAccess = { login: options.login, dial: options.dial, trunks: options.trunks ?? [] };
  let open = false;
  let socket: AriEventSocket | undefined;
  let report = asteriskManagerClient(options.login);
  const timers: NodeJS.Timeout[] = [];
  const context: AriContext = {
    ari: createAri(options.login),
    installation,
    app: `${installation}-${options.node}`,
    legs: createLegTable((machine, fact) => open && options.report(machine, fact)),
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
  const trunks = new SipTrunkSync({ ari: () => context.ari, report: () => report, log: options.log });

  const round = async (): Promise<void> => {
    if (socket?.connected) await sweep(await reconcileLegs(context, true));
  };

  const repeat = (ms: number, what: string, work: () => Promise<void>): void => {
    timers.push(setInterval(() => runInBackground(context, what, work()), ms).unref());
  };

  const connect = (): AriEventSocket =>
    openAriEventSocket({
      login: access.login,
      app: context.app,
      onEvent: (event) => handleAriEvent(context, event),
      prepare: async () => {
        await trunks.write(access.trunks ?? []);
        await subscribeAndReconcileOnAriConnect(context, access.dial);
      },
      onProblem: (err) => options.log.warn({ err }, 'an event of Asterisk was not understood'),
    });

  return {
    profile,
    performers: performersOf(context, { trunk: options.trunk, access: () => access }, async (trunk) => {
      if (await socket?.whenConnected(connectMs)) return trunks.settled(trunk);
      throw new NotRetryable('unreachable', `Asterisk is away: ${socket?.detail ?? 'not started'}`);
    }),
    start: async () => {
      open = true;
      socket = connect();
      repeat(sweepMs, 'clearing up at Asterisk', round);
      repeat(registrationsMs, 'how registrations stand', async () => {
        if (socket?.connected) await trunks.keep();
      });
    },
    stop: async () => {
      open = false;
      for (const timer of timers) clearInterval(timer);
      socket?.close();
      await context.ari.close();
    },
    health: () =>
      socket?.connected
        ? { ok: true, detail: 'connected to Asterisk' }
        : { ok: false, detail: `Asterisk is away: ${socket?.detail ?? 'not started'}` },
    has: (machine, leg) => isLegAlive(context, machine, leg),
    legs: () => context.legs.count(),
    registrations: () => (socket?.connected ? trunks.standings() : []),
    reachBy: (next) => {
      const isSame = isDeepStrictEqual(next.login, access.login);
      access = next;
      if (isSame) {
        const wanted = next.trunks ?? [];
        if (socket?.connected && trunks.differs(wanted))
          runInBackground(context, 'writing trunks', trunks.write(wanted));
        return;
      }
      report = asteriskManagerClient(next.login);
      const former = context.ari;
      context.ari = createAri(next.login);
      socket?.close();
      if (open) socket = connect();
      runInBackground(context, 'leaving an Asterisk', former.close());
    },
  };
};

const performersOf = (
  context: AriContext,
  { access, trunk = () => undefined }: { access: () => AsteriskAccess; trunk: AsteriskOptions['trunk'] },
  connected: (trunk: string) => Promise<void>,
): Telephony['performers'] => {
  const need = async (call: Call<object>, number: number): Promise<Leg> => {
    const leg = await findOrRecoverLeg(context, machineRefOfEffect(call), number);
    if (!leg) throw new NotRetryable('gone', `leg ${number} is gone`);
    return leg;
  };
  const onLeg =
    <Params extends { leg: number }>(
      act: (leg: Leg, call: Call<Params>) => Promise<unknown>,
    ): EffectPerformer<Params> =>
    async (call) => {
      await act(await need(call, call.params.leg), call);
    };

  return {
    originate: async (call) => {
      await connected(call.params.trunk ?? '');
      const { to } = call.params;
      const { login, dial } = access();
      if (to.kind === 'websocket') await originateRealtimeAgentLeg(context, login, call, to);
      else {
        const patterns = dialPatternsForTrunk(dial, trunk(call.params.trunk ?? ''));
        const endpoint = dialString(patterns, to);
        for (const one of asteriskEndpointsToSubscribe(patterns)) await subscribeToAriEndpoint(context, one);
        await originate(context, endpoint, call);
      }
    },
    hangUp: (call) => hangUp(context, call),
    play: onLeg<TelephonyEffects['play']>(async (leg, call) => {
      await releaseFromHold(context, leg);
      await play(context, leg, call);
    }),
    stopPlay: onLeg<TelephonyEffects['stopPlay']>((leg, call) => stopPlay(context, leg, call)),
    detectMachine: onLeg<TelephonyEffects['detectMachine']>(async (leg) => {
      await releaseFromHold(context, leg);
      await startAnsweringMachineDetection(context, leg);
    }),
    hold: onLeg<TelephonyEffects['hold']>((leg, { params }) => hold(context, leg, params.music)),
    bridge: async (call) => {
      const [first, second] = call.params.legs;
      await bridgeLegs(context, await need(call, first), await need(call, second));
    },
    unbridge: async (call) => {
      await unbridgeLegs(context, call.params.legs, (number) => context.legs.of(call.machine, number));
    },
    sendDigits: onLeg<TelephonyEffects['sendDigits']>((leg, call) => sendDigits(context, leg, call)),
    record: onLeg<TelephonyEffects['record']>((leg, call) => startLegRecording(context, leg, call)),
    stopRecord: onLeg<TelephonyEffects['stopRecord']>((leg, { params }) =>
      stopLegRecording(context, leg, params.recording),
    ),
    adopt: async (call) => ({ events: await adoptCallLegs(context, call) }),
    lookUp: async (call) => ({ events: await recoverLegStatus(context, call) }),
  };
};
