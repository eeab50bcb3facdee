import { describe, expect, it } from 'vitest';
import type { FaultName } from '../catalogue.ts';
import type { Evidence } from '../evidence.ts';
import { judge, lenient, strict } from '../judge.ts';
import { report } from '../report.ts';
import { story } from '../story.ts';
import { closedAfter } from './databases.ts';

const closed = '{"ready":false,"reasons":["shard a is closed: 3 commits are not in the database"]}';
const checking = '{"ready":false,"reasons":["shard a is checking: its nodes compare what they know"]}';

interface Course {
  fault: FaultName;
  /** What `/readyz` says while it is red, and for how long after the database is whole, milliseconds. */
  said?: string;
  redMs: number;
  /** Whether calls are dialled meanwhile. */
  dials?: boolean;
}

/** A fault of 10 s with the database away for 2 s, and looks twice a second for a minute. */
const course = ({ fault, said = checking, redMs, dials = true }: Course): Evidence[] => {
  const from = 100_000;
  const whole = from + 2_000;
  const fine = { kind: 'health', node: 'one', path: '/readyz', ms: 3 } as const;
  return story({
    without: (line) => line.kind === 'mended',
    more: [
      { kind: 'fault', fault, phase: 'began', node: '', count: 0, note: '', at: from },
      { kind: 'database', fault, phase: 'away', note: '', at: from },
      { kind: 'database', fault, phase: 'whole', note: '', at: whole },
      { kind: 'fault', fault, phase: 'ended', node: '', count: 1, note: '', at: whole + redMs },
      ...Array.from({ length: 120 }, (_, nth) => {
        const at = from + 500 + nth * 500;
        const isRed = at < whole + redMs;
        return { ...fine, at, http: isRed ? 503 : 200, said: isRed ? said : '' };
      }),
      ...Array.from({ length: dials ? 20 : 0 }, (_, nth) => calls(nth, whole + 1_000 * nth)).flat(),
      ...(dials ? [] : calls(99, whole + 2_000).filter(({ kind }) => kind !== 'dialled')),
      { kind: 'mended', at: 200_000 },
    ],
  });
};

const calls = (nth: number, at: number): Evidence[] => [
  { kind: 'acknowledged', work: 'call', account: 7, tag: `t${nth}`, id: `b_${nth}`, at: at + 1 },
  { kind: 'dialled', call: `b_${nth}`, leg: '1', attempt: 1, number: '', at: at + 2 },
  { kind: 'record', work: 'call', account: 7, id: `b_${nth}`, tag: `t${nth}`, status: 'OK', refunded: false, at: 190_000 }, // prettier-ignore
];

const found = (lines: Evidence[], bounds = strict): string[] =>
  judge(lines, bounds)
    .map(({ rule }) => rule)
    .filter((rule) => rule === 'databases');

describe('the judge of databases', () => {
  it('finds nothing where a shard is checked for seconds', () => {
    expect(found(course({ fault: 'promoteAsync', redMs: 8_000 }))).toEqual([]);
    expect(found(course({ fault: 'promoteSync', redMs: 8_000 }))).toEqual([]);
  });

  it('catches a node that is not ready half a minute after a lossy failover, a quarter after a complete one', () => {
    expect(found(course({ fault: 'promoteAsync', redMs: 32_000 }))).toEqual(['databases']);
    expect(found(course({ fault: 'promoteSync', redMs: 17_000 }))).toEqual(['databases']);
    expect(found(course({ fault: 'promoteAsync', redMs: 17_000 }))).toEqual([]);
    expect(found(course({ fault: 'promoteAsync', redMs: 32_000 }), lenient)).toEqual([]);
  });

  it('catches one that is never ready again', () => {
    expect(found(course({ fault: 'restoreOld', redMs: 58_000 }))).toEqual(['databases']);
  });

  it('catches a shard that waits for an operator though nothing is missing', () => {
    for (const fault of ['promoteSync', 'cutConnections', 'hangConnections'] as const)
      expect(found(course({ fault, said: closed, redMs: 4_000 }))).toEqual(['databases']);
    expect(found(course({ fault: 'promoteKilled', said: closed, redMs: 4_000 }))).toEqual([]);
  });

  it('catches a service that is ready and dials nothing', () => {
    expect(found(course({ fault: 'promoteSync', redMs: 4_000, dials: false }))).toEqual(['databases']);
  });

  it('excuses a node that was killed with the database, and no other', () => {
    const silent = (node: string): Evidence[] => [
      ...course({ fault: 'promoteKilled', redMs: 8_000 }),
      { kind: 'exited', node: 'two', pid: 2, how: 'SIGKILL', ours: true, words: '', at: 100_100 },
      { kind: 'health', node, path: '/healthz', http: 0, ms: 2, said: 'ECONNREFUSED', at: 104_000 },
      { kind: 'started', node: 'two', pid: 3, ready: true, at: 108_000 },
    ];
    const rules = (lines: Evidence[]): string[] =>
      judge(
        lines.toSorted((a, b) => a.at - b.at),
        strict,
      ).map(({ rule }) => rule);
    expect(rules(silent('two'))).toEqual([]);
    expect(rules(silent('one'))).toEqual(['health']);
  });

  it('says how long a node was not ready after each fault, and what it said', () => {
    const lines = course({ fault: 'promoteAsync', redMs: 8_000 });
    expect(closedAfter(lines)).toEqual([{ fault: 'promoteAsync', ms: 9_500, said: { checking: 19 } }]);
    const text = report({ evidence: lines, violations: [], complaints: [], skipped: [] });
    expect(text).toMatch(/promoteAsync +1 +1 +10\.0 +9\.5 +9\.5 +checking 19/);
  });
});
