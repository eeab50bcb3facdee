/**
 * npm run outside -- --seed 7 --minutes 2 [--faults kill,readOnly] [--rate 6] [--lenient] [--main dist/src/main.js]
 *
 * Ends with 0 when nothing was violated, every fault was done often enough, and everything came to rest. `--lenient`
 * (always with CI set) judges order and finality, not seconds. `--main` judges another build.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultNames } from './catalogue.ts';
import { judge, lenient, missing, strict } from './judge.ts';
import { report } from './report.ts';
import { runSession } from './session.ts';
import { possible } from './world/needs.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '2' },
    faults: { type: 'string' },
    rate: { type: 'string', default: '6' },
    lenient: { type: 'boolean', default: Boolean(process.env['CI']) },
    main: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const minutes = Number(values.minutes);
const wanted = values.faults?.split(',') ?? faultNames;
const { faults, skipped } = possible(faultNames.filter((name) => wanted.includes(name)));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const bounds = values.lenient ? lenient : strict;
const session = await runSession({
  seed,
  minutes,
  faults,
  perSecond: Number(values.rate),
  main: values.main,
  say,
});
const violations = judge(session.evidence, bounds);
const complaints = [...session.restless, ...missing(session.evidence, faults, minutes)];
say(report({ evidence: session.evidence, violations, complaints, skipped }));
const fine = violations.length === 0 && complaints.length === 0;
if (fine && !values.keep) rmSync(session.folder, { recursive: true, force: true });
else {
  writeFileSync(
    join(session.folder, 'evidence.jsonl'),
    session.evidence.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  say(
    `evidence and logs: ${session.folder}; the same again: npm run outside -- --seed ${seed} --minutes ${minutes}`,
  );
}
process.exit(fine ? 0 : 1);
