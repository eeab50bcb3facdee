import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DeliveryInput } from '../../machines/delivery/input.ts';
import { startService as startInside } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { type TestDatabase, withDatabase } from '../helpers/database.ts';
import { aDataDir, adminToken, startService } from './service.ts';
import { patienceMs, until } from '../helpers/patience.ts';

const account = 3;
const calls = 60_000;
const profiles = `/accounts/${account}/delivery-profiles`;

/** A campaign that is over, with enough calls for its file to take a while. */
const layCampaign = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(
    `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
      date_start, date_end, time_start, time_end)
      VALUES ($1, 9, 0, 'play', 9, '{}', 'x', true, 'completed', '2026-11-20', '2026-11-20', '09:00:00', '18:00:00')`,
    [account],
  );
  await pool.query(
    `INSERT INTO calls (account_id, id, requested_at, destination, mode, campaign_id, status, called_at, finished)
      SELECT $1, 9000000 + row, 1, '5511987650000', 'play', 9, 'NOANSWER', 1795188600000, true
      FROM generate_series(1, $2::int) AS row`,
    [account, calls],
  );
};

/** Leaves a dead letter to a profile that is switched off; answers the delivery's name. */
const leaveDeadLetter = async (url: string, dataDir: string, profile: number): Promise<string> => {
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, ADMIN_TOKEN: adminToken });
  const { engine, stop } = await startInside({ ...config, port: 0, host: '127.0.0.1' }, openLog('silent'));
  const subject = { campaign: 9, profile, file: 'results.csv' };
  const input: DeliveryInput = { purpose: 'results', subject, about: 'campaign 9', target: 'folder' };
  const begun = await engine.start({ kind: 'delivery', shard: 'a', account, input });
  if (begun.outcome !== 'started') throw new Error('not started');
  expect(await engine.waitFor(begun.ref, 'deadLetter', patienceMs)).toBe('reached');
  await stop();
  return `a_${begun.ref.id}`;
};

it('a process killed while it writes a file: the next writes it whole, and removes the half', async () => {
  await withDatabase(async (database) => {
    const dataDir = aDataDir();
    const start = () => startService({ databaseUrl: database.url, dataDir: dataDir.path });
    const files = (): string[] => {
      try {
        return readdirSync(join(dataDir.path, 'deliveries', String(account)));
      } catch {
        return [];
      }
    };
    let service = await start();
    await layCampaign(database);
    const made = await service.admin('POST', profiles, { name: 'f', kind: 'folder', active: false });
    const profile = Number(made.body['profile_id']);
    await service.stop();
    const delivery = await leaveDeadLetter(database.url, dataDir.path, profile);

    service = await start();
    await service.admin('PATCH', `${profiles}/${profile}`, { active: true });
    await service.admin('POST', `/machines/${delivery}/events`, { type: 'replay' });
    await until(() => files().some((file) => file.endsWith('.part')));
    await service.kill();
    expect(files()).toHaveLength(1);
    expect(files()[0]).toMatch(/\.part$/);

    service = await start();
    await until(async () => {
      const { body } = await service.admin('GET', `/machines/${delivery}`);
      return (body as { state?: string }).state === 'delivered';
    });
    expect(files()).toEqual(['results.csv']);
    const text = readFileSync(join(dataDir.path, 'deliveries', String(account), 'results.csv'), 'utf8');
    expect(text.split('\r\n')).toHaveLength(calls + 2);
    await service.stop();
    dataDir.remove();
  });
});
