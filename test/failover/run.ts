/**
 * npm run failover -- [--numbers 3000] [--scenarios lossy,killed,restored,synchronous] [--speed 20]
 *
 * A campaign with two resends on two nodes of the built service, and a database that goes back in the middle of it:
 *
 *   lossy        a standby two seconds behind is promoted; both nodes live
 *   killed       the same, with one node killed at that moment and the other idle
 *   restored     a copy taken a minute ago (`--age`) is put in the place of the primary's data
 *   synchronous  a standby that has every commit is promoted
 *
 * Counted at the carrier: no number is dialled oftener than the resends allow, no destination is left out, every call that
 * was made is on record. Ends with 0 when that holds for every scenario.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { numbersEnding, putList } from '../campaigns/lists.ts';
import { openPair, type Pair } from '../helpers/postgres/pair.ts';
import { demoAccount } from '../helpers/service.ts';
import { dialledNumbers, recordsOf, type RunningService, startService } from '../service/service.ts';

const names = ['lossy', 'killed', 'restored', 'synchronous'] as const;
type Scenario = (typeof names)[number];

const { values } = parseArgs({
  options: {
    numbers: { type: 'string', default: '3000' },
    scenarios: { type: 'string', default: names.join() },
    speed: { type: 'string', default: '20' },
    /** How old the copy is that is restored, seconds. */
    age: { type: 'string', default: '60' },
  },
});
const [numbers, speed, age] = [values.numbers, values.speed, values.age].map(Number) as [
  number,
  number,
  number,
];
const RESENDS = 2;
/** How those end that are called: answered, busy, no answer, congestion. */
const ENDINGS = ['00', '01', '02', '03', '00', '06'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Stage {
  pair: Pair;
  nodes: RunningService[];
  dataDir: string;
}

const onStage = async (scenario: Scenario, play: (stage: Stage) => Promise<string[]>): Promise<string[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-failover-'));
  const pair = await openPair({ synchronous: scenario === 'synchronous' });
  const nodes: RunningService[] = [];
  try {
    for (const name of ['one', 'two'])
      nodes.push(
        await startService({
          ...{ databaseUrl: pair.url(), dataDir },
          env: { SANDBOX_SPEED: String(speed), GRACE_SECONDS: '4', NODE_NAME: name, LOG_LEVEL: 'warn' },
        }),
      );
    return await play({ pair, nodes, dataDir });
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    await pair.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
};

const beginCampaign = async ({ pair, nodes }: Stage, node: number): Promise<void> => {
  const pool = new Pool({ connectionString: pair.primary.url });
  await putList(pool, demoAccount, 5, numbersEnding(numbers, ENDINGS));
  await pool.end();
  await nodes[node]!.ramal.createCampaign({
    ...{ name: 'failover', cdlc_id: 5, text: 'Boa tarde.', cp_ativo: 1, limit_name: 0 },
    ...{ resends: RESENDS, time_resends: 1 },
  });
};

const until = async (
  what: string,
  look: () => Promise<boolean> | boolean,
  seconds: number,
): Promise<number> => {
  const began = performance.now();
  for (;;) {
    if (await Promise.resolve(look()).catch?.(() => false)) return (performance.now() - began) / 1_000;
    if (performance.now() - began > seconds * 1_000) throw new Error(`${what}: not within ${seconds} s`);
    await pause(50);
  }
};

const dials = ({ dataDir }: Stage): number =>
  [...dialledNumbers(dataDir).values()].reduce((sum, n) => sum + n, 0);

/** What happens to the database in the middle of it, and which nodes live afterwards. */
const goBack: Record<Scenario, (stage: Stage) => Promise<RunningService[]>> = {
  lossy: async ({ pair, nodes }) => {
    await pair.lag();
    await pause(2_000);
    await pair.killPrimary();
    await pair.promote();
    return nodes;
  },
  killed: async ({ pair, nodes }) => {
    await pair.lag();
    await pause(2_000);
    await Promise.all([nodes[1]!.kill(), pair.killPrimary()]);
    await pair.promote();
    return [nodes[0]!];
  },
  restored: async ({ pair, nodes }) => {
    const backup = await pair.backup();
    await pause(age * 1_000);
    await backup.restore(pair.primary);
    return nodes;
  },
  synchronous: async ({ pair, nodes }) => {
    await pair.killPrimary();
    await pair.promote();
    return nodes;
  },
};

const play = async (scenario: Scenario, stage: Stage): Promise<string[]> => {
  // In `killed` the other node does all the work: what it leaves is idle.
  await beginCampaign(stage, scenario === 'killed' ? 1 : 0);
  const share = scenario === 'restored' ? 0.05 : 0.3;
  await until('the campaign goes on', () => dials(stage) > numbers * share, 300);
  const living = await goBack[scenario](stage);
  const before = dials(stage);
  const back = performance.now();
  const again = await until('it dials again', () => dials(stage) > before + 5, 120);
  const campaignOf = async () => (await living[0]!.ramal.getCampaignsList()).campaigns[0]!;
  await until('the campaign is completed', async () => (await campaignOf()).cp_state === 'completed', 900);
  const seconds = Math.round((performance.now() - back) / 1_000);
  const made = dialledNumbers(stage.dataDir);
  const records = await recordsOf(living[0]!);
  const wanted = numbersEnding(numbers, ENDINGS).map((record) => record.numbers);
  const wrong: string[] = [];
  const tooOften = [...made].filter(([, times]) => times > 1 + RESENDS);
  const skipped = wanted.filter((number) => !made.has(localOf(number)));
  const onRecord = new Set([...records.values()].map(({ dest }) => localOf(dest)));
  const unrecorded = [...made.keys()].filter((number) => !onRecord.has(number));
  if (tooOften.length > 0)
    wrong.push(`${tooOften.length} numbers dialled too often: ${tooOften.slice(0, 3).join(' ')}`);
  if (skipped.length > 0)
    wrong.push(`${skipped.length} destinations left out: ${skipped.slice(0, 3).join(' ')}`);
  if (unrecorded.length > 0)
    wrong.push(`${unrecorded.length} calls on no record: ${unrecorded.slice(0, 3).join(' ')}`);
  const open = [...records.values()].filter(({ cd_status }) => !cd_status);
  if (open.length > 0) wrong.push(`${open.length} records without an end`);
  say(
    `${scenario}: ${before} dials before, dials again after ${again.toFixed(1)} s, through after ${seconds} s; ` +
      `${made.size} numbers dialled ${dials(stage)} times, ${records.size} records: ${wrong.length === 0 ? 'holds' : wrong.join('; ')}`,
  );
  if (wrong.length > 0) for (const node of living) say(node.output().slice(-3_000));
  return wrong;
};

/** Without the country. */
const localOf = (number: string): string => number.slice(-11);

let failed = 0;
for (const scenario of values.scenarios.split(',') as Scenario[]) {
  const wrong = await onStage(scenario, (stage) => play(scenario, stage)).catch((error: unknown) => {
    say(`${scenario}: ${String(error)}`);
    return ['it broke'];
  });
  failed += wrong.length;
}
process.exitCode = failed === 0 ? 0 : 1;
