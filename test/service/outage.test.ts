import { afterEach, describe, expect, it } from 'vitest';
import { openCutter } from '../helpers/cutter.ts';
import { freshDatabase } from '../helpers/database.ts';
import { aDataDir, dialsOf, recordsOf, startService } from './service.ts';
import { until } from '../helpers/patience.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A service whose way to the database can be cut. */
const behindAWire = async () => {
  const database = await freshDatabase();
  undo.push(() => database.drop());
  const url = new URL(database.url);
  const wire = await openCutter(Number(url.port));
  undo.push(() => wire.close());
  url.port = new URL(wire.url).port;
  const folder = aDataDir();
  undo.push(() => folder.remove());
  const service = await startService({
    databaseUrl: url.href,
    dataDir: folder.path,
    env: { SANDBOX_SPEED: '4' },
  });
  undo.push(() => service.kill());
  return { service, wire, folder };
};

describe('a database that is away for ten seconds', () => {
  it('makes requests answer 503, loses nothing acknowledged, and work goes on by itself', async () => {
    const { service, wire, folder } = await behindAWire();
    const place = (index: number) =>
      service.call('MakeTTSCall', {
        dest: `119876${String(500 + index).padStart(3, '0')}11`,
        text: 'Press',
        type: 3,
        dtime: 4,
        httpdup: 0,
      });
    const placed: string[] = [];
    for (let index = 0; index < 40; index++) {
      const answer = await place(index);
      expect(answer.status).toBe(200);
      placed.push(answer.body.return['cd_id']!);
    }
    await wire.cut();
    const cutAt = Date.now();
    const refused = await place(90);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.body.return).toMatchObject({ status_code: '503', cd_id: '0' });
    expect((await fetch(`${service.url}/mcp/health`)).status).toBe(503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, cutAt + 10_000 - Date.now())));
    await wire.mend();
    const records = await until(async () => {
      const found = await recordsOf(service).catch(() => undefined);
      return found && placed.every((id) => found.get(id)?.['cd_status']) && found;
    });
    expect(placed.map((id) => [records.get(id)!['cd_status'], records.get(id)!['resp_1']])).toEqual(
      placed.map(() => ['OK', '1']),
    );
    const dials = dialsOf(folder.path);
    expect(placed.filter((id) => dials.get(id)?.length !== 1)).toEqual([]);
    expect((await place(95)).status).toBe(200);
  });
});
