/**
 * The sandbox carrier: a telephone network that only exists in a log (`DATA_DIR/sandbox/calls.log`).
 *
 * It outlives the service like a real one. Each originate and command is in the log before it is confirmed, and
 * what a channel does follows from its lines alone: calls go on over a restart, another process can adopt them,
 * and the dials can be counted. What a number does stands in `sandbox/numberBehaviour.ts`.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AudioPrompt } from '../../../machines/contracts/prompt.ts';
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import type { MediaStore } from '../contracts/media.ts';
import {
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
  type ReportFactToMachine,
} from '../../engine/contract/performer.ts';
import { legId, type Telephony } from '../contracts/telephony.ts';
import type { LegOwner, PhoneState, SimulatedPhone } from './phone.ts';
import { hostCarrierClock, type CarrierClock } from './sandbox/clock.ts';
import { createSandboxTelephonyCarrier, type SandboxTelephonyCarrier } from './sandbox/simulatedCarrier.ts';
import type { Body, SimulatedChannelCommand } from './sandbox/callLogLineFormat.ts';
import { sandboxCallLogInFile, type SandboxSharedCallLogFile } from './sandbox/sharedCallLogFile.ts';
import {
  sandboxNumberBehaviour,
  legDestinationNumber,
  type SandboxCarrierName,
} from './sandbox/numberBehaviour.ts';
import { simulatedRecordedSoundWav } from './sandbox/simulatedRecordedSound.ts';
import type { SimulatedChannel, Told } from './sandbox/channelStateTypes.ts';

export interface SandboxTelephonyOptions {
  /** `DATA_DIR`; the log goes to `sandbox/calls.log` in it. Processes that share it share the carrier. */
  dataDir: string;
  /** Where prompts are measured and recordings kept. */
  media: Pick<MediaStore, 'put' | 'stat'>;
  report: ReportFactToMachine;
  /** `SANDBOX_SPEED`: how many times faster than the world the carrier lives. Default 1. */
  speed?: number;
  /** Default: the host's. */
  clock?: CarrierClock;
  /** Instead of the file in `dataDir`; written under `by`. */
  log?: SandboxSharedCallLogFile;
  /** The name this process writes under, unlike any other's. Default: a random one. */
  by?: string;
  /** This process, as the nodes of a shard are known by; noted in the log. Default: not noted. */
  process?: string;
  /**
   * Whether every node that may have dialled for a shard writes to this log, given who is known to: only then does what
   * stands in it prove that a leg was never dialled. Default: it is not known.
   */
  knowsAll?: IsSandboxLogSharedByNodes;
  /** The carrier that a trunk leads to. Default: the first. */
  carrierOf?: (trunk: string) => SandboxCarrierName;
}

export type IsSandboxLogSharedByNodes = (shard: string, openedBy: ReadonlySet<string>) => Promise<boolean>;

const beepMs = 500;

/** The sandbox carrier of one process. `start` throws when the log cannot be opened. */
export const sandboxTelephony = (options: SandboxTelephonyOptions): Telephony => {
  const { dataDir, media, report, speed = 1, by = randomUUID(), clock = hostCarrierClock } = options;
  const { knowsAll = async () => false, carrierOf = () => 'first' } = options;
  const log = options.log ?? sandboxCallLogInFile({ folder: join(dataDir, 'sandbox'), by });
  const keepRecording = async (account: number, { fact, sound }: Told): Promise<void> => {
    if (fact.type === 'recorded' && sound)
      await media.put(account, fact.media, simulatedRecordedSoundWav(sound));
  };
  const lastsMs = lengthsOf(media, () => clock.now());
  const carrier = createSandboxTelephonyCarrier({
    log,
    clock,
    report,
    by,
    process: options.process,
    keepRecording,
  });

  return {
    phone: phoneOf(carrier),
    profile: { name: 'sandbox', callsPerSecond: 20_000, legs: 200_000, route: 'sandbox' },
    performers: {
      originate: (call) => originate(carrier, call, { speed, carrierOf }),
      hangUp: tellLeg(carrier, ifAlive, ({ reason }) => ({ do: 'hangUp', reason })),
      play: (call) => play(carrier, lastsMs, call),
      stopPlay: tellLeg(carrier, ifAlive, ({ playback }) => ({ do: 'stopPlay', playback })),
      detectMachine: tellLeg(carrier, mustBeUp, () => ({ do: 'detectMachine' })),
      hold: tellLeg(carrier, mustBeUp, ({ music }) => ({ do: 'hold', music })),
      bridge: (call) => bridge(carrier, call),
      unbridge: (call) =>
        carrier.ask(call.id, () => idsOf(call, call.params.legs).flatMap(partIfAlive(carrier))),
      sendDigits: tellLeg(carrier, mustBeUp, ({ digits }) => ({ do: 'sendDigits', digits })),
      record: tellLeg(carrier, mustBeUp, (params) => ({ do: 'record', ...params })),
      stopRecord: tellLeg(carrier, ifAlive, ({ recording }) => ({ do: 'stopRecord', recording })),
      adopt: (call) => takeOver(carrier, call, call.params.legs, knowsAll),
      lookUp: (call) => takeOver(carrier, call, [call.params.leg], knowsAll),
    },
    start: async () => carrier.open(),
    stop: () => carrier.close(),
    health: () => ({
      ok: carrier.trouble === undefined,
      detail: carrier.trouble ?? 'the sandbox carrier is up',
    }),
  };
};

const originate = (
  carrier: SandboxTelephonyCarrier,
  { id, params, machine, signal }: EffectCall<TelephonyEffects['originate']>,
  { speed, carrierOf }: Required<Pick<SandboxTelephonyOptions, 'speed' | 'carrierOf'>>,
): Promise<void> => {
  const { leg, to, callerId, ringSeconds, limitSeconds, attempt = 1, trunk } = params;
  return carrier.ask(id, () => {
    if (signal.aborted) throw new NotRetryable('late', `leg ${leg} was asked for too long ago to be dialled`);
    const number = legDestinationNumber(to);
    return [
      [
        legId(machine, leg),
        {
          ...{ do: 'originate', number, attempt, callerId, ringSeconds, limitSeconds },
          // A person is no faster than the world.
          speed: sandboxNumberBehaviour(number, attempt).inHand ? 1 : speed,
          ...(trunk !== undefined && { trunk }),
          ...(trunk !== undefined && carrierOf(trunk) === 'second' && { carrier: 'second' }),
        } satisfies Body,
      ],
    ];
  });
};

/** What a command needs of its leg: the channel, or nothing to do, or a refusal. */
type Need = (channel: SimulatedChannel | undefined, id: string) => SimulatedChannel | undefined;

/** Asked of a leg that is gone, there is nothing left to do. */
const ifAlive: Need = (channel) => (channel?.state === 'ended' ? undefined : channel);

const mustBeUp: Need = (channel, id) => {
  if (!channel || channel.state === 'ended') throw new NotRetryable('gone', `channel ${id} is gone`);
  if (channel.state !== 'up') throw new NotRetryable('notAnswered', `channel ${id} is not answered yet`);
  return channel;
};

/** A performer that gives one command to one leg. */
const tellLeg =
  <Params extends { leg: number }>(
    carrier: SandboxTelephonyCarrier,
    need: Need,
    command: (params: Params) => SimulatedChannelCommand,
  ): EffectPerformer<Params> =>
  ({ id, params, machine }) => {
    const channel = legId(machine, params.leg);
    return carrier.ask(id, () => (need(carrier.find(channel), channel) ? [[channel, command(params)]] : []));
  };

const play = async (
  carrier: SandboxTelephonyCarrier,
  lastsMs: Lengths,
  call: EffectCall<TelephonyEffects['play']>,
): Promise<void> => {
  const { playback, prompts } = call.params;
  const lengths = await Promise.all(prompts.map((prompt) => lengthOf(lastsMs, call.machine.account, prompt)));
  const missing = prompts.find((_, index) => lengths[index] === undefined);
  const command: SimulatedChannelCommand = {
    do: 'play',
    playback,
    lastsMs: lengths.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
    says: prompts.some((prompt) => 'media' in prompt),
    ...(missing && 'media' in missing && { missing: missing.media }),
  };
  const channel = legId(call.machine, call.params.leg);
  const media = prompts.flatMap((prompt) => ('media' in prompt ? [prompt.media] : []));
  await carrier.ask(call.id, () => {
    const { behaviour } = mustBeUp(carrier.find(channel), channel)!;
    return [[channel, behaviour.inHand ? { ...command, media } : command]];
  });
};

/** The telephones at the far end, for pages that play them. */
const phoneOf = (carrier: SandboxTelephonyCarrier): SimulatedPhone => {
  const see = (machine: LegOwner, leg: number): PhoneState | undefined => {
    const channel = carrier.find(legId(machine, leg));
    return (
      channel && { state: channel.state, inHand: channel.behaviour.inHand ?? false, hears: heardOn(channel) }
    );
  };
  return {
    see,
    act: async (machine, leg, act) => {
      const id = legId(machine, leg);
      await carrier.ask(`person ${randomUUID()}`, () =>
        ifAlive(carrier.find(id), id) ? [[id, { do: 'person', act }]] : [],
      );
      return see(machine, leg);
    },
  };
};

const heardOn = ({ plays: [play], time, speed }: SimulatedChannel): PhoneState['hears'] =>
  play
    ? {
        ...{ playback: play.playback, media: play.media ?? [] },
        ...{ lastsMs: Math.round(play.lastsMs / speed), forMs: Math.round((time - play.from) / speed) },
      }
    : null;

type Lengths = (media: { account: number; id: string }) => Promise<number>;

/** A file that is played to many is measured now and then only, milliseconds. */
const measuredForMs = 1_000;

class NoMedia extends Error {}

/** Milliseconds that media last; rejects with `NoMedia` when they do not exist. */
const lengthsOf = (media: Pick<MediaStore, 'stat'>, now: () => number): Lengths =>
  withTtlCache(
    async ({ account, id }) => {
      const stat = await media.stat(account, id);
      if (!stat) throw new NoMedia(`${id} of account ${account} is not there`);
      return stat.seconds * 1000;
    },
    { keyOf: ({ account, id }) => `${account} ${id}`, now, forMs: measuredForMs },
  );

/** Milliseconds that a prompt lasts; undefined when its media does not exist. */
const lengthOf = async (
  lastsMs: Lengths,
  account: number,
  prompt: AudioPrompt,
): Promise<number | undefined> => {
  if ('silenceMs' in prompt) return prompt.silenceMs;
  if ('tone' in prompt) return beepMs;
  try {
    return await lastsMs({ account, id: prompt.media });
  } catch (error) {
    if (error instanceof NoMedia) return undefined;
    throw error;
  }
};

const bridge = (
  carrier: SandboxTelephonyCarrier,
  call: EffectCall<TelephonyEffects['bridge']>,
): Promise<void> =>
  carrier.ask(call.id, () => {
    const [first, second] = idsOf(call, call.params.legs).map((id) => mustBeUp(carrier.find(id), id)!);
    return [
      [first!.id, hearing(second!)],
      [second!.id, hearing(first!)],
    ];
  });

const hearing = (other: SimulatedChannel): SimulatedChannelCommand => ({
  do: 'bridge',
  with: other.id,
  speaks: other.behaviour.speaks ?? false,
});

const partIfAlive =
  (carrier: SandboxTelephonyCarrier) =>
  (id: string): [string, SimulatedChannelCommand][] =>
    ifAlive(carrier.find(id), id) ? [[id, { do: 'unbridge' }]] : [];

/**
 * Facts of these legs are ours to tell from now on; those that were not told yet are told at once. A leg that is not
 * there and of which nothing was ever heard will not be dialled any more, so it may be dialled anew.
 */
const takeOver = async (
  carrier: SandboxTelephonyCarrier,
  call: EffectCall,
  legs: readonly number[],
  knowsAll: IsSandboxLogSharedByNodes,
): Promise<{ events: Fact[] }> => {
  const ids = idsOf(call, legs);
  const isCertain = await knowsAll(call.machine.shard, carrier.openedBy);
  await carrier.ask(call.id, () =>
    ids.flatMap((id): [string, Body][] => {
      if (carrier.find(id)) return [[id, { do: 'adopt' }]];
      return isCertain ? [[id, { do: 'void' }]] : [];
    }),
  );
  const events = legs.flatMap((leg, index) =>
    found(carrier.find(ids[index]!), leg, seenOf(call, leg), isCertain ? carrier.knownSince : undefined),
  );
  for (const [index, leg] of legs.entries()) carrier.listen(ids[index]!, seenOf(call, leg));
  return { events };
};

/** A leg that lives is found; one that ended tells its own end, unless that was told before or is forgotten. */
const found = (
  channel: SimulatedChannel | undefined,
  leg: number,
  seen: number,
  knownSince: number | undefined,
): Fact[] => {
  if (channel && channel.state !== 'ended') return [{ type: 'legFound', leg, state: channel.state }];
  if (channel && channel.seq > seen) return [];
  const unknown = { outcome: 'unreachable', cause: 0, sipStatus: 0, by: 'carrier', lost: true };
  const never = !channel && seen === 0 && knownSince !== undefined;
  return [{ type: 'hungUp', leg, ...unknown, ...(never && { neverSince: knownSince }) }];
};

const seenOf = (call: EffectCall, leg: number): number => call.seen[`leg ${leg}`] ?? 0;

const idsOf = (call: { machine: EffectCall['machine'] }, legs: readonly number[]): string[] =>
  legs.map((leg) => legId(call.machine, leg));
