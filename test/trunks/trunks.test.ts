/** Trunks as an operator keeps them, and what becomes of calls: over the real service and the sandbox's two carriers. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const second = (more: object = {}) => ({
  ...{ name: 'sandbox-b', server: 'sandbox', calls_per_second: 50, legs: 100, simulates: 'second' },
  ...more,
});

const made: string[] = [];
const make = async (path: string, body: object) => {
  const answer = await on.admin('POST', path, body);
  expect([answer.http, answer.body.error]).toEqual([201, undefined]);
  made.unshift(`${path}/${answer.body.trunk_id ?? answer.body.route_id}`);
  return answer.body;
};
afterEach(async () => {
  for (const path of made.splice(0)) await on.admin('DELETE', path);
  await on.admin('PATCH', '/trunks/1', { state: 'on', caller_ids: [], closed_prefixes: {} });
  await on.admin('PATCH', '/trunk-servers/1', { state: 'on' });
  await on.admin('PATCH', `/accounts/${demoAccount}`, { fixed_routes: false });
});

const call = async (dest: string, more: object = {}) => {
  const answer = await on.post('MakeTTSCall', { dest, text: 'Olá', httpdup: 0, ...more });
  return { id: answer.body.return.cd_id as string, warning: String(answer.body.return.warning ?? '') };
};

const attemptsOf = async (id: string) => {
  const machine = (await on.admin('GET', `/machines/${id}`)).body;
  return machine.context.attempts as { route: string; status: string; tries?: { route: string }[] }[];
};

const explained = async (id: string) =>
  (await on.admin('GET', `/machines/${id}/explain`)).body.sentences.join(' ') as string;

describe('trunks', () => {
  test('begin with the one of the settings', async () => {
    const { trunks } = (await on.admin('GET', '/trunks')).body;
    expect(trunks).toMatchObject([
      { name: 'sandbox', server: 'sandbox', from_settings: true, state: 'on', legs: 200_000, live_legs: 0 },
    ]);
    const { trunk_servers } = (await on.admin('GET', '/trunk-servers')).body;
    expect(trunk_servers).toMatchObject([{ name: 'sandbox', kind: 'sandbox', state: 'on' }]);
  });

  test('are on the sandbox alone where calls go by it', async () => {
    const login = { url: 'http://127.0.0.1:8088/ari', username: 'ramal', password: 'ramal' };
    const refused = await on.admin('POST', '/trunk-servers', { name: 'asterisk-b', ...login });
    expect([refused.http, refused.body.error]).toEqual([409, expect.stringContaining('CARRIER=asterisk')]);
    const changed = await on.admin('PATCH', '/trunk-servers/1', login);
    expect([changed.http, changed.body.field]).toEqual([400, 'url']);
    expect((await on.admin('DELETE', '/trunk-servers/1')).http).toBe(409);
    expect((await on.admin('GET', '/trunk-servers/1')).body).toMatchObject({ url: '', connection: null });
  });

  test('are made, read, changed and removed', async () => {
    const prices = [{ prefix: '55', per_minute: '0.0450', first_seconds: 30, step_seconds: 6 }];
    const trunk = await make('/trunks', second({ prices }));
    const path = `/trunks/${trunk.trunk_id}`;
    expect((await on.admin('GET', path)).body).toMatchObject({ name: 'sandbox-b', prices });
    const changed = await on.admin('PATCH', path, { state: 'draining', prices: [], failover: [503] });
    expect(changed.body).toMatchObject({ state: 'draining', prices: [], failover: [503], legs: 100 });
    expect((await on.admin('DELETE', path)).http).toBe(204);
    expect((await on.admin('GET', path)).http).toBe(404);
  });

  test.each([
    ['a name that is taken', second({ name: 'sandbox-b' }), 409],
    ['the name of the settings', second({ name: 'sandbox' }), 400],
    ['a name that says nothing of the sandbox', second({ name: 'carrier' }), 400],
    ['a server that is not there', second({ server: 'nowhere' }), 400],
    ['a dial pattern in the sandbox', second({ name: 'sandbox-c', dial_pattern: 'PJSIP/{number}@x' }), 400],
    ['no capacity', second({ name: 'sandbox-c', legs: 0 }), 400],
    ['an answer of the callee', second({ name: 'sandbox-c', failover: [486] }), 400],
    ['an answer that leaves open whether it rang', second({ name: 'sandbox-c', failover: [408] }), 400],
    ['a caller id that is none', second({ name: 'sandbox-c', caller_ids: ['+55 11'] }), 400],
    ['one prefix twice', second({ name: 'sandbox-c', prices: [{ per_minute: 1 }, { per_minute: 2 }] }), 400],
    ['hours that never open', second({ name: 'sandbox-c', hours: { weekdays: [], saturdays: [] } }), 400],
  ])('refuse %s', async (_what, body, http) => {
    await make('/trunks', second());
    const answer = await on.admin('POST', '/trunks', body);
    expect([answer.http, typeof answer.body.error]).toEqual([http, 'string']);
  });

  test('stay while a route names them, and the one of the settings always', async () => {
    const trunk = await make('/trunks', second());
    await make('/trunk-routes', { trunks: [{ trunk: 'sandbox-b' }] });
    const refused = await on.admin('DELETE', `/trunks/${trunk.trunk_id}`);
    expect([refused.http, refused.body.error]).toEqual([409, expect.stringContaining('names this trunk')]);
    expect((await on.admin('DELETE', '/trunks/1')).http).toBe(409);
  });

  test('are not deleted by one request and named by another at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const trunk = await make('/trunks', second({ name: `sandbox-r${round}` }));
      const [removed, route] = await Promise.all([
        on.admin('DELETE', `/trunks/${trunk.trunk_id}`),
        on.admin('POST', '/trunk-routes', { trunks: [{ trunk: trunk.name }] }),
      ]);
      if (route.http === 201) made.unshift(`/trunk-routes/${route.body.route_id}`);
      expect([
        [204, 400],
        [409, 201],
      ]).toContainEqual([removed.http, route.http]);
    }
  });

  test('keep their names', async () => {
    const { trunk_id } = await make('/trunks', second());
    expect((await on.admin('PATCH', `/trunks/${trunk_id}`, { name: 'sandbox-c' })).http).toBe(400);
  });

  test('and a route of a campaign keeps its account when only the campaign is changed', async () => {
    const { route_id } = await make('/trunk-routes', {
      cdcs_id: demoAccount,
      trunks: [{ trunk: 'sandbox' }],
    });
    const changed = await on.admin('PATCH', `/trunk-routes/${route_id}`, { cp_id: 7 });
    expect(changed.body).toMatchObject({ cdcs_id: demoAccount, cp_id: 7 });
  });

  test.each([
    ['a trunk that is not there', { trunks: [{ trunk: 'sandbox-z' }] }],
    ['shares that are not whole', { order: 'share', trunks: [{ trunk: 'sandbox', share: 70 }] }],
    ['shares where nothing is shared', { trunks: [{ trunk: 'sandbox', share: 100 }] }],
    ['one trunk twice', { trunks: [{ trunk: 'sandbox' }, { trunk: 'sandbox' }] }],
    ['an account that is not there', { cdcs_id: 4_711, trunks: [{ trunk: 'sandbox' }] }],
    ['a campaign without its account', { cp_id: 1, trunks: [{ trunk: 'sandbox' }] }],
  ])('and routes refuse %s', async (_what, body) => {
    const answer = await on.admin('POST', '/trunk-routes', body);
    expect([answer.http, typeof answer.body.error]).toEqual([400, 'string']);
  });
});

describe('a call', () => {
  test('goes on with another trunk where the first has no circuit, and has one outcome', async () => {
    await make('/trunks', second());
    const { id } = await call('11999990003');
    expect(await on.ended(id)).toMatchObject({ cd_status: 'OK', route: 'sandbox-b' });
    const attempts = await attemptsOf(id);
    expect(attempts).toMatchObject([{ route: 'sandbox-b', status: 'OK', tries: [{ route: 'sandbox' }] }]);
    expect(await explained(id)).toContain('sandbox answered 503 before it rang');
  });

  test('is not said to wait for another trunk any more while it is spoken', async () => {
    await make('/trunks', second());
    const { id } = await call('11999990003', { text: 'Olá, bom dia. '.repeat(150) });
    const told = async () => (await on.admin('GET', `/machines/${id}/explain`)).body;
    const isSpoken = /^(dialing\.ringing|answered)/;
    const onTheWay = async () => {
      const { state, reasons } = await told();
      return isSpoken.test(state) && reasons.some(({ rule }: { rule: string }) => rule === 'reroute')
        ? reasons
        : state;
    };
    await expect.poll(onTheWay, { interval: 10 }).toMatchObject([{ rule: 'reroute', open: false }]);
  });

  test('ends as ever where there is no other trunk', async () => {
    const { id } = await call('11999990003');
    expect(await on.ended(id)).toMatchObject({ cd_status: 'CONGESTION' });
    expect(await attemptsOf(id)).toMatchObject([{ route: 'sandbox', status: 'CONGESTION' }]);
  });

  test('is not tried elsewhere after busy', async () => {
    await make('/trunks', second());
    const { id } = await call('11999990001');
    expect(await on.ended(id)).toMatchObject({ cd_status: 'BUSY' });
    expect(await attemptsOf(id)).toMatchObject([{ route: 'sandbox', status: 'BUSY' }]);
  });

  test('goes by its route', async () => {
    await make('/trunks', second());
    await make('/trunk-routes', { prefix: '5521', trunks: [{ trunk: 'sandbox-b' }] });
    const [rio, saoPaulo] = [await call('21999990000'), await call('11999990000')];
    expect(await on.ended(rio.id)).toMatchObject({ route: 'sandbox-b' });
    expect(await on.ended(saoPaulo.id)).toMatchObject({ route: 'sandbox' });
  });

  test('goes by the cheapest trunk of its route', async () => {
    await make('/trunks', second({ prices: [{ per_minute: '0.0100' }] }));
    await on.admin('PATCH', '/trunks/1', { prices: [{ per_minute: '0.0200' }] });
    const trunks = [{ trunk: 'sandbox' }, { trunk: 'sandbox-b' }];
    await make('/trunk-routes', { order: 'leastCost', trunks });
    expect(await on.ended((await call('11999990000')).id)).toMatchObject({ route: 'sandbox-b' });
  });

  test('goes elsewhere while a trunk is drained', async () => {
    await make('/trunks', second());
    await on.admin('PATCH', '/trunks/1', { state: 'draining' });
    expect(await on.ended((await call('11999990000')).id)).toMatchObject({ route: 'sandbox-b' });
  });

  test('waits while its server is off, and says why', async () => {
    await on.admin('PATCH', '/trunk-servers/1', { state: 'off' });
    const { id } = await call('11999990000');
    await expect.poll(() => explained(id)).toContain('no trunk may carry 5511999990000 (sandbox: serverOff)');
    await on.admin('PATCH', '/trunk-servers/1', { state: 'on' });
    await on.admin('POST', `/machines/${id}/events`, { type: 'retryNow' });
    expect(await on.ended(id)).toMatchObject({ cd_status: 'OK' });
  });

  test('to a number that is closed on all trunks is not dialled', async () => {
    await on.admin('PATCH', '/trunks/1', { closed_prefixes: { closed: ['5521'] } });
    const { id } = await call('21999990000');
    expect(await on.ended(id)).toMatchObject({ cd_status: 'CANCEL' });
    expect(await explained(id)).toContain('sandbox: closedPrefix');
  });
});

describe('[4.2/callerid]', () => {
  const shown = async (callerid: string) => {
    const { id, warning } = await call('11999990000', { callerid });
    const { cd_status: status } = await on.ended(id);
    const { context } = (await on.admin('GET', `/machines/${id}`)).body;
    return { status, warning, callerId: context.call.callerId };
  };

  test('is shown where a trunk that carries the call may show it, else the default is, and the answer says so', async () => {
    const { caller_id: before } = (await on.admin('GET', `/accounts/${demoAccount}`)).body;
    const ours = { caller_id: '551130000001', caller_ids: ['551130000002'] };
    await on.admin('PATCH', `/accounts/${demoAccount}`, ours);
    await on.admin('PATCH', '/trunks/1', { caller_ids: ['551130000001'] });
    expect(await shown('551130000002')).toMatchObject({
      status: 'OK',
      callerId: '551130000001',
      warning: expect.stringContaining('551130000002 may be shown by no trunk that carries this call'),
    });
    await make('/trunks', second());
    expect(await shown('551130000002')).toMatchObject({
      status: 'OK',
      callerId: '551130000002',
      warning: '',
    });
    await on.admin('PATCH', `/accounts/${demoAccount}`, { caller_id: before, caller_ids: [] });
  });
});

describe('[4.2/tfix]', () => {
  test('does nothing for an account that may not force routes, and says so', async () => {
    await make('/trunks', second());
    const { id, warning } = await call('11999990000', { tfix: 'sandbox-b' });
    expect(warning).toContain('may not force routes');
    expect(await on.ended(id)).toMatchObject({ route: 'sandbox' });
  });

  test('forces the trunks in its order, and never leaves its list', async () => {
    await make('/trunks', second());
    await on.admin('PATCH', `/accounts/${demoAccount}`, { fixed_routes: true });
    const forced = await call('11999990000', { tfix: 'sandbox-b | sandbox' });
    expect([forced.warning, (await on.ended(forced.id))['route']]).toEqual(['', 'sandbox-b']);
    // The second carrier has no circuit for 08; the first would answer.
    const alone = await call('11999990008', { tfix: 'sandbox-b' });
    expect(await on.ended(alone.id)).toMatchObject({ cd_status: 'CONGESTION' });
    const both = await call('11999990008', { tfix: 'sandbox-b|sandbox' });
    expect(await on.ended(both.id)).toMatchObject({ cd_status: 'OK', route: 'sandbox' });
  });

  test('leaves out trunks that are not there, and is ignored where none is left', async () => {
    await make('/trunks', second());
    await on.admin('PATCH', `/accounts/${demoAccount}`, { fixed_routes: true });
    const some = await call('11999990000', { tfix: 'nowhere|sandbox-b' });
    expect(some.warning).toContain('nowhere');
    expect(await on.ended(some.id)).toMatchObject({ route: 'sandbox-b' });
    const none = await call('11999990000', { tfix: 'nowhere' });
    expect(none.warning).toMatch(/nowhere.*usual routes/);
    expect(await on.ended(none.id)).toMatchObject({ route: 'sandbox' });
  });
});

describe('a trunk that refuses too much', () => {
  test('rests, shows why, and calls go by another at once', async () => {
    await make('/trunks', second());
    for (let nth = 0; nth < 22; nth++) await on.ended((await call(`11999${1_000 + nth}03`)).id);
    const [first] = (await on.admin('GET', '/trunks')).body.trunks;
    expect(first.health).toMatchObject({ causes: { '503': first.health.failed } });
    expect(first.health.rests_for_ms).toBeGreaterThan(0);
    const { id } = await call('11999990000');
    expect(await on.ended(id)).toMatchObject({ cd_status: 'OK', route: 'sandbox-b' });
    // What the second has no circuit for, the one that rests is asked for.
    const eight = await call('11999990008');
    expect(await on.ended(eight.id)).toMatchObject({ cd_status: 'OK', route: 'sandbox' });
    // Where it is the only one, it carries calls all the same.
    await on.admin('DELETE', made.shift()!);
    expect(await on.ended((await call('11999990100')).id)).toMatchObject({ route: 'sandbox' });
  });
});
