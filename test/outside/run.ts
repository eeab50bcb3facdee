/**
 * npm run outside -- --seed 7 --minutes 2 [--faults kill,readOnly] [--rate 6] [--lenient] [--main dist/src/main.js]
 *                    [--asterisks]
 *
 * `--asterisks`: calls go by two real Asterisks with a SIP carrier each (asterisksSession.ts), 1.5 wishes a second.
 * Ends with 0 when nothing was violated, every fault was done often enough, and everything came to rest. `--lenient`
 * (always with CI set) judges order and finality, not seconds. `--main` judges another build,
 * `--evidence` only what an earlier run has kept. `--break NAME` (or `all`) judges a build that is broken on purpose
 * (breaks.ts), with the seed and the faults that find it soonest: 0 then means that it was missed.
 */
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { breakNames } from './breaks.ts';
import { runWithAsterisks } from './asterisksSession.ts';
import { asteriskFaultNames, faultNames } from './catalogue.ts';
import { findBreaks } from './findBreaks.ts';
import type { Evidence } from './evidence.ts';
import { judge, lenient, missing, strict } from './judge.ts';
import { choose } from './plan.ts';
import { report } from './report.ts';
import { keepEvidence, runSession } from './session.ts';
import { possible } from './world/needs.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '2' },
    faults: { type: 'string' },
    rate: { type: 'string' },
    asterisks: { type: 'boolean', default: false },
    lenient: { type: 'boolean', default: Boolean(process.env['CI']) },
    main: { type: 'string' },
    break: { type: 'string' },
    evidence: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const minutes = Number(values.minutes);
const known = values.asterisks ? asteriskFaultNames : faultNames;
const wanted = values.faults?.split(',') ?? known;
const { faults: all, skipped } = possible(known.filter((name) => wanted.includes(name)));
const faults = choose({ seed, minutes, faults: all });
for (const name of all)
  if (!faults.includes(name)) skipped.push(`${name}: this seed has no time for it in ${minutes} minutes`);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const bounds = values.lenient ? lenient : strict;
/** Shows what it came to; whether nothing was wrong. */
const tell = (evidence: readonly Evidence[], restless: readonly string[]): boolean => {
  const violations = judge(evidence, bounds);
  const complaints = [...restless, ...missing(evidence, faults, minutes)];
  say(report({ evidence, violations, complaints, skipped }));
  return violations.length === 0 && complaints.length === 0;
};

if (values.evidence !== undefined) {
  const lines = readFileSync(values.evidence, 'utf8').trimEnd().split('\n');
  process.exit(
    tell(
      lines.map((line) => JSON.parse(line) as Evidence),
      [],
    )
      ? 0
      : 1,
  );
}
const perSecond = Number(values.rate ?? (values.asterisks ? '1.5' : '6'));
/** Ctrl-C: what was started is ended. */
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error(signal)));
});
interrupted.catch(() => {});
if (values.break !== undefined) {
  const names = values.break === 'all' ? breakNames : values.break.split(',');
  const missed = await findBreaks(names, { interrupted, say });
  // A single break exits with 1 when it was found, like any violation; several exit with 0 when all were.
  process.exit(names.length === 1 ? (missed.length === 0 ? 1 : 0) : missed.length === 0 ? 0 : 1);
}
const session = await (values.asterisks ? runWithAsterisks : runSession)({
  ...{ seed, minutes, faults, perSecond, interrupted, say },
  main: values.main,
});
const fine = tell(session.evidence, session.restless);
if (fine && !values.keep) rmSync(session.folder, { recursive: true, force: true });
else {
  keepEvidence(session.folder, session.evidence);
  const again = `${values.asterisks ? '--asterisks ' : ''}--seed ${seed} --minutes ${minutes}`;
  say(`evidence and logs: ${session.folder}; the same again: npm run outside -- ${again}`);
}
process.exit(fine ? 0 : 1);
