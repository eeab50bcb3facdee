/** Talk on a real Asterisk that the balance pays for: it ends at the carrier where no step more can be paid. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacking, startBed, tellsOnFailure, type Bed } from '../asterisk/bed.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { until } from '../helpers/patience.ts';
import { aDataDir, startService, type RunningService } from './service.ts';

const absent = lacking();
/** Of one call a second, 0.1: the first 30 seconds cost 3. */
const RATE = '6';
const LONG = 'Good morning. This is a long message that goes on for quite some time. '.repeat(20);

interface Entry {
  amount: number;
  cd_id: string | null;
}
interface Context {
  dial: { status: string; reason: string };
  attempts: { status: string; route: string }[];
}

describe.skipIf(absent !== undefined)(`a balance and a real Asterisk${absent ? ` (${absent})` : ''}`, () => {
  const folder = aDataDir();
  let database: TestDatabase;
  let service: RunningService;
  let bed: Bed;

  beforeAll(async () => {
    database = await freshDatabase();
    bed = await startBed(26);
    const { url, user, password } = bed.login;
    service = await startService({
      databaseUrl: database.url,
      dataDir: folder.path,
      env: { CARRIER: 'asterisk', ARI_URL: `${url}/ari`, ARI_USER: user, ARI_PASSWORD: password },
    });
  });
  afterAll(async () => {
    await service?.kill();
    await bed?.stop();
    await database?.drop();
    folder.remove();
  });
  tellsOnFailure(() => bed);

  const admin = async <T>(method: string, path: string, body?: object) =>
    (await service.admin(method, path, body)).body as unknown as T;
  const shop = async (balance: string) => {
    const { cdcs_id: id } = await admin<{ cdcs_id: number }>('POST', '/accounts', {
      ...{ name: 'Loja', call_rate: RATE, charge_calls: true, balance },
    });
    const path = `/accounts/${id}`;
    const { token: tsid } = await admin<{ token: string }>('POST', `${path}/tokens`, { label: 'shop' });
    return { path, tsid };
  };
  const call = async (tsid: string): Promise<string> => {
    const wish = { tsid, dest: '5511961000100', text: LONG, httpdup: 0 };
    return (await service.call('MakeTTSCall', wish)).body.return['cd_id']!;
  };
  const ended = (id: string): Promise<Context> =>
    until(async () => {
      const { state, context } = await admin<{ state: string; context: Context }>('GET', `/machines/${id}`);
      return state === 'ended' && context;
    });
  const channels = async (): Promise<number> =>
    Number(/(\d+) active channel/.exec(await bed.console('core show channels count'))?.[1]);

  it('is hung up at the carrier before the second that no balance bears, and takes what its record says', async () => {
    const { path, tsid } = await shop('3');
    const id = await call(tsid);
    const { dial, attempts } = await ended(id);
    expect([attempts.length, dial.status, dial.reason]).toEqual([1, 'OK', 'insufficientBalance']);
    const { calls } = (await service.call('GetCallStatus', { tsid, cd_id: id })).body;
    const [{ dur }] = calls as unknown as [{ dur: number }];
    expect(dur).toBeGreaterThan(0);
    expect(dur).toBeLessThanOrEqual(30);
    await until(async () => (await channels()) === 0);
    await until(async () => (await database.pool.query('SELECT FROM call_charges')).rowCount === 0);
    const { credits } = await admin<{ credits: Entry[] }>('GET', `${path}/credits`);
    const taken = credits.filter(({ cd_id }) => cd_id === id).reduce((sum, { amount }) => sum - amount, 0);
    expect(taken).toBeCloseTo(dur * 0.1, 6);
  });

  it('is not dialled where the balance does not bear the first step', async () => {
    const { tsid } = await shop('2.9999');
    const before = await bed.dialled();
    const { dial, attempts } = await ended(await call(tsid));
    expect([dial.status, dial.reason, attempts]).toEqual(['CANCEL', 'insufficientBalance', []]);
    expect(await bed.dialled()).toBe(before);
  });
});
