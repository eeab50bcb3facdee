/** How long a campaign takes to choose its destinations: half a million records, block list and all. */
import type { ListRecordSelection } from '../../machines/campaign/input.ts';
import { createDestinationsFromList } from '../../src/store/sql/generateDestinations.ts';
import type { BenchDatabase } from './bed.ts';
import { metered } from './meter.ts';
import { ACCOUNT } from './node.ts';
import type { Section } from './section.ts';

const sizes = { full: 500_000, quick: 5_000 };
const LIST = 5;

/** What every campaign asks for, and what costs most: every number of a record judged by itself. */
const selections: Readonly<Record<string, ListRecordSelection>> = {
  'one number': { mobile: true, skipBlocklist: false, recordsPerName: 1, severalNumbers: false },
  'several numbers': { mobile: false, skipBlocklist: false, recordsPerName: 2, severalNumbers: true },
};

export const generation: Section = async ({ bed, quick, rounds, note, say }) => {
  const records = quick ? sizes.quick : sizes.full;
  for (let round = 0; round < rounds; round++)
    await bed.withDatabase(async (database) => {
      await fill(database, records);
      for (const [index, [name, selection]] of Object.entries(selections).entries()) {
        const campaign = index + 1;
        let destinations = 0;
        const cost = await metered(bed, database.pool, async () => {
          const query = { account: ACCOUNT, campaign, list: LIST, selection, globalBlocks: [] };
          ({ destinations } = await createDestinationsFromList(database.pool, query));
        });
        await audit(database, campaign, { records, destinations });
        say(`${name}: ${destinations} destinations of ${records} records`);
        note(`${name}: ${records.toLocaleString('en')} records`, {
          value: cost.seconds,
          unit: 's',
          ...(quick ? {} : { goal: { below: 60 } }),
        });
      }
    });
};

/** Records over five states, every second one with a second number, one in fifty twice, one in a hundred blocked. */
const fill = async ({ pool }: BenchDatabase, records: number): Promise<void> => {
  await pool.query(
    `INSERT INTO list_records (account_id, list_id, row, numbers, region, mobile, name, client_code, extra_1)
     SELECT $1, $2, nth, number || CASE WHEN nth % 2 = 0 THEN ' 551132' || lpad(nth::text, 6, '0') ELSE '' END,
       'SP', true, 'Person ' || nth, 'c' || nth, 'extra'
     FROM (SELECT nth, '55' || (ARRAY['11', '21', '31', '71', '92'])[1 + nth % 5] || '9'
       || lpad((CASE WHEN nth % 50 = 0 THEN nth - 1 ELSE nth END)::text, 8, '8') AS number
       FROM generate_series(1, $3) AS nth) AS numbered`,
    [ACCOUNT, LIST, records],
  );
  await pool.query(
    `INSERT INTO blocklist (account_id, number, created_at)
     SELECT $1, split_part(numbers, ' ', 1), 0 FROM list_records WHERE list_id = $2 AND row % 100 = 7
     ON CONFLICT DO NOTHING`,
    [ACCOUNT, LIST],
  );
  await pool.query('ANALYZE list_records, blocklist');
};

/** Every record is a destination, once, or stands among those that were left out. */
const audit = async (
  { pool }: BenchDatabase,
  campaign: number,
  told: { records: number; destinations: number },
): Promise<void> => {
  const { rows } = await pool.query<{ destinations: number; records: number }>(
    `SELECT count(*) FILTER (WHERE dialled)::int AS destinations, count(DISTINCT row)::int AS records
     FROM (SELECT row, true AS dialled FROM destinations WHERE account_id = $1 AND campaign_id = $2
       UNION ALL SELECT row, false FROM skipped_destinations WHERE account_id = $1 AND campaign_id = $2) AS judged
     HAVING count(*) = count(DISTINCT row)`,
    [ACCOUNT, campaign],
  );
  const [found] = rows;
  if (found?.records !== told.records || found.destinations !== told.destinations)
    throw new Error(
      `${JSON.stringify(told)} were told; there are ${JSON.stringify(found ?? 'twofold rows')}`,
    );
};
