import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { switchSandboxOn } from '../helpers/sandboxRoute.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { type SmppServer, startSmppServer } from '../helpers/smppServer.ts';

/** Two carriers whose ids fit no index, each with an area of its own; all other numbers go by the sandbox. */
const areas = { gateway: '5521', smsc: '5531', sandbox: '5511' } as const;
/** PostgreSQL compresses what can be compressed; this cannot. */
const noise = (characters: number): string => randomBytes(characters).toString('hex').slice(0, characters);

let on: TestService;
let gateway: Receiver;
let smsc: SmppServer;
const lines: { level: number; msg: string }[] = [];

beforeAll(async () => {
  [gateway, smsc] = await Promise.all([startReceiver(), startSmppServer()]);
  gateway.answer = (_, response) => response.end(JSON.stringify({ id: noise(9_000) }));
  smsc.idOf = () => noise(14_000);
  on = await startTestService({ ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }, (line) =>
    lines.push(JSON.parse(line) as { level: number; msg: string }),
  );
  await route(areas.gateway, 'http', { url: `${gateway.url}/send?to={to}`, id: { path: 'id' } });
  await route(areas.smsc, 'smpp', { host: '127.0.0.1', port: smsc.port, system_id: 'ramal' });
  await switchSandboxOn(on, demoAccount);
});
afterAll(async () => {
  await on.stop();
  gateway.close();
  await smsc.stop();
});

const route = async (prefix: string, kind: string, settings: object): Promise<void> => {
  const secret = kind === 'smpp' ? { secret: { password: 'sesame' } } : {};
  const wish = { name: kind, kind, prefix, settings, ...secret };
  expect((await on.admin('POST', `/accounts/${demoAccount}/sms-routes`, wish)).http).toBe(201);
};
const send = async (area: string, nth: number): Promise<{ http: number; code: unknown; id: string }> => {
  const { http, body } = await on.post('MakeSMS', {
    ...{ dest: `${area}9${80_000_045 + 100 * nth}`, text: `text ${nth}` },
  });
  return { http, code: body.return?.status_code ?? body.return?.code, id: body.return?.cdls_id };
};
const many = (area: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, nth) => send(area, nth)));

test('carriers whose ids are too long stop nobody else, and what they took has an unknown outcome', async () => {
  await expect.poll(() => smsc.links()).toBe(1);
  const bad = Promise.all([many(areas.gateway, 20), many(areas.smsc, 20)]);
  const others = await many(areas.sandbox, 40);
  expect(others.map(({ http }) => http)).toEqual(others.map(() => 200));
  await bad;
  const { rows } = await on.database.pool.query<{ area: string; state: string; count: number }>(
    `SELECT left(destination, 4) AS area, state, count(*)::int AS count FROM messages
      WHERE left(destination, 4) = ANY($1) GROUP BY 1, 2 ORDER BY 1`,
    [[areas.gateway, areas.smsc]],
  );
  expect(rows).toEqual([
    { area: areas.gateway, state: 'unknown', count: 20 },
    { area: areas.smsc, state: 'unknown', count: 20 },
  ]);
  expect([gateway.heard.length, smsc.taken.length]).toEqual([20, 20]);
  expect(lines.filter(({ level }) => level >= 40).length).toBeLessThan(20);
});
