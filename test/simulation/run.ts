/** npm run simulate -- --seed N --calls 10000 [--break guard] [--watch machine] */
import { parseArgs } from 'node:util';
import { breaks, type Break } from './plan.ts';
import { report } from './report.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    calls: { type: 'string', default: '10000' },
    break: { type: 'string' },
    watch: { type: 'string' },
  },
});

const broken = values.break as Break | undefined;
if (broken && !breaks.includes(broken)) throw new Error(`--break takes one of ${breaks.join(', ')}`);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const outcome = await simulate({
  seed,
  calls: Number(values.calls),
  ...(broken ? { break: broken } : {}),
  ...(values.watch ? { watch: Number(values.watch) } : {}),
});
console.log(report(outcome));
process.exitCode = outcome.violations.length === 0 ? 0 : 1;
