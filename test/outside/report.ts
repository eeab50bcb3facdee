/** What a run came to, for people. */
import type { FaultName } from './catalogue.ts';
import { by, type Evidence, only } from './evidence.ts';
import { type Closed, closedAfter } from './judge/databases.ts';
import { mostAtATime, mostWithin } from './judge/trunks/limits.ts';
import { type Leg, legsOf } from './judge/trunks/legs.ts';
import { spansOf, type Violation } from './judge/violation.ts';

export interface Found {
  evidence: readonly Evidence[];
  violations: readonly Violation[];
  /** Sentences: what did not come to rest, and what was not done often enough. */
  complaints: readonly string[];
  /** Faults that could not be done here, with why. */
  skipped: readonly string[];
}

/** Of one rule so many are shown, and of one of them so many lines. */
const mostShown = 8;
const mostLines = 6;
const mostLetters = 1_000;

export const report = ({ evidence, violations, complaints, skipped }: Found): string => {
  const lines = [
    ...['', 'What was seen'],
    ...counts(evidence),
    ...['', 'Faults'],
    ...faultsDone(evidence),
    ...skipped.map((sentence) => `  left out: ${sentence}`),
    ...['', `${violations.length} violations`],
  ];
  for (const [rule, found] of by(violations, (one) => one.rule)) {
    lines.push(`  ${rule}: ${found.length}`);
    for (const { what, lines: rest } of found.slice(0, mostShown))
      lines.push(
        `    ${what}`,
        ...rest.slice(0, mostLines).map((line) => `      ${JSON.stringify(line).slice(0, mostLetters)}`),
      );
    if (found.length > mostShown) lines.push(`    and ${found.length - mostShown} more`);
  }
  return [...lines, ...complaints.map((sentence) => `  ${sentence}`)].join('\n');
};

const counts = (evidence: readonly Evidence[]): string[] => {
  const answers = only(evidence, 'answered');
  const innocent = answers.filter((line) => line.by === 'innocent');
  const memory = by(only(evidence, 'memory'), ({ node }) => node);
  const unknown = only(evidence, 'record').filter(({ status }) => status === 'unknown').length;
  const hostile = answers.filter((line) => line.by === 'hostile' && line.http > 0);
  const heard = hostile.filter(({ http }) => ![0, 404, 405, 408, 413, 415, 417, 431].includes(http)).length;
  const of = (kind: Evidence['kind']): number => only(evidence, kind).length;
  const most = [...memory].map(
    ([node, looks]) => `${node} ${Math.round(Math.max(...looks.map(({ bytes }) => bytes)) / 1e6)} MB`,
  );
  return [
    `  ${of('asked')} wishes, ${of('acknowledged')} acknowledged, ${of('refused')} refused, in ${answers.length} answers`,
    `  ${of('dialled')} dials, ${of('submitted')} submissions, ${of('receipted')} receipts, ${of('calledBack')} callbacks`,
    `  ${of('record')} records, of which ${unknown} are unknown, ${of('entry')} entries in ledgers`,
    `  ${hostile.length} hostile requests were answered, ${heard} of them by a handler`,
    `  innocent: ${innocent.length} requests, ${innocent.filter(({ http }) => http === 200).length} served, ` +
      `${innocent.filter(({ http }) => http === 503).length} told 503, slowest ${Math.max(0, ...innocent.map(({ ms }) => ms))} ms`,
    `  campaigns: ${of('campaign')} with ${of('destination')} numbers that are dialled and ${of('skipped')} left out, ${of('changed')} changes, ${of('blocked')} blocks`,
    `  memory at the most: ${most.join(', ')}`,
    ...trunkCounts(evidence),
  ];
};

/** Of a run with Asterisks: what carriers saw, what records say, and how close trunks came to what they bear. */
const trunkCounts = (evidence: readonly Evidence[]): string[] => {
  const legs = legsOf(evidence);
  const attempts = only(evidence, 'attempt');
  const ends = [...by(attempts, ({ status }) => status)].map(([status, own]) => `${status} ${own.length}`);
  const tried = attempts.reduce((sum, { tries }) => sum + tries.length, 0);
  const of = (carrier: string, isMeant: (leg: Leg) => boolean): number =>
    legs.filter((leg) => leg.carrier === carrier && isMeant(leg)).length;
  const seen = only(evidence, 'trunk').map(({ trunk, asterisk, callsPerSecond, legs: bears }) => {
    const own = legs.filter(({ carrier }) => carrier === asterisk);
    const counted = [
      `${own.length} legs`,
      `${of(asterisk, ({ answeredAt }) => answeredAt !== undefined)} answered`,
      `${of(asterisk, ({ refused }) => refused !== undefined)} refused`,
      `${of(asterisk, ({ isCutOff }) => isCutOff)} cut off`,
      `${mostWithin(own, 1_000)} new within a second (bears ${callsPerSecond})`,
      `${mostAtATime(own)} at a time (bears ${bears})`,
    ];
    return `  trunk ${trunk} on Asterisk ${asterisk}: ${counted.join(', ')}`;
  });
  if (seen.length === 0) return [];
  return [...seen, `  ${attempts.length} attempts: ${ends.join(', ')}; ${tried} tries before them`];
};

/** A table: how often, how many single things, for how long, and how long a node was not ready after it. */
const faultsDone = (evidence: readonly Evidence[]): string[] => {
  const ended = only(evidence, 'fault').filter(({ phase }) => phase === 'ended');
  const closed = closedAfter(evidence);
  const rows = [...by(spansOf(evidence), ({ fault }) => fault)].map(([name, spans]) => {
    const fault = name as FaultName;
    const own = ended.filter((line) => line.fault === fault);
    const single = own.reduce((sum, { count }) => sum + count, 0);
    const lasted = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    const times = [spans.length, single, seconds(lasted)].map(String);
    return [fault, ...times, ...redOf(closed.filter((one) => one.fault === fault))];
  });
  const head = ['', 'times', 'things', 'lasted s', 'not ready s', 'longest s', 'said'];
  return [head, ...rows].map(([name, ...cells]) =>
    `  ${name!.padEnd(18)}${cells.map((cell, nth) => (nth < 5 ? cell.padStart(12) : `  ${cell}`)).join('')}`.trimEnd(),
  );
};

const redOf = (closed: readonly Closed[]): string[] => {
  const total = closed.reduce((sum, { ms }) => sum + ms, 0);
  const longest = Math.max(0, ...closed.map(({ ms }) => ms));
  const said = ['checking', 'closed', 'other'].flatMap((state) => {
    const looks = closed.reduce((sum, one) => sum + (one.said[state] ?? 0), 0);
    return looks > 0 ? [`${state} ${looks}`] : [];
  });
  return closed.length === 0 ? ['', ''] : [seconds(total), seconds(longest), said.join(', ')];
};

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
