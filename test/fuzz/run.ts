/** `npm run fuzz -- --requests 10000 --seed 7`: the test of this folder, for longer. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 28)) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,9}$/.test(value)) continue;
  console.error(`--${name} must be a whole number: npm run fuzz -- --requests 10000 --seed 7`);
  process.exit(2);
}
console.log(`${values.requests} requests, seed ${values.seed}`);
const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed },
});
process.exit(status ?? 1);
