/** The legs that this process looks after, and how it speaks of them. */
import type {
  RequestFromRealtimeAgent,
  LegOutcome,
  TelephonyEvent,
} from '../../../../machines/contracts/telephony.ts';
import type { Fact, ReportFactToMachine } from '../../../engine/contract/performer.ts';
import { legId } from '../../contracts/telephony.ts';
import type { LegMachineRef, Leg } from './legTypes.ts';

/** What is told of a leg, without leg and number. */
export type News = TelephonyEvent | RequestFromRealtimeAgent extends infer Event
  ? Event extends TelephonyEvent | RequestFromRealtimeAgent
    ? Omit<Event, 'leg' | 'source' | 'seq'>
    : never
  : never;

const newLeg = (machine: LegMachineRef, number: number): Leg => ({
  channel: legId(machine, number),
  machine: { shard: machine.shard, account: machine.account, id: machine.id },
  number,
  phase: 'dialing',
  placedAt: undefined,
  inControl: false,
  dialStatus: '',
  ending: false,
  hangingUp: undefined,
  held: undefined,
  bridge: undefined,
  leaving: undefined,
  plays: [],
  lastSeq: 0,
  lastDigitAt: '',
  hasNewOwner: false,
});

/** The year 2200, in hundredths of milliseconds. */
const LAST_SEQ = Date.UTC(2_200, 0) * 100;

/**
 * A fact with its number. Numbers follow Asterisk's clock, so that two processes that hear the same event give it
 * the same one and the engine drops the repeat; they ascend even when that clock steps back.
 */
export const toSequencedLegFact = (leg: Leg, news: News, timestamp?: string): Fact => {
  const told = timestamp ? Date.parse(timestamp.replace(/\+0000$/, 'Z')) * 100 : 0;
  // A clock years ahead would leave no number to ascend to.
  leg.lastSeq = Math.max(leg.lastSeq + 1, told < LAST_SEQ ? told : 0);
  return { ...news, leg: leg.number, source: `leg ${leg.number}`, seq: leg.lastSeq };
};

/** The end of a leg that was found gone. */
export const lostLegHangup = (leg: Leg): News => ({
  type: 'hungUp',
  outcome: lostOutcome(leg),
  cause: 0,
  sipStatus: 0,
  by: leg.ending ? 'us' : 'carrier',
  lost: true,
});

const lostOutcome = ({ phase, ending }: Leg): LegOutcome => {
  if (phase === 'up') return 'normal';
  return ending ? 'cancelled' : 'unreachable';
};

export interface Legs {
  /** Begins to look after a leg; `seen` is the highest number the machine has heard of it. */
  open(machine: LegMachineRef, number: number, seen?: number): Leg;
  find(channel: string): Leg | undefined;
  of(machine: LegMachineRef, number: number): Leg | undefined;
  forget(leg: Leg): void;
  all(): Iterable<Leg>;
  count(): number;
  tell(leg: Leg, news: News, timestamp?: string): void;
}

/** An empty table of legs that reports to the engine. */
export const createLegTable = (report: ReportFactToMachine): Legs => {
  const byChannel = new Map<string, Leg>();
  return {
    open: (machine, number, seen = 0) => {
      const leg = newLeg(machine, number);
      leg.lastSeq = seen;
      byChannel.set(leg.channel, leg);
      return leg;
    },
    find: (channel) => byChannel.get(channel),
    of: (machine, number) => byChannel.get(legId(machine, number)),
    forget: (leg) => {
      if (byChannel.get(leg.channel) === leg) byChannel.delete(leg.channel);
    },
    all: () => [...byChannel.values()],
    count: () => byChannel.size,
    tell: (leg, news, timestamp) => report(leg.machine, toSequencedLegFact(leg, news, timestamp)),
  };
};
