/** A small run with two Asterisks in which nothing is wrong, as evidence; tests of the judge spoil it in one place. */
import type { Evidence, Seen } from '../../evidence.ts';
import type { AttemptSeen, LegMoment } from '../../trunkEvidence.ts';

type Timed = Seen & { at: number };

/** What a carrier saw of a leg. */
export const leg = (
  carrier: string,
  call: string,
  nth: number,
  at: number,
  saw: LegMoment,
  sip = 0,
): Timed => ({ kind: 'leg', carrier, call, leg: nth, number: '5511987650000', saw, sip, took: at, at });

/** A leg that is answered after a second, and over when the service ends it. */
export const spoken = (carrier: string, call: string, nth: number, from: number, to: number): Timed[] => [
  leg(carrier, call, nth, from, 'dial'),
  leg(carrier, call, nth, from + 100, 'rang'),
  leg(carrier, call, nth, from + 1_000, 'answered'),
  leg(carrier, call, nth, to, 'left'),
];

/** A leg that its carrier refuses before it rings. */
export const refusedWith = (carrier: string, call: string, nth: number, at: number, sip: number): Timed[] => [
  leg(carrier, call, nth, at, 'dial'),
  leg(carrier, call, nth, at + 50, 'refused', sip),
];

/** An attempt as its record has it. */
export const attempt = (
  call: string,
  route: string,
  dialedAt: number,
  more: Partial<AttemptSeen>,
): Timed => ({
  ...{ kind: 'attempt', call, attempt: 1, route, status: 'OK', reason: 'normal', sipStatus: 0 },
  ...{ dialedAt, endedAt: dialedAt + 5_000, tries: [], at: endsAt, ...more },
});

const endsAt = 200_000;

const trunks: Timed[] = (['a', 'b'] as const).map((asterisk) => ({
  ...{ kind: 'trunk', at: 0, trunk: `carrier-${asterisk}`, asterisk },
  ...{ callsPerSecond: 5, legs: 3, failover: [500, 503] },
}));

/** Refused by one, spoken by the other. */
const rerouted: Timed[] = [
  ...refusedWith('b', 'a_1', 1, 1_000, 503),
  ...spoken('a', 'a_1', 2, 1_200, 6_000),
  attempt('a_1', 'carrier-a', 1_190, { tries: [{ route: 'carrier-b', leg: 1, sipStatus: 503 }] }),
];
const busy: Timed[] = [
  ...refusedWith('a', 'a_2', 1, 3_000, 486),
  attempt('a_2', 'carrier-a', 2_990, { status: 'BUSY', reason: 'busy', sipStatus: 486 }),
];
/** Lives while its Asterisk is drained. */
const drained: Timed[] = [
  ...spoken('a', 'a_3', 1, 8_000, 20_000),
  attempt('a_3', 'carrier-a', 7_990, { endedAt: 20_000 }),
  { kind: 'asterisk', asterisk: 'a', phase: 'draining', at: 10_000 },
  ...spoken('b', 'a_4', 1, 14_000, 17_000),
  attempt('a_4', 'carrier-b', 13_990, {}),
  { kind: 'asterisk', asterisk: 'a', phase: 'on', at: 20_000 },
];
/** Is cut off when its Asterisk is killed. */
const killed: Timed[] = [
  { kind: 'fault', fault: 'killAsterisk', phase: 'began', node: 'b', count: 0, note: '', at: 30_000 },
  ...spoken('b', 'a_5', 1, 25_000, 25_000).slice(0, 3),
  attempt('a_5', 'carrier-b', 24_990, { reason: 'lost', endedAt: 36_000 }),
  { kind: 'asterisk', asterisk: 'b', phase: 'killed', at: 30_000 },
  ...spoken('a', 'a_6', 1, 33_000, 36_000),
  attempt('a_6', 'carrier-a', 32_990, {}),
  { kind: 'asterisk', asterisk: 'b', phase: 'started', at: 38_000 },
  { kind: 'fault', fault: 'killAsterisk', phase: 'ended', node: 'b', count: 1, note: '', at: 38_000 },
];
const later: Timed[] = [
  ...spoken('b', 'a_7', 1, 60_000, 63_000),
  attempt('a_7', 'carrier-b', 59_990, {}),
  ...spoken('a', 'a_8', 1, 70_000, 73_000),
  attempt('a_8', 'carrier-a', 69_990, {}),
];
const end: Timed[] = [
  { kind: 'mended', at: 190_000 },
  ...['Asterisk a', 'Asterisk b', 'trunk carrier-a at node one'].map((where): Timed => ({
    kind: 'remains',
    where,
    count: 0,
    said: '',
    at: endsAt,
  })),
];

const whole = [...trunks, ...rerouted, ...busy, ...drained, ...killed, ...later, ...end];

/** How the story is spoiled. */
export interface TrunkSpoiling {
  /** Lines that are left out. */
  without?: (line: Seen) => boolean;
  /** What becomes of each. */
  change?: (line: Timed) => Timed;
  /** Lines beside the others. */
  more?: readonly Timed[];
}

/** Evidence of the story, in the order of its moments. */
export const trunkStory = ({
  without = () => false,
  change = (line) => line,
  more = [],
}: TrunkSpoiling = {}): Evidence[] =>
  [...whole.filter((line) => !without(line)).map(change), ...more].toSorted(
    (one, other) => one.at - other.at,
  );
