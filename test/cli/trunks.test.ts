import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliBed, startCliBed } from './bed.ts';

let bed: CliBed;
beforeAll(async () => {
  bed = await startCliBed();
});
afterAll(() => bed.stop());

/** What a command said; throws when it failed. */
const said = async (words: string[], typed = {}): Promise<string> => {
  const { exit, out, err } = await bed.run(words, typed);
  expect([words.join(' '), exit, err]).toEqual([words.join(' '), 0, '']);
  return out;
};

test('trunks are made, drained, switched off and on, and deleted by their names', async () => {
  const bounds = ['--calls-per-second', '5', '--legs', '20'];
  const sandbox = ['trunks', 'add', 'sandbox-b', '--server', 'sandbox', '--simulates', 'second', ...bounds];
  expect(await said([...sandbox, '--caller-ids', '5511*, 552122223333', '--failover', '503,480'])).toBe(
    'Trunk sandbox-b is there, and on.\n',
  );
  const [, made] = (await bed.run(['trunks', 'ls', '--json'])).json.trunks;
  expect(made).toMatchObject({
    caller_ids: ['5511*', '552122223333'],
    failover: [503, 480],
    simulates: 'second',
  });
  expect(await said(['trunks', 'ls'])).toMatch(/sandbox-b +sandbox +on +5 +20/);
  const changes = ['--legs', '30', '--caller-ids', '', '--format', 'plus', '--spend-per-day', '250'];
  expect(await said(['trunks', 'set', 'sandbox-b', ...changes])).toBe('Trunk sandbox-b is changed.\n');
  expect((await bed.on.admin('GET', `/trunks/${made.trunk_id}`)).body).toMatchObject({
    ...{ calls_per_second: 5, legs: 30, caller_ids: [], failover: [503, 480], number_format: 'plus' },
    spend_per_day: '250.0000',
  });
  expect((await bed.run(['trunks', 'set', 'sandbox-b', '--json'])).json).toMatchObject({
    ...{ exit: 2, error: 'what of sandbox-b is to change is not said' },
  });
  expect(await said(['trunks', 'drain', 'sandbox-b'])).toBe('Trunk sandbox-b is draining.\n');
  expect(await said(['trunks', 'off', String(made.trunk_id)])).toBe('Trunk sandbox-b is off.\n');
  expect(await said(['trunks', 'on', 'sandbox-b'])).toBe('Trunk sandbox-b is on.\n');
  expect((await bed.run([...sandbox, '--failover', '486', '--json'])).json).toMatchObject({
    ...{ exit: 1, error: expect.stringContaining('is the answer of the callee') },
  });
  expect((await bed.run(['trunks', 'off', 'nowhere', '--json'])).json).toMatchObject({
    ...{ exit: 1, error: 'there is no trunk "nowhere"' },
  });
  expect(
    (await bed.run(['trunks', 'set', 'sandbox-b', '--legs', '99999999999', '--json'])).json,
  ).toMatchObject({
    ...{ exit: 2, error: '--legs must be at most 999999999; it is 99999999999' },
  });
  expect(await said(['trunks', 'rm', 'sandbox-b'])).toBe('Trunk sandbox-b is deleted.\n');
});

test('the login of a carrier is given without its password on the line', async () => {
  const add = ['trunks', 'add', 'sandbox-c', '--server', 'sandbox', '--calls-per-second', '5', '--legs', '9'];
  const login = ['--sip-host', 'sip.example.net:5070', '--sip-user', '5511400', '--sip-codecs', 'alaw, g722'];
  // The service of these tests has the sandbox, of which no carrier is reached: all that was said is refused, a field by name.
  const refused = { exit: 1, error: expect.stringMatching(/^sip_\w+: a trunk of the sandbox has none/) };
  const env = { RAMAL_TRUNK_PASSWORD: 'very-secret' };
  const { json, out, err } = await bed.run([...add, ...login, '--json'], { env });
  expect(json).toMatchObject(refused);
  expect(out + err).not.toContain('very-secret');
  const typed = { input: 'password=very-secret\n' };
  expect((await bed.run([...add, ...login, '--password-stdin', '--json'], typed)).json).toMatchObject(
    refused,
  );
  expect((await bed.run([...add, '--sip-codecs', 'opus', '--json'])).json).toMatchObject({
    ...{ exit: 1, error: expect.stringContaining('sip_codecs') },
  });
  expect((await bed.run([...add, '--sip-expiry', '600', '--json'])).json).toMatchObject({
    ...{ exit: 1, error: expect.stringMatching(/^sip_expiry_seconds: a trunk of the sandbox has none/) },
  });
  expect((await bed.run([...add, '--sip-register', 'perhaps', '--json'])).json).toMatchObject({
    ...{ exit: 2, error: '--sip-register is yes or no' },
  });
});

test('servers are listed, drained, and switched on', async () => {
  expect(await said(['trunks', 'server', 'ls'])).toMatch(/sandbox +sandbox +on/);
  expect(await said(['trunks', 'server', 'drain', 'sandbox'])).toBe('Server sandbox is draining.\n');
  expect(await said(['trunks', 'server', 'on', 'sandbox'])).toBe('Server sandbox is on.\n');
  expect((await bed.run(['trunks', 'server', 'off', 'nowhere', '--json'])).json).toMatchObject({
    ...{ exit: 1, error: 'there is no trunk server "nowhere"' },
  });
});

test('another Asterisk is connected without its password on the line', async () => {
  const add = [
    'trunks',
    'server',
    'add',
    'asterisk-b',
    '--ari',
    'http://127.0.0.1:8088/ari',
    '--username',
    'ramal',
  ];
  const missing = await bed.run([...add, '--json']);
  expect(missing.json).toMatchObject({
    exit: 2,
    error: expect.stringContaining('RAMAL_TRUNK_SERVER_PASSWORD'),
  });
  // The service of these tests has the sandbox, which has one server.
  const refused = { exit: 1, error: expect.stringContaining('CARRIER=asterisk') };
  const env = { RAMAL_TRUNK_SERVER_PASSWORD: 'very-secret' };
  expect((await bed.run([...add, '--json'], { env })).json).toMatchObject(refused);
  const typed = { input: 'password=very-secret\n' };
  expect((await bed.run([...add, '--password-stdin', '--json'], typed)).json).toMatchObject(refused);
});

test('prices of a trunk are written with their steps', async () => {
  const add = ['trunks', 'price', 'add', 'sandbox'];
  expect(await said([...add, '0.045', '--prefix', '55', '--step', '30+6'])).toBe(
    'A minute by sandbox to 55 costs 0.0450.\n',
  );
  expect(await said([...add, '1'])).toBe('A minute by sandbox to every number costs 1.0000.\n');
  expect((await bed.run([...add, '1', '--step', '30/6', '--json'])).json).toMatchObject({ exit: 2 });
  const listed = await said(['trunks', 'price', 'ls', 'sandbox']);
  expect(listed).toMatch(/55 +0\.0450 +30\+6/);
  const gone = 'The price of sandbox for every number is deleted.\n';
  expect(await said(['trunks', 'price', 'rm', 'sandbox'])).toBe(gone);
  expect((await bed.run(['trunks', 'price', 'rm', 'sandbox', '--json'])).json).toMatchObject({ exit: 1 });
});

test('pools of caller ids are made, listed, looked at and deleted', async () => {
  const add = ['trunks', 'caller-ids', 'add', '1130001000', '2130001000'];
  const made = await said([...add, '--order', 'areaCode', '--calls-per-hour', '60', '--same-person']);
  expect(made).toMatch(/^Pool \d+ is there: 551130001000, 552130001000\.$/m);
  const [id = ''] = /\d+/.exec(made) ?? [];
  expect(await said(['trunks', 'caller-ids', 'ls'])).toMatch(
    /all +areaCode +60 +yes +551130001000, 552130001000/,
  );
  expect(await said(['trunks', 'caller-ids', 'hour', id])).toMatch(/552130001000 +0 +0 +0/);
  expect((await bed.run([...add, '--json'])).json).toMatchObject({ exit: 1 });
  expect((await bed.run([...add, '--rest-below', 'half', '--json'])).json).toMatchObject({ exit: 2 });
  expect(await said(['trunks', 'caller-ids', 'rm', id])).toBe(`Pool ${id} is deleted.\n`);
  const alone = await said(['trunks', 'caller-ids', 'add', '1130001000']);
  expect(alone).toMatch(/^Pool \d+ is there: 551130001000\.$/m);
});

test('routes name trunks in order, or with shares', async () => {
  const bounds = ['--calls-per-second', '5', '--legs', '20'];
  await said(['trunks', 'add', 'sandbox-c', '--server', 'sandbox', ...bounds]);
  const narrow = [
    '--prefix',
    '5511',
    '--line',
    'mobile',
    '--region',
    'SP',
    '--account',
    '3',
    '--position',
    '2',
  ];
  const fixed = await said(['trunks', 'route', 'add', 'sandbox-c', 'sandbox', ...narrow]);
  expect(fixed).toMatch(/^Route \d+ is there: sandbox-c, sandbox\.$/m);
  const share = ['trunks', 'route', 'add', 'sandbox=70', '--order', 'share'];
  expect(await said([...share, 'sandbox-c=30'])).toContain('is there: sandbox 70 %, sandbox-c 30 %.');
  expect((await bed.run([...share, 'sandbox-c=20', '--json'])).json).toMatchObject({
    ...{ exit: 1, error: expect.stringContaining('must come to 100, and come to 90') },
  });
  expect((await bed.run([...share, 'sandbox-c=many', '--json'])).json).toMatchObject({ exit: 2 });
  const [id = ''] = /\d+/.exec(fixed) ?? [];
  expect(await said(['trunks', 'route', 'off', id])).toBe(`Route ${id} is switched off.\n`);
  const listed = await said(['trunks', 'route', 'ls']);
  expect(listed).toMatch(/3 +all +5511 +mobile +SP +fixed +no +sandbox-c, sandbox/);
  const { trunk_routes: routes } = (await bed.run(['trunks', 'route', 'ls', '--json'])).json;
  for (const { route_id } of routes) await said(['trunks', 'route', 'rm', String(route_id)]);
  await said(['trunks', 'rm', 'sandbox-c']);
});
