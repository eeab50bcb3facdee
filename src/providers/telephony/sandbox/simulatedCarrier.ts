/**
 * The simulated carrier: all channels of the sandbox carrier as this process knows them, one timer for the earliest of
 * what is due, and the order in which things are written, done and told.
 *
 * Asks of one tick are taken together: first what other processes wrote, then one write, then the asks are
 * carried out. Every process that shares the log knows every channel; only the one that dialled or adopted a
 * channel last tells its facts.
 */
import { Retryable, NotRetryable, type ReportFactToMachine } from '../../../engine/contract/performer.ts';
import { parseLegId } from '../../contracts/telephony.ts';
import type { CarrierClock } from './clock.ts';
import { dueQueue, type DueItem } from './dueQueue.ts';
import { simulatedChannelNow, nextChannelEventAt, newSimulatedChannel } from './newChannelAndDueEvents.ts';
import { recentlyEndedChannels } from './recentlyEndedChannels.ts';
import { live, take } from './channelLife.ts';
import type { Body, Line } from './callLogLineFormat.ts';
import type { SandboxSharedCallLogFile } from './sharedCallLogFile.ts';
import {
  errorMessageOf,
  simulatedChannelEventReporter,
  type SaveRecording,
  type SimulatedChannelReportProgress,
} from './channelEventReporter.ts';
import type { SimulatedChannel } from './channelStateTypes.ts';

/** How soon an act of a person at another process is heard, milliseconds. */
const newsMs = 500;

export interface SandboxTelephonyCarrierOptions {
  log: SandboxSharedCallLogFile;
  clock: CarrierClock;
  report: ReportFactToMachine;
  /** The name this process writes under. */
  by: string;
  /** The name of this process among the nodes of a shard; absent: it is not written down. */
  process?: string | undefined;
  /** Makes the file of a recording; after it the recording is told. */
  keepRecording: SaveRecording;
}

/** What an ask comes to once the carrier's state is known: lines by channel. Throws to refuse. */
export type ComposeSharedCallLogEntries = () => readonly (readonly [channel: string, body: Body])[];

export interface SandboxTelephonyCarrier {
  open(): void;
  /** Tells nothing more; what was asked before is written. */
  close(): Promise<void>;
  /** Settles when the lines are with the operating system and carried out; rejects with what `compose` threw. */
  ask(effect: string, compose: ComposeSharedCallLogEntries): Promise<void>;
  /** A channel as it stands now; undefined when it never was, or ended long ago. */
  find(id: string): SimulatedChannel | undefined;
  /** From this moment on (epoch milliseconds) nothing was forgotten: what is not found was never dialled since. */
  readonly knownSince: number;
  /** Processes that are known to write here. */
  readonly openedBy: ReadonlySet<string>;
  /** Facts of this channel above `seq` are told from now on, those that happened already at once. */
  listen(id: string, seq: number): void;
  /** Why the log could not be written last time; undefined when it could. */
  readonly trouble: string | undefined;
}

interface Entry extends DueItem, SimulatedChannelReportProgress {}

interface Asked {
  effect: string;
  compose: ComposeSharedCallLogEntries;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

export const createSandboxTelephonyCarrier = ({
  log,
  clock,
  report,
  by,
  process,
  keepRecording,
}: SandboxTelephonyCarrierOptions): SandboxTelephonyCarrier => {
  const entries = new Map<string, Entry>();
  const ended = recentlyEndedChannels<Entry>((entry, since) => {
    entries.delete(entry.channel.id);
    knownSince = Math.max(knownSince, since);
  });
  /** Channels that must not be dialled any more, since a machine was told that they never were. */
  const voided = new Set<string>();
  let knownSince = 0;
  const openedBy = new Set<string>();
  const queue = dueQueue<Entry>();
  const { tell, quiet } = simulatedChannelEventReporter(report, keepRecording);
  let asked: Asked[] = [];
  let timer: { due: number; cancel: () => void } | undefined;
  let trouble: string | undefined;
  let closed = false;
  /** While a tick's asks are taken, time stands still: what is done is exactly what the log says. */
  let tick: number | undefined;
  const now = (): number => tick ?? clock.now();

  const arm = (): void => {
    const due = queue.first()?.due;
    if (due === undefined || closed || (timer && timer.due <= due)) return;
    timer?.cancel();
    timer = { due, cancel: clock.after(Math.max(0, due - clock.now()), fire) };
  };

  /** The news come first: a process that was stopped for a while must not tell what another has changed since. */
  const fire = (): void => {
    timer = undefined;
    try {
      hearNews();
    } catch (error) {
      trouble = errorMessageOf(error);
    }
    const until = clock.now();
    for (let entry = queue.first(); entry && entry.due <= until; entry = queue.first()) liveOn(entry, until);
    arm();
  };

  const liveOn = (entry: Entry, until: number): void => {
    live(entry.channel, until);
    settle(entry);
  };

  /** After a change: when to look again, what to tell, what to forget. */
  const settle = (entry: Entry): void => {
    queue.set(entry, nextLook(entry.channel));
    tell(entry);
    if (entry.channel.state === 'ended') ended.add(entry, entry.ours ? 'told' : 'untold', now());
  };

  /** What a person does at a page of another process stands in the log; nothing else says that it is there. */
  const nextLook = (channel: SimulatedChannel): number | undefined => {
    const due = nextChannelEventAt(channel);
    return channel.behaviour.inHand && due !== undefined ? Math.min(due, now() + newsMs) : due;
  };

  const enter = (channel: SimulatedChannel): Entry => {
    const { shard, account, id } = parseLegId(channel.id) ?? { shard: '', account: 0, id: 0 };
    const machine = { shard, account, id };
    const entry: Entry = { channel, machine, ours: false, told: 0, keeping: false, due: 0, place: -1 };
    const former = entries.get(channel.id);
    if (former) {
      queue.set(former, undefined);
      ended.remove(former);
    }
    entries.set(channel.id, entry);
    return entry;
  };

  /** Carries out one line, ours or another process's. */
  const carryOut = (line: Line): void => {
    const entry = entries.get(line.channel);
    if (line.do === 'carried') {
      knownSince = Math.max(knownSince, line.at);
      if (!entry) settle(enter(line.state));
    } else if (line.do === 'open') {
      openedBy.add(line.process);
    } else if (line.do === 'void') {
      voided.add(line.channel);
    } else if (line.do === 'originate') {
      if (voided.has(line.channel)) return;
      if (!entry || isFree(entry.channel, line.effect)) settle(dialled(line));
    } else if (entry) {
      if (line.do === 'adopt' && line.by !== by) entry.ours = false;
      take(entry.channel, line);
      settle(entry);
    }
  };

  const dialled = (line: Extract<Line, { do: 'originate' }>): Entry => {
    const entry = enter(newSimulatedChannel(line));
    entry.ours = line.by === by;
    return entry;
  };

  const hearNews = (): void => {
    for (const line of log.news()) carryOut(line);
  };

  /** Before anything is written it is certain that nothing was done. */
  const hearNewsOrRetry = (): void => {
    try {
      hearNews();
    } catch (cause) {
      throw new Retryable(`the sandbox carrier's log: ${errorMessageOf(cause)}`, { cause });
    }
  };

  const flush = (): void => {
    if (closed) return;
    const batch = asked;
    asked = [];
    tick = clock.now();
    try {
      hearNewsOrRetry();
      const lines: Line[] = [];
      const dials = new Set<string>();
      const accepted = batch.filter((ask) => compose(ask, lines, dials));
      if (lines.length > 0) log.append(lines);
      for (const line of lines) carryOut(line);
      for (const ask of accepted) ask.resolve();
      trouble = undefined;
      if (log.isLong) cut();
    } catch (error) {
      trouble = errorMessageOf(error);
      for (const ask of batch) ask.reject(error);
    }
    tick = undefined;
    arm();
  };

  /** Adds an ask's lines; false when it was refused. */
  const compose = (ask: Asked, lines: Line[], dials: Set<string>): boolean => {
    try {
      const bodies = ask.compose();
      for (const [channel, body] of bodies) if (body.do === 'originate') refuseDuplicate(channel, dials);
      for (const [channel, body] of bodies) {
        lines.push({ at: momentFor(channel), channel, effect: ask.effect, by, ...body });
      }
      return true;
    } catch (error) {
      ask.reject(error);
      return false;
    }
  };

  /** Now; but nothing is done to a channel before what it has lived through, should the host's clock step back. */
  const momentFor = (id: string): number => {
    const entry = entries.get(id);
    const living = entry && entry.channel.state !== 'ended';
    return living ? Math.max(now(), simulatedChannelNow(entry.channel)) : now();
  };

  /** A living channel is not dialled again, nor is one that this very tick dials, or that was given up. */
  const refuseDuplicate = (channel: string, dials: Set<string>): void => {
    if (voided.has(channel))
      throw new NotRetryable('late', `channel ${channel} was given up before it was dialled`);
    const living = entries.get(channel)?.channel.state ?? 'ended';
    if (living !== 'ended' || dials.has(channel)) {
      throw new NotRetryable('duplicate', `channel ${channel} lives already`);
    }
    dials.add(channel);
  };

  const cut = (): void => {
    const at = clock.now();
    log.cut(
      [...entries.values()].map(({ channel }) => ({
        at,
        channel: channel.id,
        effect: 'cut',
        by,
        do: 'carried',
        state: channel,
      })),
    );
  };

  return {
    open: () => {
      log.open();
      hearNews();
      if (process !== undefined) {
        openedBy.add(process);
        log.append([{ at: clock.now(), channel: '', effect: 'open', by, do: 'open', process }]);
      }
      arm();
    },
    close: async () => {
      if (closed) return;
      flush();
      closed = true;
      timer?.cancel();
      await quiet();
      log.close();
    },
    ask: (effect, composeLines) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Retryable('the sandbox carrier is stopped'));
        if (asked.length === 0) clock.soon(flush);
        asked.push({ effect, compose: composeLines, resolve, reject });
      }),
    find: (id) => {
      const entry = entries.get(id);
      if (entry) liveOn(entry, now());
      return entry?.channel;
    },
    listen: (id, seq) => {
      const entry = entries.get(id);
      if (!entry) return;
      entry.ours = true;
      entry.told = seq;
      settle(entry);
    },
    openedBy,
    get knownSince() {
      return knownSince;
    },
    get trouble() {
      return trouble;
    },
  };
};

const isFree = (channel: SimulatedChannel, effect: string): boolean =>
  channel.state === 'ended' && !channel.effects.includes(effect);
