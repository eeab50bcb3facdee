/** Judges builds that are broken on purpose, one after the other, and tells how each was found. */
import { rmSync } from 'node:fs';
import { type Break, type BreakName, breakNames, breaks } from './breaks.ts';
import { breakBuild } from './build/broken.ts';
import { by } from './evidence.ts';
import { judge, lenient } from './judge.ts';
import { runSession, type SessionOptions } from './session.ts';

/** A broken service need not come to rest. */
const restMs = 60_000;

/** The names of those that were missed. Throws for a name that is none, and for a text that is not found. */
export const findBreaks = async (
  names: readonly string[],
  { interrupted, say }: Pick<SessionOptions, 'interrupted' | 'say'>,
): Promise<string[]> => {
  const missed: string[] = [];
  const told: string[] = [];
  for (const name of names) {
    const one: Break | undefined = breaks[name as BreakName];
    if (!one) throw new Error(`there is no break ${name}, but ${breakNames.join(', ')}`);
    say(`${name}: ${one.says}`);
    const began = performance.now();
    const found = await findBreak(one, { interrupted, say });
    const seconds = Math.round((performance.now() - began) / 1_000);
    if (found.length === 0) missed.push(name);
    told.push(
      `${name}: ${found.length === 0 ? 'MISSED' : `found by ${found.join(', ')}`} after ${seconds} s`,
    );
    say(told.at(-1)!);
  }
  say(['', ...told].join('\n'));
  return missed;
};

/**
 * The awaited rules that found it, each with how often and an example. What others find says nothing of this break: a
 * machine that has too much to do is slow, and loses processes.
 */
const findBreak = async (
  { edits, foundBy, ...options }: Break,
  { interrupted, say }: Pick<SessionOptions, 'interrupted' | 'say'>,
): Promise<string[]> => {
  const build = breakBuild(edits);
  try {
    const session = await runSession({ ...options, main: build.main, restMs, interrupted, say });
    rmSync(session.folder, { recursive: true, force: true });
    const violations = judge(session.evidence, lenient);
    return [...by(violations, ({ rule }) => rule)]
      .filter(([rule]) => foundBy.includes(rule))
      .map(([rule, all]) => `${rule} (${all.length}, e.g. ${all[0]!.what.slice(0, 160)})`);
  } finally {
    build.remove();
  }
};
