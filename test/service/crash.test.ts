import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../packages/client/src/index.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { dialsOf, recordsOf, type RunningService, storyOf } from './service.ts';
import { servicesWith } from './services.ts';
import { until } from '../helpers/patience.ts';

/** What each ending must come to; digits pressed before a crash are kept. */
const expected: Record<string, { status: string; digit?: string }> = {
  '00': { status: 'OK' },
  '01': { status: 'BUSY' },
  '02': { status: 'NOANSWER' },
  '03': { status: 'CONGESTION' },
  '04': { status: 'CHANUNAVAIL' },
  '06': { status: 'OK' },
  '07': { status: 'OK' },
  '11': { status: 'OK', digit: '1' },
  '15': { status: 'OK', digit: '5' },
  '30': { status: 'OK' },
};
const endings = Object.keys(expected);

/** Calls of every ending, in every phase: most ask for a digit, some are transferred, some are recorded. */
const placeCalls = async (services: RunningService[], count: number): Promise<Map<string, string>> => {
  const placed = new Map<string, string>();
  const one = async (index: number): Promise<void> => {
    const ending = endings[index % endings.length]!;
    const { return: made } = await services[index % services.length]!.ramal.makeTTSCall({
      // None of the longer endings (99603) comes about by chance.
      dest: `1198${String(1_000 + index)}0${ending}`,
      text: `Message number ${index % 7}. Press a key.`,
      type: index % 3 === 0 ? '3' : '0',
      dtime: 4,
      ringtime: 25,
      httpdup: 0,
    });
    placed.set(made.cd_id, ending);
  };
  for (let at = 0; at < count; at += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - at) }, (_, nth) => one(at + nth)));
  return placed;
};

/** Waits until so many calls have ended. Asks the database: a thousand records are much to ask the service for, so often. */
const untilEnded = ({ pool }: TestDatabase, calls: number): Promise<boolean> =>
  until(async () => {
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM calls WHERE status <> ''`,
    );
    return rows[0]!.n >= calls;
  });

/** Every call came to what its number does, and the carrier rang for it once. What did not tells its story. */
const expectOutcomes = async (
  service: RunningService,
  database: TestDatabase,
  dataDir: string,
  placed: Map<string, string>,
): Promise<void> => {
  await untilEnded(database, placed.size);
  const records = await recordsOf(service);
  const dials = dialsOf(dataDir);
  const wrong = [...placed].flatMap(([id, ending]) => {
    const faults = faultsOf(ending, records.get(id)!, dials.get(id) ?? []);
    return faults.length > 0 ? [{ id, ending, faults }] : [];
  });
  const told = wrong.map(async (one) => ({ ...one, story: await storyOf(service, one.id) }));
  expect(await Promise.all(told)).toEqual([]);
};

const faultsOf = (ending: string, record: CallRecord, dials: string[]): string[] => {
  const { status, digit } = expected[ending]!;
  const faults: string[] = [];
  if (dials.length !== 1) faults.push(`was dialled ${dials.length} times: ${dials.join(', ')}`);
  if (record['cd_status'] !== status) faults.push(`is ${record['cd_status']}, not ${status}`);
  if (digit && record['resp_1'] !== digit) faults.push(`heard "${record['resp_1']}", not ${digit}`);
  return faults;
};

describe('a service that dies', () => {
  const services = servicesWith({ SANDBOX_SPEED: '2' });

  it('loses none of 200 calls to a kill in the middle of everything, and dials none twice', async () => {
    const first = await services.start();
    const placed = await placeCalls([first], 200);
    await untilEnded(services.database, 40);
    await first.kill();
    const second = await services.start();
    await expectOutcomes(second, services.database, services.dataDir, placed);
  });

  it('goes on after it was stopped for 20 seconds as if it had blinked', async () => {
    const service = await services.start({ GRACE_SECONDS: '10' });
    const placed = await placeCalls([service], 200);
    service.process.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    service.process.kill('SIGCONT');
    await expectOutcomes(service, services.database, services.dataDir, placed);
  });

  it('shares 1,000 calls with a second process, which finishes the calls of the one that is killed', async () => {
    const [one, other] = await Promise.all([services.start(), services.start()]);
    const placed = await placeCalls([one, other], 1_000);
    await untilEnded(services.database, 300);
    await one.kill();
    await expectOutcomes(other, services.database, services.dataDir, placed);
    const { rows } = await services.database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM (SELECT machine_id FROM history GROUP BY account_id, machine_id, revision, machine_id HAVING count(*) > 1) AS twice`,
    );
    expect(rows[0]!.n).toBe(0);
  });
});
