/** Two real Asterisks, each with a SIP carrier of its own: routes, failover, a server that is drained, and one that is killed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lacking, startBed, tellsOnFailure, type Bed } from '../asterisk/bed.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDataDir, startService, type RunningService } from './service.ts';
import { until } from '../helpers/patience.ts';

const absent = lacking();
/** Live calls on a server while it is drained, or killed. */
const MANY = Number(process.env['LIVE_CALLS'] ?? 20);
const LONG = 'Good morning. This is a long message that goes on for quite some time. '.repeat(4);

let dialled = 100;
/** A mobile number of its own with this ending. */
const ending = (digits: string): string => `551196${String(10_000 + dialled++)}${digits}`;

describe.skipIf(absent !== undefined)(`two Asterisks${absent ? ` (${absent})` : ''}`, () => {
  // Below, an Asterisk would have the port of another bed's carrier.
  const [shift, otherShift] = [20, 21];
  const folder = aDataDir();
  const beds: Bed[] = [];
  let database: TestDatabase;
  let service: RunningService;
  let server: number;
  const made: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    // One that is up is ended also when the other does not come.
    for (const one of [shift, otherShift]) beds.push(await startBed(one));
    const [{ url, user, password }, other] = beds.map(({ login }) => login) as [Bed['login'], Bed['login']];
    service = await startService({
      databaseUrl: database.url,
      dataDir: folder.path,
      env: {
        ...{ CARRIER: 'asterisk', ARI_URL: `${url}/ari`, ARI_USER: user, ARI_PASSWORD: password },
        NODE_NAME: 'two-asterisks',
      },
    });
    const login = { url: `${other.url}/ari`, username: other.user, password: other.password };
    server = await make('/trunk-servers', { name: 'asterisk-b', ...login }, 'server_id');
    await make(
      '/trunks',
      {
        ...{ name: 'carrier-b', server: 'asterisk-b', dial_pattern: 'PJSIP/{number}@carrier' },
        ...{ calls_per_second: 200, legs: 400 },
      },
      'trunk_id',
    );
    await until(async () => (await connection()).ok);
  });
  afterAll(async () => {
    await service?.kill();
    await Promise.all(beds.map((bed) => bed.stop()));
    await database?.drop();
    folder.remove();
  });
  afterEach(async () => {
    for (const path of made.splice(0)) await service.admin('DELETE', path);
  });
  for (const which of [0, 1]) tellsOnFailure(() => beds[which]);

  const admin = async (method: string, path: string, body?: object) =>
    (await service.admin(method, path, body)).body as unknown as Record<string, unknown>;
  const make = async (path: string, body: object, id: string): Promise<number> => {
    const answer = await admin('POST', path, body);
    expect(answer).not.toHaveProperty('error');
    return answer[id] as number;
  };
  const route = async (...trunks: string[]): Promise<void> => {
    const body = { trunks: trunks.map((name) => ({ trunk: name })) };
    made.push(`/trunk-routes/${await make('/trunk-routes', body, 'route_id')}`);
  };
  const connection = async () =>
    (await admin('GET', `/trunk-servers/${server}`))['connection'] as { ok: boolean; detail: string };
  const place = async (dest: string, more: object = {}): Promise<string> => {
    const wish = { dest, text: 'Hello', ringtime: 10, httpdup: 0, ...more };
    const { body } = await service.call('MakeTTSCall', wish);
    expect(body.return).toMatchObject({ status_code: '0' });
    return body.return['cd_id']!;
  };
  interface Machine {
    state: string;
    context: { attempts: { route: string; status: string; tries?: { route: string }[] }[] };
  }
  const machine = async (id: string) => (await admin('GET', `/machines/${id}`)) as unknown as Machine;
  const ended = (id: string, seconds = 90) =>
    until(async () => {
      const found = await machine(id);
      return found.state === 'ended' ? found : undefined;
    }, seconds);
  /** Many calls by this trunk that are spoken for a while, all of them answered. */
  const many = async (trunk: string): Promise<string[]> => {
    await route(trunk);
    const ids = await Promise.all(
      Array.from({ length: MANY }, () => place(ending('00'), { text: LONG, timelimit: 60 })),
    );
    await until(async () => {
      const all = await Promise.all(ids.map(machine));
      return all.every(({ state }) => state.startsWith('answered'));
    });
    await service.admin('DELETE', made.pop()!);
    return ids;
  };
  const liveOn = async (bed: number) =>
    Number(/(\d+) active channel/.exec(await beds[bed]!.console('core show channels count'))?.[1]);

  it('carry a call by the trunk that its route names, each on its own server', async () => {
    for (const [at, name] of ['asterisk', 'carrier-b'].entries()) {
      await route(name);
      const before = await beds[at]!.dialled();
      const { context } = await ended(await place(ending('00')));
      expect(context.attempts).toMatchObject([{ route: name, status: 'OK' }]);
      expect(await beds[at]!.dialled()).toBe(before + 1);
      await service.admin('DELETE', made.pop()!);
    }
  });

  it('carry a call that one refuses with 503 by the other, within one attempt', async () => {
    await route('carrier-b', 'asterisk');
    const { context } = await ended(await place(ending('03')));
    expect(context.attempts).toMatchObject([
      { route: 'asterisk', status: 'CONGESTION', tries: [{ route: 'carrier-b' }] },
    ]);
  });

  it('are drained: live calls are spoken to their end, and new ones go by the other', async () => {
    const live = await many('carrier-b');
    await route('carrier-b', 'asterisk');
    expect(await liveOn(1)).toBeGreaterThanOrEqual(MANY);
    await admin('PATCH', `/trunk-servers/${server}`, { state: 'draining' });
    const { context } = await ended(await place(ending('00')));
    expect(context.attempts).toMatchObject([{ route: 'asterisk', status: 'OK' }]);
    for (const id of live)
      expect((await ended(id)).context.attempts).toMatchObject([{ route: 'carrier-b', status: 'OK' }]);
    await admin('PATCH', `/trunk-servers/${server}`, { state: 'on' });
  });

  it('are killed: its live calls end as lost and are not dialled anew, those of the other go on, and it is used again', async () => {
    const elsewhere = await many('asterisk');
    const live = await many('carrier-b');
    await route('carrier-b', 'asterisk');
    const legs = await Promise.all(beds.map((bed) => bed.dialled()));
    await beds[1]!.kill();
    await until(async () => !(await connection()).ok);
    for (const id of live) {
      const { context } = await ended(id);
      expect(context.attempts).toMatchObject([{ route: 'carrier-b' }]);
    }
    for (const id of elsewhere)
      expect((await ended(id)).context.attempts).toMatchObject([{ route: 'asterisk', status: 'OK' }]);
    // No leg was made for them anywhere.
    expect(await Promise.all(beds.map((bed) => bed.dialled()))).toEqual(legs);
    const other = await ended(await place(ending('00')));
    expect(other.context.attempts).toMatchObject([{ route: 'asterisk', status: 'OK' }]);
    beds[1] = await startBed(otherShift);
    await until(async () => (await connection()).ok);
    const again = await ended(await place(ending('00')));
    expect(again.context.attempts).toMatchObject([{ route: 'carrier-b', status: 'OK' }]);
  }, 300_000);
});
