import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessTokenUsageCounter } from '../../src/access/audit/tokenUsage.ts';
import type { AuditEntry } from '../../src/store/auditLog.ts';
import { AuditLog } from '../../src/store/auditLog.ts';
import { auditLogCleanup } from '../../src/compose/auditLogAndTokenUsage.ts';
import {
  adminToken,
  demoAccount,
  demoToken,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => on.stop());

const account = `/accounts/${demoAccount}`;
let addresses = 0;
const someone = (): { address: string; from: Record<string, string> } => {
  const address = `192.0.2.${++addresses}`;
  return { address, from: { 'X-Forwarded-For': address } };
};
interface Entry {
  id: number;
  at: number;
  kind: string;
  actor: string;
  address: string;
  action: string;
  cdcs_id: number | null;
  outcome: number;
  count: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with literals, key by key
  detail: any;
}
const audit = async (query: string): Promise<Entry[]> =>
  (await on.admin('GET', `/audit?${query}`)).body.entries;
const admin = (from: Record<string, string>) => ({ ...from, authorization: `Bearer ${adminToken}` });

describe('changes', () => {
  test('say who did what from where, and how it went, newest first', async () => {
    const { address, from } = someone();
    const { key, operator_id: id } = (
      await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' }, admin(from))
    ).body;
    const { cdg_id: group } = (await on.admin('POST', `${account}/groups`, { name: 'VIP' }, admin(from)))
      .body;
    await on.admin('PATCH', `${account}/groups/${group}?why=typo`, { name: '' }, admin(from));
    const asAna = { ...from, authorization: `Bearer ${key}` };
    await on.admin('DELETE', `${account}/groups/${group}`, undefined, asAna);
    await on.admin('GET', `${account}/groups`, undefined, asAna);
    const entries = (await audit('kind=change&limit=10')).filter((entry) => entry.address === address);
    expect(entries).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(Number),
        kind: 'change',
        actor: `operator ${id} Ana`,
        address,
        action: `DELETE ${account}/groups/${group}`,
        cdcs_id: demoAccount,
        outcome: 403,
        count: 1,
        detail: null,
      },
      expect.objectContaining({
        actor: 'admin',
        action: `PATCH ${account}/groups/${group}`,
        outcome: 400,
        detail: { query: { why: 'typo' }, body: { name: '' } },
      }),
      expect.objectContaining({
        action: `POST ${account}/groups`,
        outcome: 201,
        detail: { body: { name: 'VIP' } },
      }),
      expect.objectContaining({ action: 'POST /operators', cdcs_id: null, outcome: 201 }),
    ]);
    const byAna = await audit(`actor=${encodeURIComponent(`operator ${id}`)}`);
    expect(byAna.map(({ outcome }) => outcome)).toEqual([403]);
  });

  test('keep no secret that was sent', async () => {
    const { address, from } = someone();
    const secrets = [
      'api-key-word',
      'app-secret-word',
      'verify-word',
      'header-word',
      'sftp-word',
      'gate-word',
    ];
    const send = (method: string, path: string, body: object) => on.admin(method, path, body, admin(from));
    await send('POST', `${account}/lines`, {
      ...{
        v8l_class: 'msgapp',
        v8l_wa_api_key: secrets[0],
        app_secret: secrets[1],
        verify_token: secrets[2],
      },
    });
    const agent = { kind: 'websocket', target: 'wss://user:pass-word@ai.example.com/' };
    await send('POST', `${account}/agents`, { ...agent, headers: { 'X-Key': secrets[3] } });
    await send('POST', `${account}/delivery-profiles`, {
      ...{ name: 'x', kind: 'sftp', settings: { host: 'h', user: 'u' }, secret: { password: secrets[4] } },
    });
    await send('POST', `${account}/sms-routes`, {
      ...{
        name: 'x',
        kind: 'http',
        settings: { url: 'https://gw.example.com' },
        secret: { user: secrets[5] },
      },
    });
    await send('POST', '/sessions', { token: adminToken });
    const entries = (await audit('')).filter((entry) => entry.address === address);
    expect(entries).toHaveLength(5);
    const { rows } = await on.database.pool.query('SELECT * FROM audit_log');
    for (const secret of [...secrets, 'pass-word', adminToken, demoToken])
      expect(JSON.stringify([entries, rows])).not.toContain(secret);
    expect(entries.at(-1)!.detail.body).toMatchObject({ v8l_class: 'msgapp', v8l_wa_api_key: '[secret]' });
  });

  test('are cut to a size, however much is sent', async () => {
    const { address, from } = someone();
    const deep = JSON.parse('{"a":'.repeat(500) + '1' + '}'.repeat(500)) as object;
    const settings = { text: 'x'.repeat(100_000), list: Array.from({ length: 5_000 }, (_, n) => n), deep };
    await on.admin('PATCH', account, { settings }, admin(from));
    await on.admin('PATCH', account, { settings: {} }, admin(from));
    const { rows } = await on.database.pool.query<{ detail: string }>(
      'SELECT detail FROM audit_log WHERE address = $1',
      [address],
    );
    expect(rows.map(({ detail }) => detail.length <= 8_000)).toEqual([true, true]);
  });

  test('are not answered as made when they cannot be recorded', async () => {
    const { http, body } = await on.without('audit_log', () =>
      on.admin('POST', `${account}/groups`, { name: 'x' }),
    );
    expect([http, body.error]).toEqual([500, expect.stringMatching(/^the audit log cannot be written/)]);
  });

  test('are read in pages, by account, kind, and time', async () => {
    const log = new AuditLog(on.database.pool, () => Date.now());
    const at = Date.parse('2026-01-01T00:00:00Z');
    const entry = {
      kind: 'change',
      actor: 'admin',
      address: '',
      outcome: 200,
      count: 1,
      detail: '',
    } as const;
    await log.add(
      Array.from({ length: 1_200 }, (_, n) => ({
        ...entry,
        at: at + n * 500,
        action: `n ${n}`,
        account: 777,
      })),
    );
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const query = `account=777&until=2026-02-01&cursor=${cursor}`;
      const { body } = await on.admin('GET', `/audit?${query}`);
      seen.push(...body.entries.map(({ action }: Entry) => action));
      cursor = body.cursor;
    }
    expect(seen).toEqual(Array.from({ length: 1_200 }, (_, n) => `n ${1_199 - n}`));
    expect(await audit(`account=777&since=${at + 599_500}`)).toHaveLength(1);
    expect(await audit('account=777&kind=token')).toEqual([]);
    for (const wrong of ['kind=x', 'account=x', 'since=x', 'until=x', 'cursor=x'])
      expect((await on.admin('GET', `/audit?${wrong}`)).http).toBe(400);

    await auditLogCleanup({ control: on.database } as never, 30).run(Date.now(), () => true);
    expect(await audit('account=777')).toEqual([]);
    expect((await audit('kind=change')).length).toBeGreaterThan(0);
  });
});

describe('uses of tokens', () => {
  test('are counted by token, address, operation and minute, with the last outcome', async () => {
    const { address, from } = someone();
    const since = Date.now();
    for (let time = 0; time < 7; time += 1) await on.post('GetCallStatus', { maxreg: 1 }, from);
    await on.post('MakeSMS', { dest: '11987654321' }, from);
    await on.post('MakeSMS', { tsid: 'x'.repeat(30) }, from);
    await on.post('MakeSMS', { tsid: 'malformed' }, from);
    const uses = async () => (await audit(`since=${since}`)).filter((entry) => entry.address === address);
    const told = (await uses()).map(({ actor, action, outcome, cdcs_id, detail }) => [
      ...[actor, action, outcome, cdcs_id, detail],
    ]);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        [expect.stringMatching(/^token \d+ demo$/), 'GetCallStatus', 200, demoAccount, null],
        [expect.stringMatching(/^token \d+ demo$/), 'MakeSMS', 400, demoAccount, null],
        ['unknown', 'MakeSMS', 401, null, { code: '102' }],
        ['unknown', 'MakeSMS', 401, null, { code: '100' }],
      ]),
    );
    for (let time = 0; time < 3; time += 1) await on.post('GetCallStatus', { maxreg: 1 }, from);
    const again = (await uses()).filter(({ action, kind }) => kind === 'token' && action === 'GetCallStatus');
    expect(again.reduce((sum, { count }) => sum + count, 0)).toBe(10);
  });

  test('tell a known token that was refused, and why', async () => {
    const { address, from } = someone();
    const made = (await on.admin('POST', `${account}/tokens`, { label: 'shut', rest: false })).body;
    await on.post('GetTTSVoices', { tsid: made.token }, from);
    const [entry] = (await audit('kind=token')).filter((one) => one.address === address);
    expect(entry).toMatchObject({
      actor: `token ${made.token_id} shut`,
      cdcs_id: demoAccount,
      outcome: 401,
      detail: { code: '114' },
    });
    expect(JSON.stringify(entry)).not.toContain(made.token);
  });

  test('of tools stand under their names, denied ones too', async () => {
    const { address, from } = someone();
    const permissions = { enabled: true, apis: { telephony: true } };
    const made = (await on.admin('POST', `${account}/tokens`, { label: 'assistant', permissions })).body;
    const headers = { ...from, authorization: `Bearer ${made.token}`, 'Content-Type': 'application/json' };
    for (const name of ['get_center_queues', 'get_center_queues', 'send_sms', 'no_such_tool']) {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: {} },
      });
      await (await fetch(`${on.url}/mcp`, { method: 'POST', headers, body })).text();
    }
    const entries = (await audit('kind=token')).filter((one) => one.address === address);
    const stood = entries.map(({ actor, action, outcome, count }) => [actor, action, outcome, count]);
    const actor = `token ${made.token_id} assistant`;
    expect(stood).toHaveLength(3);
    expect(stood).toEqual(
      expect.arrayContaining([
        [actor, 'get_center_queues', 200, 2],
        [actor, 'send_sms', 403, 1],
      ]),
    );
    expect(JSON.stringify(entries)).not.toContain('no_such_tool');
  });

  test('are there seconds later by themselves', async () => {
    const { address, from } = someone();
    await on.post('GetTTSVoices', {}, from);
    const rows = async () =>
      (await on.database.pool.query('SELECT * FROM audit_log WHERE address = $1', [address])).rowCount;
    await expect.poll(rows, { interval: 100 }).toBe(1);
  });

  test('are all written when the service stops', async () => {
    const { address, from } = someone();
    const same = { DATABASE_URL: on.database.url, NODE_NAME: 'leaving', TRUSTED_PROXIES: '127.0.0.1' };
    const leaving = await startTestService(same);
    for (let time = 0; time < 3; time += 1) await leaving.post('GetTTSVoices', {}, from);
    await leaving.stop();
    const { rows } = await on.database.pool.query(
      'SELECT sum(count)::int AS count FROM audit_log WHERE address = $1',
      [address],
    );
    expect(rows).toEqual([{ count: 3 }]);
  });

  test('who shows a wrong key to the administration is counted by address', async () => {
    const { address, from } = someone();
    for (let time = 0; time < 25; time += 1)
      await on.admin('GET', `/accounts/${time}`, undefined, { ...from, authorization: 'Bearer guess' });
    for (let time = 0; time < 3; time += 1) await on.admin('POST', '/sessions', { token: 'guess' }, from);
    const entries = (await audit('kind=session')).filter((one) => one.address === address);
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(28);
    expect(entries[0]).toMatchObject({ actor: 'unknown', action: 'refused', outcome: 429 });
  });
});

test('sessions that open and end are entries with their actor', async () => {
  const { address, from } = someone();
  const { headers } = await on.admin('POST', '/sessions', { token: adminToken }, from);
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  await on.admin('DELETE', '/sessions/current', undefined, {
    ...{ ...from, cookie, 'Sec-Fetch-Site': 'same-origin' },
  });
  const entries = (await audit('kind=session')).filter((one) => one.address === address);
  expect(entries.map(({ actor, action, outcome }) => [actor, action, outcome])).toEqual([
    ['admin', 'ended', 204],
    ['admin', 'opened', 201],
  ]);
});

test('a refused sign-in keeps neither the token nor the code that was shown', async () => {
  const { address, from } = someone();
  const foreign = { ...from, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
  const code = 'c0de-that-was-not-used-up';
  expect((await on.admin('POST', '/sessions', { code }, foreign)).http).toBe(403);
  const [entry] = (await audit('kind=session')).filter((one) => one.address === address);
  expect(entry).toMatchObject({ action: 'refused', outcome: 403 });
  expect(JSON.stringify(entry)).not.toContain(code);
});

test('what is done to a machine stands with its account, however the path writes it', async () => {
  const { address, from } = someone();
  const block = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const { cd_id: call } = (await on.post('MakeTTSCall', { dest: '11987650021', text: 'Oi', block })).body
    .return;
  const paths = [`/machines/${call}/events`, `/machines/${String(call).split('_')[1]}/events`];
  for (const path of paths) await on.admin('POST', path, { type: 'cancel' }, admin(from));
  await on.admin('POST', `/accounts/000000000${demoAccount}/groups`, { name: 'zeros' }, admin(from));
  const entries = (await audit(`account=${demoAccount}`)).filter((one) => one.address === address);
  expect(entries.map(({ action }) => action)).toEqual([
    `POST /accounts/000000000${demoAccount}/groups`,
    ...paths.map((path) => `POST ${path}`).toReversed(),
  ]);
});

test('reading what people wrote to a line is an entry', async () => {
  const { address, from } = someone();
  expect((await on.admin('GET', `${account}/lines/1/incoming`, undefined, admin(from))).http).toBe(200);
  const entries = (await audit(`account=${demoAccount}`)).filter((one) => one.address === address);
  expect(entries.map(({ action }) => action)).toEqual([`GET ${account}/lines/1/incoming`]);
});

describe('the counter', () => {
  const visit = {
    kind: 'token',
    actor: 'token 1 x',
    account: 3,
    address: '192.0.2.1',
    action: 'MakeSMS',
  } as const;
  const aCounter = () => {
    const written: AuditEntry[] = [];
    const clock = { now: 60_000_000 };
    const broken = { is: false };
    const uses = new AccessTokenUsageCounter({
      write: async (entries) => {
        if (broken.is) throw new Error('away');
        written.push(...entries);
      },
      now: () => clock.now,
      failed: () => {},
    });
    return { uses, written, clock, broken };
  };

  test('forgets nothing while the database is away', async () => {
    const { uses, written, broken } = aCounter();
    uses.note(visit, 200);
    broken.is = true;
    await expect(uses.flush()).rejects.toThrow('away');
    uses.note(visit, 400);
    broken.is = false;
    await uses.flush();
    expect(written).toMatchObject([{ count: 2, outcome: 400 }]);
  });

  test('keeps a bounded number apart, fewer of strangers, and counts the others together', async () => {
    const { uses, written } = aCounter();
    const stranger = { ...visit, actor: 'unknown', account: null };
    for (let n = 0; n < 10_000; n += 1) {
      uses.note({ ...visit, address: `203.0.${n >> 8}.${n & 255}` }, 200);
      uses.note({ ...stranger, address: `203.0.${n >> 8}.${n & 255}` }, 401);
      if (n % 1_000 === 0) await uses.flush();
    }
    await uses.flush();
    const crowd = written.filter(({ actor }) => actor === 'many');
    const countOf = (entries: AuditEntry[]) => entries.reduce((sum, { count }) => sum + count, 0);
    expect(written.length - crowd.length).toBe(5_200);
    expect([countOf(crowd), countOf(written)]).toEqual([14_800, 20_000]);
    expect(crowd[0]).toMatchObject({ address: '', account: null });
  });

  test('counts an IPv6 network of a customer as one address', async () => {
    const { uses, written } = aCounter();
    for (let n = 0; n < 50; n += 1) uses.note({ ...visit, address: `2001:db8:1:2::${n.toString(16)}` }, 200);
    await uses.flush();
    expect(written).toMatchObject([{ address: '2001:db8:1:0::/56', count: 50 }]);
  });

  test('begins an entry of its own with each minute', async () => {
    const { uses, written, clock } = aCounter();
    uses.note(visit, 200);
    clock.now += 60_000;
    uses.note(visit, 200);
    await uses.flush();
    expect(written.map(({ at, count }) => [at, count])).toEqual([
      [60_000_000, 1],
      [60_060_000, 1],
    ]);
  });
});
