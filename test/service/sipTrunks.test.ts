/**
 * A carrier that wants login and registration, connected by one request: a real Asterisk, another one as the carrier, and
 * a second Asterisk with a carrier that knows it by its address.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lacking, type LoneAsterisk, startBed, tellsOnFailure, type Bed } from '../asterisk/bed.ts';
import { carrierLogin, startRegistrar } from '../asterisk/registrar.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDataDir, startService, type RunningService } from './service.ts';
import { until } from '../helpers/patience.ts';

const absent = lacking();
const [shift, otherShift, registrarShift] = [23, 25, 24];
const carrierAddress = `127.0.0.1:${5060 + registrarShift}`;
const wrong = 'not-the-password';

let dialled = 100;
const aNumber = (): string => `551196${String(20_000 + dialled++)}00`;

describe.skipIf(absent !== undefined)(`a trunk with SIP details${absent ? ` (${absent})` : ''}`, () => {
  const folder = aDataDir();
  const beds: Bed[] = [];
  let registrar: LoneAsterisk;
  let database: TestDatabase;
  let service: RunningService;
  let trunk: number;
  const made: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    for (const one of [shift, otherShift]) beds.push(await startBed(one));
    registrar = startRegistrar(registrarShift);
    const [{ url, user, password }, other] = beds.map(({ login }) => login) as [Bed['login'], Bed['login']];
    service = await startService({
      databaseUrl: database.url,
      dataDir: folder.path,
      env: {
        ...{ CARRIER: 'asterisk', ARI_URL: `${url}/ari`, ARI_USER: user, ARI_PASSWORD: password },
        NODE_NAME: 'sip-trunks',
      },
    });
    const login = { url: `${other.url}/ari`, username: other.user, password: other.password };
    await make('/trunk-servers', { name: 'asterisk-b', ...login }, 'server_id');
    const bears = { calls_per_second: 200, legs: 400 };
    trunk = await make(
      '/trunks',
      {
        ...{ name: 'with-login', server: 'asterisk', ...bears, prices: [{ per_minute: '0.02' }] },
        ...{ sip_host: carrierAddress, sip_user: carrierLogin.user, sip_password: carrierLogin.password },
      },
      'trunk_id',
    );
    await make(
      '/trunks',
      {
        ...{ name: 'by-address', server: 'asterisk-b', ...bears, prices: [{ per_minute: '0.03' }] },
        sip_host: `127.0.0.1:${5070 + otherShift}`,
      },
      'trunk_id',
    );
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([...beds.map((bed) => bed.stop()), registrar?.stop()]);
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
  const standing = async (id = trunk) =>
    (await admin('GET', `/trunks/${id}`))['registration'] as { state: string; detail: string } | null;
  const stands = (state: string, id = trunk) => until(async () => (await standing(id))?.state === state);
  const change = (body: object) => admin('PATCH', `/trunks/${trunk}`, body);
  const route = async (order: string, trunks: object[]): Promise<void> => {
    made.push(`/trunk-routes/${await make('/trunk-routes', { order, trunks }, 'route_id')}`);
  };
  interface Machine {
    state: string;
    context: { attempts: { route: string; status: string }[] };
  }
  /** The trunks that calls went by, one call after the other. */
  const routesOf = async (calls: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let call = 0; call < calls; call += 1) {
      const wish = { dest: aNumber(), text: 'Hello', ringtime: 10, httpdup: 0 };
      const { body } = await service.call('MakeTTSCall', wish);
      expect(body.return).toMatchObject({ status_code: '0' });
      ids.push(body.return['cd_id']!);
    }
    return Promise.all(
      ids.map(async (id) => {
        const { context } = await until(async () => {
          const found = (await admin('GET', `/machines/${id}`)) as unknown as Machine;
          return found.state === 'ended' ? found : undefined;
        });
        expect(context.attempts).toMatchObject([{ status: 'OK' }]);
        return context.attempts[0]!.route;
      }),
    );
  };
  const dials = async (): Promise<string[]> => {
    const byLogin = /CALLS=(\d+)/.exec(await registrar.console('dialplan show globals'))?.[1] ?? '0';
    return [byLogin, String(await beds[1]!.dialled())];
  };

  it('registers, and carries calls with its login', async () => {
    await stands('registered');
    expect(await registrar.console('pjsip show contacts')).toContain(`5511400@127.0.0.1:${5060 + shift}`);
    await route('fixed', [{ trunk: 'with-login' }]);
    expect(await routesOf(1)).toEqual(['with-login']);
    expect(await registrar.console('dialplan show globals')).toMatch(/CALLED=\d+ by PJSIP\/5511400-/);
    const shown = JSON.stringify(await admin('GET', '/trunks'));
    expect(shown).not.toContain(carrierLogin.password);
  });

  it('takes its place beside that of another Asterisk: by price, by share, and in a fixed order', async () => {
    const both = [{ trunk: 'by-address' }, { trunk: 'with-login' }];
    await route('leastCost', both);
    expect(await routesOf(2)).toEqual(['with-login', 'with-login']);
    await service.admin('DELETE', made.pop()!);
    await route('fixed', both);
    expect(await routesOf(2)).toEqual(['by-address', 'by-address']);
    await service.admin('DELETE', made.pop()!);
    await route('share', [
      { trunk: 'by-address', share: 50 },
      { trunk: 'with-login', share: 50 },
    ]);
    const before = await dials();
    const drawn = await routesOf(16);
    expect(new Set(drawn)).toEqual(new Set(['by-address', 'with-login']));
    const counted = ['with-login', 'by-address'].map((name) => drawn.filter((one) => one === name).length);
    expect((await dials()).map((after, at) => Number(after) - Number(before[at]))).toEqual(counted);
  });

  it('is there again when its Asterisk restarts', async () => {
    await beds[0]!.kill();
    await until(async () => (await standing()) === null);
    beds[0] = await startBed(shift);
    await stands('registered');
    await route('fixed', [{ trunk: 'with-login' }]);
    expect(await routesOf(1)).toEqual(['with-login']);
  });

  it('registers by TCP when it is told to', async () => {
    await change({ sip_transport: 'tcp', sip_codecs: ['alaw'] });
    const contact = /5511400@127\.0\.0\.1:\d+;transport=tcp/i;
    await until(async () => contact.test(await registrar.console('database show registrar')));
    await route('fixed', [{ trunk: 'with-login' }]);
    expect(await routesOf(1)).toEqual(['with-login']);
    await change({ sip_transport: 'udp' });
    await stands('registered');
  });

  it('says that the carrier rejects it, wherever an operator looks, and never what the password is', async () => {
    await change({ sip_password: wrong });
    await stands('rejected');
    const { checks } = (await admin('GET', '/now')) as {
      checks: { name: string; ok: boolean; detail: string }[];
    };
    expect(checks).toContainEqual({
      ...{ name: 'trunks', ok: false },
      detail: expect.stringContaining('trunk with-login: the carrier rejects the registration'),
    });
    const ready = await (await fetch(`${service.url}/readyz`)).text();
    expect(ready).toContain('trunk with-login: the carrier rejects');
    await until(() => service.output().includes('a trunk is not registered'));
    expect(service.output()).not.toContain(wrong);
    expect(JSON.stringify(await admin('GET', '/audit'))).not.toContain(wrong);
    await change({ sip_password: carrierLogin.password });
    await stands('registered');
  });

  it('is gone from its Asterisk when it is switched off, and when it is deleted', async () => {
    const unknown = async () =>
      !(await beds[0]!.console('pjsip show registrations')).includes(`ramal-trunk-${trunk}`) &&
      !(await beds[0]!.console('pjsip show endpoints')).includes(`ramal-trunk-${trunk}`);
    expect(await unknown()).toBe(false);
    await change({ state: 'off' });
    await until(unknown);
    await change({ state: 'on' });
    await stands('registered');
    await admin('DELETE', `/trunks/${trunk}`);
    await until(unknown);
    await until(async () => !(await registrar.console('pjsip show contacts')).includes('5511400@'));
    expect(await beds[0]!.console('pjsip show auths')).not.toContain('ramal-trunk');
  });
});
