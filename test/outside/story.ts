/** A small run in which nothing is wrong, as evidence; tests of the judge spoil it in one place. */
import type { Evidence, Seen } from './evidence.ts';

const account = 100;
const price = 800;

const call: Seen[] = [
  { kind: 'asked', work: 'call', account, tag: 'w1' },
  { kind: 'acknowledged', work: 'call', account, tag: 'w1', id: 'a_1' },
  { kind: 'dialled', call: 'a_1', leg: '1', attempt: 1, number: '5511987650000' },
  calledBack({ id: 'e1', subject: 'a_1', event: 'queued', seq: 1 }),
  calledBack({ id: 'e2', subject: 'a_1', event: 'completed', seq: 2, final: true }),
];
const delivered: Seen[] = [
  { kind: 'asked', work: 'sms', account, tag: 'w2' },
  { kind: 'acknowledged', work: 'sms', account, tag: 'w2', id: '2' },
  { kind: 'submitted', carrier: 'main', tag: 'w2', result: 'taken', receipts: true },
  { kind: 'receipted', carrier: 'main', tag: 'w2', delivered: true },
  calledBack({ id: 'e3', subject: '2', event: 'sent', seq: 1 }),
  calledBack({ id: 'e4', subject: '2', event: 'delivered', seq: 2, final: true }),
];
const refused: Seen[] = [
  { kind: 'asked', work: 'sms', account, tag: 'w3' },
  { kind: 'submitted', carrier: 'main', tag: 'w3', result: 'refused', receipts: true },
  { kind: 'refused', work: 'sms', account, tag: 'w3', code: '300', id: '3' },
  calledBack({ id: 'e5', subject: '3', event: 'failed', seq: 1, final: true }),
];
const around: Seen[] = [
  {
    kind: 'answered',
    by: 'innocent',
    door: 'MakeSMS',
    tag: 'w2',
    node: 'one',
    http: 200,
    code: '0',
    ms: 12,
    said: 'OK',
  },
  { kind: 'health', node: 'one', path: '/healthz', http: 200, ms: 2, said: '' },
  { kind: 'health', node: 'one', path: '/readyz', http: 200, ms: 2, said: '' },
  { kind: 'memory', node: 'one', bytes: 250_000_000 },
  { kind: 'logged', node: 'one', lines: 3, bytes: 200, sample: '{}' },
  { kind: 'started', node: 'one', pid: 1, ready: true },
  { kind: 'exited', node: 'one', pid: 1, how: 'SIGKILL', ours: true, words: '' },
];
const end: Seen[] = [
  { kind: 'mended' },
  { kind: 'record', work: 'call', account, id: 'a_1', tag: 'w1', status: 'OK', refunded: false },
  { kind: 'record', work: 'sms', account, id: '2', tag: 'w2', status: 'delivered', refunded: false },
  { kind: 'record', work: 'sms', account, id: '3', tag: 'w3', status: 'failed', refunded: true },
  { kind: 'entry', account, entry: 'opening', units: 10_000, message: '' },
  { kind: 'entry', account, entry: 'charge', units: -price, message: '2' },
  { kind: 'entry', account, entry: 'charge', units: -price, message: '3' },
  { kind: 'entry', account, entry: 'refund', units: price, message: '3' },
  { kind: 'balance', account, units: 10_000 - price, prices: { sms: price, chat: 500 } },
];

type Called = Extract<Seen, { kind: 'calledBack' }>;

function calledBack(what: Partial<Called>): Called {
  return {
    ...{ kind: 'calledBack', account, id: '', subject: '', event: '', seq: 1, final: false },
    ...{ signed: true, digest: what.id ?? '', answer: 204, ...what },
  };
}

const whole: readonly Seen[] = [...call, ...delivered, ...refused, ...around, ...end];

export interface Spoiling {
  /** Lines that are left out. */
  without?: (line: Seen) => boolean;
  /** What becomes of each. */
  change?: (line: Seen) => Seen & { at?: number };
  /** Lines beside the others, at their own time or at the end. */
  more?: readonly (Seen & { at?: number })[];
}

/** Evidence of the story, a line a second. */
export const story = ({
  without = () => false,
  change = (line) => line,
  more = [],
}: Spoiling = {}): Evidence[] =>
  [...whole.filter((line) => !without(line)).map(change), ...more]
    .map((line, index) => ({ at: index * 1_000, ...line }))
    .toSorted((a, b) => a.at - b.at);
