/** The processes: they do not end by themselves, do not grow without bound, and neither flood their log nor tell secrets. */
import { by, only } from '../evidence.ts';
import type { Rule } from './violation.ts';

export const noProcessDies: Rule = (lines) => [
  ...only(lines, 'exited')
    .filter(({ ours }) => !ours)
    .map((line) => ({
      rule: 'no process dies',
      what: `${line.node} ended by itself (${line.how}): ${line.words.slice(-600)}`,
      lines: [line],
    })),
  ...only(lines, 'started')
    .filter(({ ready }) => !ready)
    .map((line) => ({ rule: 'no process dies', what: `${line.node} did not become ready`, lines: [line] })),
];

/**
 * The time in which garbage is collected, milliseconds: V8 lets it be until the heap is up to four times what lives. A node that is
 * not busy takes longer: one held 620 to 725 MB for 200 seconds, and 399 after the collection.
 */
const collectedMs = 300_000;

/** A process may hold twice the bound for a while, until its garbage is collected. */
export const memoryIsBounded: Rule = (lines, { mostMemory }) =>
  [...by(only(lines, 'memory'), ({ node }) => node)].flatMap(([node, looks]) => {
    const least = leastOfWhiles(looks);
    const most = looks.reduce((highest, look) => (look.bytes > highest.bytes ? look : highest));
    const held =
      least.find(({ bytes }) => bytes > mostMemory) ?? (most.bytes > 2 * mostMemory ? most : undefined);
    if (!held) return [];
    const what = `${node} held ${Math.round(held.bytes / 1e6)} MB`;
    return [{ rule: 'memory is bounded', what, lines: [held] }];
  });

/** Of each whole time of collection the lowest; what is left over at the end belongs to the one before. */
const leastOfWhiles = <Look extends { at: number; bytes: number }>(looks: readonly Look[]): Look[] => {
  const whole = Math.max(1, Math.floor((looks.at(-1)?.at ?? 0) / collectedMs));
  const byWhile = by(looks, ({ at }) => String(Math.min(whole - 1, Math.floor(at / collectedMs))));
  return [...byWhile.values()].map((of) =>
    of.reduce((least, look) => (look.bytes < least.bytes ? look : least)),
  );
};

/** The window in which lines of a log are counted, milliseconds. */
const windowMs = 10_000;

export const logsAreBounded: Rule = (lines, { mostLines }) =>
  [...by(only(lines, 'logged'), ({ node }) => node)].flatMap(([node, seconds]) => {
    for (const [index, { at }] of seconds.entries()) {
      const window = seconds.slice(index).filter((second) => second.at < at + windowMs);
      const count = window.reduce((sum, second) => sum + second.lines, 0);
      if (count <= mostLines) continue;
      const what = `${node} wrote ${count} lines to its log within ten seconds`;
      return [{ rule: 'logs are bounded', what, lines: window }];
    }
    return [];
  });

export const secretsStaySecret: Rule = (lines) =>
  only(lines, 'leaked').map((line) => ({
    rule: 'secrets',
    what: `${line.node} wrote ${line.what} to its log`,
    lines: [line],
  }));
