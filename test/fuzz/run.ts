/**
 * `npm run fuzz -- --requests 10000 --seed 7`: the test of this folder, for longer. With `--bytes` requests are damaged as
 * bytes, framing and all, and go to every door of the built service.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    bytes: { type: 'boolean', default: false },
    requests: { type: 'string' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 28)) },
  },
});
const { bytes, seed, requests = bytes ? '1000000' : '10000' } = values;
for (const [name, value] of Object.entries({ requests, seed })) {
  if (/^\d{1,9}$/.test(value)) continue;
  console.error(`--${name} must be a whole number: npm run fuzz -- --requests 10000 --seed 7`);
  process.exit(2);
}
console.log(`${requests} requests${bytes ? ' as bytes' : ''}, seed ${seed}`);

const node = (script: string, args: string[], env: Record<string, string> = {}): number =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../../node_modules', script), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status ?? 1;

if (bytes) {
  const built = node('typescript/bin/tsc', ['-p', 'tsconfig.build.json']);
  if (built !== 0) process.exit(built);
  const { fuzzBytes } = await import('./bytes/main.ts');
  process.exit(await fuzzBytes(Number(requests), Number(seed)));
}
process.exit(
  node('vitest/vitest.mjs', ['run', 'test/fuzz/fuzz.test.ts', 'test/fuzz/admin.test.ts'], {
    FUZZ_REQUESTS: requests,
    FUZZ_SEED: seed,
  }),
);
