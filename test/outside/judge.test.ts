import { describe, expect, it } from 'vitest';
import type { Seen } from './evidence.ts';
import { judge, lenient, missing, strict } from './judge.ts';
import { type Spoiling, story } from './story.ts';

const account = 100;
const answer = (more: Partial<Extract<Seen, { kind: 'answered' }>>): Seen => ({
  ...{
    kind: 'answered',
    by: 'innocent',
    door: 'MakeSMS',
    tag: '',
    node: 'one',
    http: 200,
    code: '0',
    ms: 9,
    said: '',
  },
  ...more,
});
const record =
  (status: string, id: string): NonNullable<Spoiling['change']> =>
  (line) =>
    line.kind === 'record' && line.id === id ? { ...line, status } : line;

/** What is done to the story, and the rule that must speak. */
const spoiled: [string, string, Spoiling][] = [
  ['a call that never ended', 'one end', { change: record('', 'a_1') }],
  ['a message that is still on its way', 'one end', { change: record('submitted', '2') }],
  [
    'an acknowledged call that is in no record',
    'one end',
    { without: (line) => line.kind === 'record' && line.id === 'a_1' },
  ],
  [
    'one wish that was granted under two ids',
    'one end',
    { more: [{ kind: 'acknowledged', work: 'call', account, tag: 'w1', id: 'a_7' }] },
  ],
  [
    'one wish that became two calls',
    'one end',
    {
      more: [{ kind: 'record', work: 'call', account, id: 'a_7', tag: 'w1', status: 'OK', refunded: false }],
    },
  ],
  ['a receipt that was confirmed and forgotten', 'receipts', { change: record('unknown', '2') }],
  [
    'a message that is unknown though nothing was wrong',
    'unknown for a reason',
    { change: record('unknown', '3') },
  ],
  [
    'a call that was dialled twice',
    'dialled once',
    { more: [{ kind: 'dialled', call: 'a_1', leg: '1', attempt: 1, number: '' }] },
  ],
  ['an answered call that was never dialled', 'dialled once', { without: (line) => line.kind === 'dialled' }],
  [
    'a message that two carriers took',
    'submitted once',
    { more: [{ kind: 'submitted', carrier: 'other', tag: 'w2', result: 'silent', receipts: false }] },
  ],
  [
    'a delivered message that no carrier saw',
    'submitted once',
    { without: (line) => line.kind === 'submitted' && line.tag === 'w2' },
  ],
  [
    'an end that was never called back',
    'callbacks',
    { without: (line) => line.kind === 'calledBack' && line.id === 'e2' },
  ],
  ['a gap in the events', 'callbacks', { without: (line) => line.kind === 'calledBack' && line.id === 'e3' }],
  ['an event that changed its words', 'callbacks', { more: [calledAgain({ digest: 'other' })] }],
  ['an event that changed its id', 'callbacks', { more: [calledAgain({ id: 'e9', digest: 'e9' })] }],
  ['an event without a good signature', 'callbacks', { more: [calledAgain({ signed: false })] }],
  [
    'a message that was charged twice',
    'money',
    { more: [{ kind: 'entry', account, entry: 'charge', units: -800, message: '2' }] },
  ],
  [
    'a refused message that was not given back',
    'money',
    { without: (line) => line.kind === 'entry' && line.entry === 'refund' },
  ],
  [
    'a balance that is not the sum of its ledger',
    'money',
    { change: (line) => (line.kind === 'balance' ? { ...line, units: line.units + 1 } : line) },
  ],
  [
    'an innocent that was turned away without a reason',
    'others are served',
    { more: [answer({ http: 503 })] },
  ],
  ['an innocent that waited without a reason', 'others are served', { more: [answer({ ms: 9_000 })] }],
  [
    'an innocent that paid for others',
    'others are served',
    { more: [answer({ http: 503, said: 'too many large requests at a time' })] },
  ],
  [
    'a promise to an innocent that was kept late',
    'others go on',
    {
      change: (line) => (line.kind === 'submitted' && line.tag === 'w2' ? { ...line, at: 30_000 } : line),
      more: [{ kind: 'mended', at: 60_000 }],
      without: (line) => line.kind === 'mended',
    },
  ],
  ['a 500', 'no 500', { more: [answer({ by: 'hostile', http: 500 })] }],
  [
    'a node that is red without a reason',
    'health',
    {
      more: [
        { kind: 'health', node: 'one', path: '/readyz', http: 503, ms: 3, said: 'no', at: 100_000 },
        { kind: 'health', node: 'one', path: '/readyz', http: 503, ms: 3, said: 'no', at: 103_000 },
      ],
    },
  ],
  [
    'a process that says it does not live',
    'health',
    { more: [{ kind: 'health', node: 'one', path: '/healthz', http: 0, ms: 3, said: 'timeout' }] },
  ],
  [
    'a process that ended by itself',
    'no process dies',
    { more: [{ kind: 'exited', node: 'one', pid: 1, how: 'code 7', ours: false, words: 'Error' }] },
  ],
  [
    'a process that did not start again',
    'no process dies',
    { more: [{ kind: 'started', node: 'one', pid: 1, ready: false }] },
  ],
  [
    'memory without a bound',
    'memory is bounded',
    { more: [{ kind: 'memory', node: 'one', bytes: 2_000_000_000 }] },
  ],
  [
    'memory that stays above its bound',
    'memory is bounded',
    { more: [{ kind: 'memory', node: 'one', bytes: 700_000_000, at: 600_000 }] },
  ],
  [
    'a flooded log',
    'logs are bounded',
    { more: [{ kind: 'logged', node: 'one', lines: 1_868, bytes: 1, sample: '' }] },
  ],
  [
    'a token in a log',
    'secrets',
    { more: [{ kind: 'leaked', node: 'one', what: 'ADMIN_TOKEN', line: '[ADMIN_TOKEN]' }] },
  ],
];

function calledAgain(more: Partial<Extract<Seen, { kind: 'calledBack' }>>): Seen {
  const first = { id: 'e1', subject: 'a_1', event: 'queued', seq: 1, final: false, digest: 'e1' };
  return { kind: 'calledBack', account, signed: true, answer: 204, ...first, ...more };
}

describe('the judge from outside', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(judge(story(), strict)).toEqual([]);
  });

  it.each(spoiled)('catches %s', (_, rule, spoiling) => {
    const found = judge(story(spoiling), strict);
    expect(found.map((one) => one.rule)).toContain(rule);
    for (const { lines } of found) expect(lines.length).toBeGreaterThan(0);
  });

  it('excuses a node that was killed, but not its neighbour', () => {
    const fault = { kind: 'fault', fault: 'kill', node: 'one', count: 1, note: '' } as const;
    const during = (node: string): Spoiling => ({
      more: [
        { ...fault, phase: 'began', at: 100_000 },
        { ...answer({ node, http: 0 }), at: 101_000 },
        { ...fault, phase: 'ended', at: 102_000 },
      ],
    });
    expect(judge(story(during('one')), strict)).toEqual([]);
    expect(judge(story(during('two')), strict).map(({ rule }) => rule)).toEqual(['others are served']);
  });

  it.each([strict, lenient])('wants a node to be red while the database refuses writes', (bounds) => {
    const fault = { kind: 'fault', fault: 'readOnly', node: '', count: 1, note: '' } as const;
    const looks = (http: number): Spoiling => ({
      more: [
        { ...fault, phase: 'began', at: 100_000 },
        ...Array.from({ length: 18 }, (_, nth) => ({
          ...({ kind: 'health', node: 'one', path: '/readyz', http, ms: 3, said: '' } as const),
          at: 100_500 + nth * 500,
        })),
        { ...fault, phase: 'ended', at: 110_000 },
      ],
    });
    expect(judge(story(looks(503)), bounds)).toEqual([]);
    expect(judge(story(looks(200)), bounds).map(({ rule }) => rule)).toEqual(['health']);
  });

  it('says which fault was not done often enough', () => {
    expect(missing(story(), ['kill'], 2)).toEqual(['kill was done 0 times, and should have been 1 times']);
  });
});
