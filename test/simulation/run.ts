/**
 * npm run simulate -- --seed N --calls 10000
 *   --minutes 600     ask for the calls over so long (default 1)
 *   --break guard     take a guard away: the run must fail
 *   --setbacks kept   the database goes back (kept), disks with journals are lost as well (lost), or never; default: as the
 *                     seed says
 *   --watch machine   tell that machine's story while it happens
 *   --replay          do the same to a real PostgreSQL afterwards, and compare row by row (some hundred calls)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/store/database.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrate.ts';
import { allSetbacks, breaks, type Break, type Setbacks } from './plan.ts';
import { report } from './report.ts';
import { replay } from './replay.ts';
import { simulate, type Outcome } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    calls: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '1' },
    break: { type: 'string' },
    setbacks: { type: 'string' },
    watch: { type: 'string' },
    replay: { type: 'boolean', default: false },
  },
});

const broken = values.break as Break | undefined;
if (broken && !breaks.includes(broken)) throw new Error(`--break takes one of ${breaks.join(', ')}`);
const setbacks = (values.replay ? 'never' : values.setbacks) as Setbacks | undefined;
if (setbacks && !allSetbacks.includes(setbacks))
  throw new Error(`--setbacks takes one of ${allSetbacks.join(', ')}`);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const plan = {
  seed,
  calls: Number(values.calls),
  minutes: Number(values.minutes),
  ...(broken ? { break: broken } : {}),
  ...(setbacks ? { setbacks } : {}),
  ...(values.watch ? { watch: Number(values.watch) } : {}),
};
const outcome = await simulate(plan, values.replay);
console.log(report(outcome));
const differences = values.replay ? await replayed(outcome) : [];
if (outcome.violations.length > 0 || differences.length > 0) process.exitCode = 1;

/** Replays the run on a PostgreSQL of its own. */
async function replayed({ deeds, kinds, database }: Outcome): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-replay-'));
  const server = await startEmbeddedPostgres({ dataDir });
  const pool = openDatabase({ name: 'a', url: server.url, schema: 'public' }, { maxConnections: 4 }).pool;
  await migrate(pool);
  const found = await replay(pool, kinds, deeds, database.tables);
  await pool.end();
  await server.stop();
  rmSync(dataDir, { recursive: true });
  console.log(`replayed ${deeds.length} deeds on PostgreSQL: ${found.length} differences`);
  for (const difference of found) console.log(`- ${difference}`);
  return found;
}
