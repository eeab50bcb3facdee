import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  adminToken,
  demoAccount,
  demoToken,
  startTestService,
  type TestService,
} from '../helpers/service.ts';
import { eventually } from '../helpers/patience.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const account = `/accounts/${demoAccount}`;

describe('the door', () => {
  test('opens to the admin token only', async () => {
    for (const authorization of ['', 'Bearer wrong', `Bearer ${demoToken}`]) {
      const response = await fetch(`${on.url}/admin/api/accounts`, { headers: { authorization } });
      expect(response.status).toBe(401);
    }
    expect((await on.admin('GET', '/health')).body).toMatchObject({ status: 'ok' });
  });

  test('names the field that is wrong', async () => {
    expect(await on.admin('POST', '/accounts', {})).toMatchObject({ http: 400, body: { field: 'name' } });
    const asked = { name: 'x', time_zone: 'Mars/Olympus' };
    expect(await on.admin('POST', '/accounts', asked)).toMatchObject({
      http: 400,
      body: { field: 'time_zone' },
    });
    expect(await on.admin('POST', '/accounts', { name: 'x', nmae: 'y' })).toMatchObject({
      http: 400,
      body: { field: 'nmae' },
    });
    expect((await on.admin('GET', '/accounts/999999')).http).toBe(404);
    expect((await on.admin('GET', '/nothing')).http).toBe(404);
    const broken = await fetch(`${on.url}/admin/api/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(400);
  });

  test('names all fields that are wrong, the first of them as before', async () => {
    const { http, body } = await on.admin('POST', '/accounts', { time_zone: 'Mars/Olympus', shard: 7 });
    expect(http).toBe(400);
    expect(body).toEqual({
      ...{ error: 'name: is missing', field: 'name' },
      problems: [
        { field: 'name', error: 'name: is missing' },
        { field: 'time_zone', error: 'time_zone: must be an IANA time zone, e.g. America/Sao_Paulo' },
        { field: 'shard', error: 'shard: must be text' },
      ],
    });
    const route = { name: 'x', kind: 'smpp', settings: { host: '', port: 0 } };
    const nested = (await on.admin('POST', `${account}/sms-routes`, route)).body.problems;
    expect(nested.map(({ field }: { field: string }) => field)).toEqual(
      expect.arrayContaining(['settings.host', 'settings.port']),
    );
    expect(nested[0].error).toMatch(/^settings: /);
  });

  test('says what is wrong with one field once, and one wrong field alone', async () => {
    const { body } = await on.admin('POST', `${account}/tokens`, { allowed_ips: ['x', 'y'], label: 7 });
    expect(body.problems.map(({ field }: { field: string }) => field)).toEqual([
      ...['label', 'allowed_ips.0', 'allowed_ips.1'],
    ]);
    expect((await on.admin('POST', '/accounts', { name: 7 })).body).toEqual({
      ...{ error: 'name: must be text', field: 'name' },
    });
  });

  test.each([
    ['/accounts', { name: '' }, 'name: must not be empty'],
    ['/accounts', { name: 'x'.repeat(121) }, 'name: must have at most 120 characters'],
    ['/accounts', { name: 7 }, 'name: must be text'],
    ['/accounts', {}, 'name: is missing'],
    ['/accounts', [], 'the body must be an object'],
    ['/accounts', { name: 'x', nmae: 'y' }, 'nmae is not known here'],
    ['/accounts', { name: 'x', reseller_id: 0 }, 'reseller_id: must be more than 0'],
    ['/accounts', { name: 'x', callback_method: 'PUT' }, 'callback_method: must be one of POST, GET'],
    [`${account}/tokens`, { requests_per_second: 0 }, 'requests_per_second: must be at least 1'],
    [`${account}/tokens`, { requests_per_second: 1.5 }, 'requests_per_second: must be a whole number'],
    [`${account}/tokens`, { allowed_ips: '10.0.0.1' }, 'allowed_ips: must be a list'],
    [`${account}/tokens`, { permissions: 7 }, 'permissions: must be an object'],
    [`${account}/queues`, { name: 'q', members: [7] }, 'members.0: must be an object'],
    [
      `${account}/lines`,
      { v8l_class: 'msgapp', v8l_wa_provider: 'x' },
      'v8l_wa_provider: must be empty or cloud',
    ],
    ['/accounts', { name: 'x', callback_events: 7 }, 'callback_events: must be text, or a list of names'],
    [
      `${account}/blocklist`,
      { number: true },
      'number: must be a number, as text of at most 40 characters or as digits',
    ],
    [
      `${account}/templates`,
      { v8l_id: 1, cwt_name: 'a', cwt_button_config: 7 },
      'cwt_button_config: must be JSON: text of at most 16000 characters, an object, or a list of at most 20',
    ],
    [
      `${account}/delivery-profiles`,
      { name: 'p', kind: 'sftp', settings: { host: 'h', user: 'u' }, secret: '' },
      'secret: must be an object',
    ],
  ])('says in a sentence what is wrong: POST %s %j', async (path, body, error) => {
    expect(await on.admin('POST', path, body)).toMatchObject({ http: 400, body: { error } });
  });

  test.each(['{"name":"x","__proto__":{"a":1}}', '{"name":{"in":{"__proto__":1}}}'])(
    'names the key that no body may have: %s',
    async (body) => {
      const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
      const answer = await fetch(`${on.url}/admin/api/accounts`, { method: 'POST', headers, body });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: '__proto__ is not known here', field: '__proto__' },
      ]);
    },
  );

  test('takes no body that is nested without end, and does not write it to the audit log', async () => {
    const nested = (depth: number): object =>
      depth === 0 ? { at: 'the bottom' } : { in: nested(depth - 1) };
    expect(await on.admin('PATCH', account, nested(3_000))).toMatchObject({
      http: 400,
      body: { error: 'the body is nested deeper than 64', field: null },
    });
    const { entries } = (await on.admin('GET', '/audit?kind=change')).body;
    expect(entries[0]).toMatchObject({ action: `PATCH ${account}`, outcome: 400, detail: null });
  });

  test.each([
    ['/audit?actor=a%00', 400],
    ['/machines?state=%00', 400],
    ['/machines?q=a&%00=1', 400],
    [`${account}/blocklist?cursor=%00`, 400],
    [`/machines?cursor=${Buffer.from('a 99999999999 1').toString('base64url')}`, 400],
  ])('refuses what no database takes: %s', async (path, http) => {
    expect(await on.admin('GET', path)).toMatchObject({ http, body: { error: expect.any(String) } });
  });

  test.each([
    [{ apis: { sms: 'false' } }, 'permissions.apis.sms: must be true or false', 'permissions.apis.sms'],
    [{ apis: { sms: 0 } }, 'permissions.apis.sms: must be true or false', 'permissions.apis.sms'],
    [{ apis: { sms: null } }, 'permissions.apis.sms: must be true or false', 'permissions.apis.sms'],
    [{ apis: { telefony: false } }, 'permissions.apis: telefony is not known here', 'permissions.apis'],
    [{ apis: { '\u0000': true } }, 'permissions.apis: \u0000 is not known here', 'permissions.apis'],
    [{ apis: [] }, 'permissions.apis: must be an object', 'permissions.apis'],
    [{ enabled: 'false' }, 'permissions.enabled: must be true or false', 'permissions.enabled'],
    [{ zz: 1 }, 'permissions: zz is not known here', 'permissions'],
  ])('refuses permissions that would deny nothing: %j', async (permissions, error, field) => {
    const refused = { http: 400, body: { error, field } };
    expect(await on.admin('POST', `${account}/tokens`, { permissions })).toMatchObject(refused);
    const made = (await on.admin('POST', `${account}/tokens`, { label: 'deny' })).body;
    const path = `${account}/tokens/${made.token_id}`;
    expect(await on.admin('PATCH', path, { permissions })).toMatchObject(refused);
  });

  test.each(['2027-02-30', '7', '2027', '2027-1-1', 'tomorrow', '2027-01-01T25:00:00Z', ''])(
    'takes %j for no date',
    async (expires) => {
      expect(await on.admin('POST', `${account}/tokens`, { expires })).toMatchObject({
        ...{ http: 400, body: { field: 'expires' } },
      });
    },
  );

  test('knows no account beyond those that it can count', async () => {
    const change = { reseller_id: 2 ** 31 };
    expect(await on.admin('PATCH', account, change)).toMatchObject({
      http: 400,
      body: { field: 'reseller_id' },
    });
    expect((await on.admin('GET', `/accounts/${2 ** 31}`)).http).toBe(404);
  });
});

describe('accounts and tokens', () => {
  test('an account is made, read and changed', async () => {
    const made = await on.admin('POST', '/accounts', {
      name: 'Ana',
      time_zone: 'America/Manaus',
      balance: 12.5,
    });
    expect([made.http, made.body.balance, made.body.active]).toEqual([201, 12.5, true]);
    const path = `/accounts/${made.body.cdcs_id}`;
    expect((await on.admin('GET', path)).body).toEqual(made.body);
    const changed = await on.admin('PATCH', path, { cdcs_uni_ctid: 1, call_rate: '0.1235' });
    expect(changed.body).toMatchObject({ name: 'Ana', cdcs_uni_ctid: true, call_rate: 0.1235 });
    const negative = await on.admin('PATCH', path, { call_rate: '-0.12' });
    expect(negative).toMatchObject({ http: 400, body: { field: 'call_rate' } });
    expect(changed.body.webhook_secret).toMatch(/^whsec_/);
    const { accounts } = (await on.admin('GET', '/accounts')).body;
    expect(accounts.map((one: { cdcs_id: number }) => one.cdcs_id)).toEqual([
      2,
      demoAccount,
      made.body.cdcs_id,
    ]);
  });

  test('no account comes to stand above itself, nor more than ten above each other', async () => {
    const under = async (reseller: number | null): Promise<number> =>
      (await on.admin('POST', '/accounts', { name: 'In a chain', reseller_id: reseller })).body.cdcs_id;
    const move = (id: number, reseller: number) =>
      on.admin('PATCH', `/accounts/${id}`, { reseller_id: reseller });
    for (const _ of [1, 2, 3]) {
      const [one, other] = [await under(null), await under(null)];
      const both = await Promise.all([move(one, other), move(other, one)]);
      expect(both.map(({ http }) => http).toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
    const top = await under(null);
    let lowest = top;
    for (let depth = 2; depth <= 10; depth += 1) lowest = await under(lowest);
    const tooLong = {
      http: 400,
      body: { error: expect.stringContaining('at most 10 accounts'), field: 'reseller_id' },
    };
    expect(await on.admin('POST', '/accounts', { name: 'x', reseller_id: lowest })).toMatchObject(tooLong);
    expect(await move(top, await under(null))).toMatchObject(tooLong);
    expect(await move(top, lowest)).toMatchObject({
      http: 400,
      body: { error: expect.stringContaining('it would pay for itself') },
    });
  });

  test('a token is shown once and kept as a digest', async () => {
    const given = {
      label: 'crm',
      permissions: { enabled: true, apis: { sms: true } },
      allowed_ips: ['10.0.0.0/8'],
      requests_per_second: 5,
    };
    const { http, body } = await on.admin('POST', `${account}/tokens`, given);
    expect([http, body]).toEqual([201, expect.objectContaining(given)]);
    expect(body.token).toMatch(/^[A-Za-z0-9]{30}$/);
    const listed = (await on.admin('GET', `${account}/tokens`)).body;
    expect(JSON.stringify(listed)).not.toContain(body.token);
    expect(listed.tokens.at(-1)).toMatchObject({ token_id: body.token_id, label: 'crm' });
    const { rows } = await on.database.pool.query('SELECT * FROM tokens');
    expect(JSON.stringify(rows)).not.toContain(body.token);
    expect(await on.admin('POST', `${account}/tokens`, { allowed_ips: ['nowhere'] })).toMatchObject({
      http: 400,
      body: { field: 'allowed_ips.0' },
    });
  });
});

describe('lists, agents and queues', () => {
  test('a blocked number ends the call, and free=1 passes', async () => {
    const number = '11987650033';
    const blocked = await on.admin('POST', `${account}/blocklist`, { number, reason: 'asked us' });
    expect([blocked.http, blocked.body.number]).toEqual([201, '5511987650033']);
    const placed = await on.post('MakeTTSCall', { dest: number, text: 'blocked' });
    expect((await on.ended(placed.body.return.cd_id)).cd_status).toBe('CANCEL');
    const free = await on.post('MakeTTSCall', { dest: number, text: 'free', free: 1 });
    expect((await on.ended(free.body.return.cd_id)).cd_status).toBe('OK');
    expect((await on.admin('PATCH', `${account}/blocklist/${number}`, { reason: 'again' })).body.reason).toBe(
      'again',
    );
    expect((await on.admin('GET', `${account}/blocklist`)).body.blocklist).toHaveLength(1);
    expect((await on.admin('DELETE', `${account}/blocklist/${number}`)).http).toBe(204);
    expect((await on.admin('DELETE', `${account}/blocklist/${number}`)).http).toBe(404);
  });

  test('an agent is a row and a line of the same id', async () => {
    const path = `${account}/agents`;
    const made = await on.admin('POST', path, {
      name: 'Bot',
      kind: 'websocket',
      url: 'ws://bot.example/audio',
      concurrent_limit: 3,
    });
    expect(made.http).toBe(201);
    const id = made.body.ccba_id;
    const line = (await on.admin('GET', `/machines/a_${id}?account=${demoAccount}`)).body;
    expect(line).toMatchObject({ kind: 'line', id: `a_${id}` });
    expect(JSON.stringify(line.context)).toContain('ws://bot.example/audio');
    await on.admin('PATCH', `${path}/${id}`, { concurrent_limit: 7 });
    const changed = (await on.admin('GET', `/machines/a_${id}`)).body;
    expect(changed.history.at(-1).event).toBe('lineChanged');
    expect(JSON.stringify(changed.context)).toContain('"capacity":7');
    expect(await on.admin('POST', path, { kind: 'sip', target: 'nobody' })).toMatchObject({
      http: 400,
      body: { field: 'target' },
    });
    expect((await on.admin('DELETE', `${path}/${id}`)).http).toBe(204);
    expect((await on.admin('GET', `${path}/${id}`)).http).toBe(404);
  });
});

describe('machines', () => {
  /** A call that stands in `scheduled`. */
  const waiting = async (): Promise<string> => {
    const block = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await on.post('MakeTTSCall', {
      dest: '11987650000',
      text: `wait ${Math.random()}`,
      block,
      ctid: 'waits',
    });
    const id = body.return.cd_id;
    await expect.poll(async () => (await on.admin('GET', `/machines/${id}`)).body.state).toBe('scheduled');
    return id;
  };

  test('are found by kind, state, account and text, in pages', async () => {
    const id = await waiting();
    const list = async (query: string) =>
      (await on.admin('GET', `/machines?${query}`)).body.machines.map(
        (machine: { id: string }) => machine.id,
      );
    const { state } = (await on.admin('GET', `/machines/${id}`)).body;
    expect(await list(`kind=call&state=${state}&account=${demoAccount}`)).toContain(id);
    expect(await list(`state=${state.split('.')[0]}`)).toContain(id);
    expect(await list('q=waits')).toContain(id);
    expect(await list(`q=${id}`)).toEqual([id]);
    expect(await list(`q=5511987650000`)).toContain(id);
    expect(await list('account=2')).toEqual([]);
    expect((await on.admin('GET', '/machines?cursor=xx')).http).toBe(400);
    await on.database.pool.query(
      `INSERT INTO machines (account_id, id, kind, version, revision, state, snapshot, held_by, step_id, created_at, ended_at)
        SELECT 2, n, 'template', 1, 1, 'ended', '{}', 0, 0, 0, 1 FROM generate_series(1, 150) AS n`,
    );
    const first = (await on.admin('GET', '/machines?kind=template')).body;
    const second = (await on.admin('GET', `/machines?kind=template&cursor=${first.cursor}`)).body;
    expect([first.machines.length, second.machines.length, second.cursor]).toEqual([100, 50, null]);
  });

  test('show their history from the beginning for whatever is no revision', async () => {
    const { cd_id: id } = (
      await on.post('MakeTTSCall', { tsid: demoToken, dest: '11987650000', text: 'a', httpdup: 0 })
    ).body.return;
    for (const after of ['1e20', 'x', '', '99999999999'])
      expect((await on.admin('GET', `/machines/${id}?after=${after}`)).body.history[0].revision).toBe(1);
  });

  test('show state, context, agenda, history and record', async () => {
    const id = await waiting();
    const { body } = await on.admin('GET', `/machines/${id}`);
    expect(body).toMatchObject({
      id,
      kind: 'call',
      account: demoAccount,
      record: { correlation: 'waits', status: '' },
    });
    expect(body.agenda.length).toBeGreaterThan(0);
    expect(body.history.length).toBeGreaterThan(0);
    expect(body.context.call.destination).toBe('5511987650000');
    expect((await on.admin('GET', '/machines/a_1234567')).http).toBe(404);
    expect((await on.admin('GET', '/machines/nonsense')).http).toBe(404);
  });

  test('say why they wait, and until when', async () => {
    const id = await waiting();
    const explained = async () => (await on.admin('GET', `/machines/${id}/explain`)).body;
    const spoken = async (): Promise<string> => (await explained()).sentences.join(' ');
    await expect
      .poll(spoken)
      .toMatch(/At 20\S+ \S+ its date has come\. .*Times are those of America\/Sao_Paulo/);
    const { ended, waitsFor } = await explained();
    expect([ended, waitsFor[0].name]).toEqual([false, 'notBefore']);
    expect(waitsFor[0].until).toBeGreaterThan(Date.now());
  });

  test.each([
    ['01', 'BUSY at attempt 1', 'cause 17 (user busy)'],
    ['02', 'NOANSWER at attempt 1', 'it rang, and the call was not answered'],
    [
      '04',
      'CHANUNAVAIL at attempt 1',
      'could not be reached; the carrier said cause 1 (unallocated number), SIP 404',
    ],
  ])('say how a call to …%s ended, and why', async (digits, outcome, why) => {
    const placed = await on.post('MakeTTSCall', { dest: `119876501${digits}`, text: 'hi', ringtime: 5 });
    const id = placed.body.return.cd_id;
    await on.ended(id);
    const sentences = await eventually(async () => {
      const { body } = await on.admin('GET', `/machines/${id}/explain`);
      expect(body.ended).toBe(true);
      return body.sentences.join(' ');
    });
    expect(sentences).toContain(`Its outcome is ${outcome}`);
    expect(sentences).toContain(why);
  });

  test('take the events of operators, and no others', async () => {
    const id = await waiting();
    const refused = await on.admin('POST', `/machines/${id}/events`, { type: 'answered' });
    expect(refused).toMatchObject({ http: 400, body: { allowed: expect.arrayContaining(['cancel']) } });
    expect(
      await on.admin('POST', `/machines/${id}/events`, { type: 'resolveUnknown', outcome: 'sober' }),
    ).toMatchObject({ http: 400, body: { field: 'outcome' } });
    expect((await on.admin('POST', `/machines/${id}/events`, { type: 'cancel' })).http).toBe(200);
    expect((await on.ended(id)).cd_status).toBe('CANCEL');
    // Its last effects may still be owed; then it is over.
    await eventually(async () =>
      expect((await on.admin('GET', `/machines/${id}`)).body.endedAt).not.toBeNull(),
    );
    expect((await on.admin('POST', `/machines/${id}/events`, { type: 'cancel' })).http).toBe(409);
    for (const order of ['retry', 'cancel'])
      for (const [effect, http] of [
        ['none', 409],
        ['9'.repeat(5_000), 400],
      ])
        expect((await on.admin('POST', `/machines/${id}/effects/${effect}/${order}`)).http).toBe(http);
  });
});
