/** The same calls as on the sandbox, through REST, on a real Asterisk with a SIP carrier. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderMediaStore } from '../../src/providers/media/folder.ts';
import { lacking, startBed, type Bed } from '../asterisk/bed.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aWav, measureWav } from '../helpers/wav.ts';
import { aDataDir, recordsOf, startService, type RunningService } from './service.ts';
import { until } from '../helpers/patience.ts';

const absent = lacking();
const demoAccount = 3;
let dialled = 100;
/** A mobile number of its own with this ending. */
const ending = (digits: string): string => `1197${String(10_000 + dialled++)}${digits}`;

const LONG = 'Good morning. This is a long message that goes on for quite some time. '.repeat(4);

describe.skipIf(absent !== undefined)(`calls on a real Asterisk${absent ? ` (${absent})` : ''}`, () => {
  const shift = 3;
  const folder = aDataDir();
  let bed: Bed;
  let database: TestDatabase;
  let service: RunningService;

  const start = () =>
    startService({
      databaseUrl: database.url,
      dataDir: folder.path,
      env: {
        CARRIER: 'asterisk',
        ARI_URL: `${bed.login.url}/ari`,
        ARI_USER: bed.login.user,
        ARI_PASSWORD: bed.login.password,
        NODE_NAME: 'crash-test',
      },
    });

  beforeAll(async () => {
    [bed, database] = await Promise.all([startBed(shift), freshDatabase()]);
    service = await start();
  });
  afterAll(async () => {
    await service?.kill();
    await bed?.stop();
    await database?.drop();
    folder.remove();
  });

  const place = async (body: Record<string, unknown>): Promise<string> => {
    const answer = await service.call('MakeTTSCall', { text: 'Hello', ringtime: 5, httpdup: 0, ...body });
    expect(answer.body.return).toMatchObject({ status_code: '0' });
    return answer.body.return['cd_id']!;
  };
  const ended = (id: string, seconds = 60): Promise<Record<string, string>> =>
    until(async () => {
      const machine = await service.admin('GET', `/machines/${id}`);
      if ((machine.body as unknown as { state: string }).state !== 'ended') return undefined;
      return (await service.call('GetCallStatus', { cd_id: id })).body.calls[0];
    }, seconds);
  const historyOf = async (id: string): Promise<string[]> => {
    const { body } = await service.admin('GET', `/machines/${id}`);
    return (body as unknown as { history: { event: string }[] }).history.map(({ event }) => event);
  };

  it.each([
    ['answered and played', '00', 'OK'],
    ['busy', '01', 'BUSY'],
    ['no answer', '02', 'NOANSWER'],
    ['rejected', '08', 'BUSY'],
    ['congestion', '03', 'CONGESTION'],
    ['unreachable', '04', 'CHANUNAVAIL'],
    ['hung up in the prompt', '06', 'OK'],
  ])('%s', async (_name, digits, status) => {
    const id = await place({ dest: ending(digits), text: digits === '06' ? LONG : 'Hello' });
    const call = await ended(id);
    expect(call['cd_status']).toBe(status);
    expect(call['time_start'] === 'null').toBe(status !== 'OK');
    if (digits === '00') expect(await historyOf(id)).toContain('played');
  });

  it('hears digits', async () => {
    const call = await ended(await place({ dest: ending('17'), type: 3, dtime: 8 }));
    expect(call).toMatchObject({ cd_status: 'OK', resp_1: '7' });
  });

  it('transfers, both legs bridged, and records the talk', async () => {
    const id = await place({
      dest: ending('11'),
      type: 2,
      dtmfconf: '1',
      dtime: 8,
      dest2: ending('30'),
      rec: 60,
      startrec: 'pa',
      timelimit: 14,
    });
    const call = await ended(id);
    expect(call['cd_status']).toBe('OK');
    expect(Number(call['cdr_sec'])).toBeGreaterThanOrEqual(3);
    const { seconds, peak } = await soundAt(call['cdr_url']!);
    expect(Math.abs(seconds - Number(call['cdr_sec']))).toBeLessThanOrEqual(1);
    expect(peak).toBeGreaterThan(500);
    expect(await historyOf(id)).toContain('recorded');
  });

  it('records an answer, which can be fetched and played at its length', async () => {
    const call = await ended(await place({ dest: ending('30'), type: 22, rec: 4 }));
    const { seconds, peak } = await soundAt(call['cdr_url']!);
    expect(seconds).toBeGreaterThanOrEqual(3);
    expect(seconds).toBeLessThanOrEqual(5);
    expect(Math.abs(seconds - Number(call['cdr_sec']))).toBeLessThanOrEqual(1);
    expect(peak).toBeGreaterThan(500);
  });

  it('knows a machine from a person', async () => {
    const media = folderMediaStore(join(folder.path, 'media'));
    await media.put(demoAccount, 'for-machines', aWav(1));
    await database.pool.query(
      `INSERT INTO media (account_id, id, kind, seconds, bytes, created_at) VALUES ($1, 'for-machines', 'upload', 1, 16044, 0)`,
      [demoAccount],
    );
    const [machine, person] = await Promise.all(
      ['05', '00'].map(async (digits) =>
        ended(await place({ dest: ending(digits), amd: 'for-machines', timelimit: 30 })),
      ),
    );
    expect([machine!['cd_amdasw'], person!['cd_amdasw']]).toEqual(['MA', 'HM']);
  });

  /** Twenty calls in the middle of something: ten listen to a prompt, ten talk to a second leg. */
  const twentyLiveCalls = async (): Promise<{ placed: string[]; pressed: string[] }> => {
    const listening = await Promise.all(
      Array.from({ length: 10 }, () => place({ dest: ending('00'), text: LONG, timelimit: 60 })),
    );
    const pressed = await Promise.all(
      Array.from({ length: 10 }, () =>
        place({ dest: ending('15'), type: 3, dtime: 9, dest2: ending('00'), timelimit: 30 }),
      ),
    );
    await until(async () => {
      const records = await recordsOf(service);
      return (
        pressed.every((id) => records.get(id)?.['resp_1'] === '5') &&
        listening.every((id) => records.get(id)?.['time_start'] !== 'null')
      );
    });
    return { placed: [...listening, ...pressed], pressed };
  };

  const expectNoneLostOrDialledTwice = async (placed: string[], pressed: string[]): Promise<void> => {
    for (const id of placed) expect((await ended(id, 90))['cd_status']).toBe('OK');
    const records = await recordsOf(service);
    expect(pressed.map((id) => records.get(id)!['resp_1'])).toEqual(pressed.map(() => '5'));
    const log = readFileSync(join('test/asterisk/.cache', `run-${shift}`, 'dials.log'), 'utf8');
    const dials = log.split('\n').filter((line) => line.startsWith('dial '));
    const legs = placed.flatMap((id) =>
      dials.filter((line) => line.includes(`.${id.split('_')[1]}.`)).map((line) => line.split(' ')[2]!),
    );
    expect(new Set(legs).size).toBe(legs.length);
    // A second leg that was being asked for in that very moment is not asked for again: nobody knows whether it rang.
    expect(legs.filter((leg) => leg.endsWith('.1'))).toHaveLength(placed.length);
    await until(async () => (await bed.console('core show channels count')).includes('0 active channels'));
  };

  it('loses none of 20 live calls to a kill, dials none twice, and keeps the digits', async () => {
    const { placed, pressed } = await twentyLiveCalls();
    await service.kill();
    service = await start();
    await expectNoneLostOrDialledTwice(placed, pressed);
  }, 240_000);

  it('loses none of 20 live calls to 20 seconds of sleep, dials none twice, and keeps the digits', async () => {
    const { placed, pressed } = await twentyLiveCalls();
    service.process.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    service.process.kill('SIGCONT');
    await expectNoneLostOrDialledTwice(placed, pressed);
  }, 240_000);
});

const soundAt = async (url: string): Promise<{ seconds: number; peak: number }> => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return measureWav(Buffer.from(await response.arrayBuffer()));
};
