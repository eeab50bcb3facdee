/** What the command line sets going, follows and sends again: calls, campaigns, deliveries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryInput } from '../../machines/delivery/input.ts';
import { demoAccount } from '../helpers/service.ts';
import { type CliBed, demo, startCliBed } from './bed.ts';

let bed: CliBed;
beforeAll(async () => {
  bed = await startCliBed();
});
afterAll(() => bed.stop());

const run: CliBed['run'] = (...asked) => bed.run(...asked);

describe('a call', () => {
  test('is followed through its states to its record', async () => {
    const watched = await run(['call', '11987650012', '--text', 'Press two', '--watch', '--json',
      '-s', 'type=3', '-s', 'text2=More', '-s', 'dtmf2=text2', '--ctid', 'order-1']); // prettier-ignore
    const [placed, ...rest] = watched.jsonLines;
    const record = rest.at(-1);
    expect(watched.exit).toBe(0);
    expect(record).toMatchObject({ cd_id: placed.cd_id, cd_status: 'OK', resp_1: '2', ctid: 'order-1' });
    const states = rest.slice(0, -1).map(({ state }) => state);
    expect(states).toEqual(expect.arrayContaining(['preparing', 'dialing.ringing', 'ended']));
    expect(states.indexOf('preparing')).toBe(0);
    expect(new Set(states).size).toBe(states.length);
  });

  test('that nobody answered ends with 1, in words for people', async () => {
    const watched = await run(['call', '11987650001', '--text', 'Hello', '--watch']);
    expect(watched.exit).toBe(1);
    expect(watched.out).toMatch(/\+0\.0 s {2}preparing/);
    expect(watched.out).toMatch(/cd_status +BUSY/);
    // The states stand on the clock of the record, and it is named.
    expect(watched.out).toContain('Times are those of America/Sao_Paulo.');
    const [, preparing] = /(\d\d:\d\d):\d\d +\+0\.0 s/.exec(watched.out)!;
    expect(watched.out).toMatch(new RegExp(`time_dial +${preparing!.slice(0, 2)}:`));
  });

  test('that waits says for what, until somebody ends it', async () => {
    const watched = run(['call', '11987650101', '--text', 'Hello', '-s', 'repeat=2|1', '--watch']);
    await expect.poll(watched.soFar).toMatch(/it waits: .+, until \d\d:\d\d:\d\d/);
    const id = /a_\d+/.exec(watched.soFar())![0];
    const explained = (await run(['machines', 'explain', id])).out;
    expect(explained).toContain('It waits for its next attempt.');
    expect(explained).toMatch(/attempt 1 ended BUSY, and another follows; until \d{4}-\d\d-\d\d/);
    expect(explained).toContain('Times are those of America/Sao_Paulo.');
    const explicado = (await run(['machines', 'explain', id, '--lang', 'pt'])).out;
    expect(explicado).toContain('a tentativa 1 terminou em BUSY, e outra vem a seguir; até');
    expect(explicado).toContain('Os horários são os de America/Sao_Paulo.');
    expect((await run(['machines', 'explain', id, '--lang', 'fr'])).err).toContain('--lang must be en or pt');
    const why = (await run(['why', '(11) 98765-0101', '--rules'])).out;
    expect(why).toMatch(/^5511987650101, SP\nCalled once in 30 days, last at \d{4}-/);
    expect(why).toContain('Called, attempt 1. Its outcome is BUSY at attempt 1');
    expect(why).toContain('- Block lists: on neither the account’s nor the global one');
    expect(why).toContain('Times are those of America/Sao_Paulo.');
    expect((await run(['why', id, '--lang', 'pt'])).out).toContain('Chamado 1 vez em 30 dias');
    expect((await run(['why', id, '--json'])).json).toMatchObject({ number: '5511987650101', call: id });
    expect((await run(['why', id, '--lang', 'fr'])).err).toContain('--lang must be en or pt');
    expect((await run(['machines', 'send', id, 'cancel'])).exit).toBe(0);
    expect((await watched).exit).toBe(1);
  });

  test('is refused with the code of the interface', async () => {
    expect(await run(['call', 'abc', '--text', 'Hello', '--json'])).toMatchObject({
      exit: 1,
      err: '',
      json: { error: 'the number "abc" is not a telephone number', exit: 1, code: '203' },
    });
    expect(await run(['call', 'abc', '--text', 'Hello'])).toMatchObject({
      exit: 1,
      out: '',
      err: 'Error: the number "abc" is not a telephone number\n',
    });
  });

  test('an SMS goes out as well', async () => {
    const sent = (await run(['sms', 'send', '11987650000', '--text', 'Hello', '--json'])).json;
    expect(sent).toMatchObject({ cdls_id: expect.stringMatching(/^\d+$/), status: 'OK' });
  });
});

describe('a campaign', () => {
  test('is made of a list and followed to its end, a line for every change', async () => {
    const file = bed.aFile(
      'people.csv',
      'phone;name',
      '11987651000;Ana',
      '11987651101;Bia',
      '11987651200;Ana',
      'nobody;Eva',
    );
    const uploaded = await run(['list', 'upload', file, '--json']);
    expect(uploaded.json).toMatchObject({ num_dest: '3', rejected: 1 });
    const list: string = uploaded.json.cdlc_id;
    const hint = /npx ramal (list rejects \d+)/.exec((await run(['list', 'upload', file])).out)![1]!;
    expect((await run(hint.split(' '))).out).toContain('nobody;Eva');

    const made = (await run(['campaign', 'create', 'Spring', '--list', list, '--text', 'Hello', '--json']))
      .json;
    expect((await run(['campaign', 'ls'])).out).toMatch(/Spring +paused +/);
    expect((await run(['campaign', 'resume', made.cp_id])).out).toContain('switched on');

    const watched = await run(['campaign', 'watch', made.cp_id, '--json']);
    expect(watched.exit).toBe(0);
    expect(watched.jsonLines.at(-1)).toMatchObject({
      over: true, state: 'completed', destinations: 2, made: 2, answered: 1, skipped: 1, skipped_by_reason: { name: 1 },
    }); // prettier-ignore
    const said = await run(['campaign', 'watch', made.cp_id]);
    expect(said.out).toMatch(/called 2 of 2 numbers, 1 answered \(50 %\)\n {2}records left out: name 1/);
  });

  test('is paused and says what it waits for; drawn in a terminal it fits the screen', async () => {
    const list = (
      await run(['list', 'upload', bed.aFile('two.csv', 'phone', '11987652000', '11987652100'), '--json'])
    ).json;
    const made = (
      await run(['campaign', 'create', 'Held', '--list', list.cdlc_id, '--text', 'Hello', '--json'])
    ).json;
    const drawing = run(['campaign', 'watch', made.cp_id], { person: { columns: 60 } });
    const lines = run(['campaign', 'watch', made.cp_id, '--json']);
    for (const watched of [drawing, lines]) await expect.poll(watched.soFar).toContain('it is paused');
    expect((await run(['campaign', 'resume', made.cp_id])).exit).toBe(0);

    const drawn = (await drawing).out;
    expect(drawn).toContain('\u001B[');
    const plain = drawn.replaceAll(/\u001B\[[\d;]*[A-Za-z]/g, '').replaceAll('\r', '');
    expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(plain).toContain('100 %  2 of 2');
    expect((await lines).jsonLines).toContainEqual(
      expect.objectContaining({ state: 'paused', blockers: [expect.objectContaining({ rule: 'paused' })] }),
    );
  });

  test('that nobody knows is said to be none', async () => {
    expect(await run(['campaign', 'watch', '9999999'])).toMatchObject({
      exit: 1,
      err: expect.stringContaining('there is no campaign 9999999'),
    });
    expect((await run(['campaign', 'pause', '9999999', '--json'])).json).toMatchObject({ code: '212' });
    expect((await run(['campaign', 'pause', 'x', '--json'])).json).toMatchObject({ exit: 2 });
  });
});

describe('machines', () => {
  test('are listed, with more when there are more, and shown', async () => {
    const call = (await run(['call', '11987653000', '--text', 'Hello', '--watch', '--json'])).jsonLines[0]
      .cd_id;
    const listed = await run(['machines', 'ls', '--kind', 'call', '--limit', '1', ...demo, '--json']);
    expect(listed.json).toMatchObject({ machines: [{ kind: 'call' }], more: true });
    expect((await run(['machines', 'ls', '--find', call])).out).toContain(call);

    const shown = await run(['machines', 'show', call, '--history', '2']);
    for (const part of ['What it remembers', 'Its record', 'What happened'])
      expect(shown.out).toContain(part);
    expect(shown.out).toContain('Times are those of America/Sao_Paulo.');
    expect((await run(['machines', 'show', call, '--history', '2', '--json'])).json.history).toHaveLength(2);
  });

  test('take only what operators may send them', async () => {
    const call = (await run(['call', '11987654000', '--text', 'Hello', '--json'])).json.cd_id;
    expect(await run(['machines', 'send', call, 'answered', '--json'])).toMatchObject({
      exit: 1,
      json: { error: expect.stringContaining('cancel'), status: 400, field: 'type' },
    });
  });
});

test('a dead letter is sent again, alone or with all others', async () => {
  const input: DeliveryInput = {
    purpose: 'results',
    subject: { campaign: 1, profile: 999_999, file: 'results.csv' },
    about: 'campaign 1',
    target: 'nowhere',
  };
  const begun = await bed.on.service.engine.start({
    kind: 'delivery',
    shard: 'a',
    account: demoAccount,
    input,
  });
  if (begun.outcome !== 'started') throw new Error('not started');
  const id = `a_${begun.ref.id}`;
  const replays = async () => {
    const { state, history } = (await run(['machines', 'show', id, '--json'])).json;
    return { state, times: history.filter(({ event }: { event: string }) => event === 'replay').length };
  };
  await expect.poll(replays).toEqual({ state: 'deadLetter', times: 0 });
  expect((await run(['replay', id])).out).toContain('sent again');
  await expect.poll(replays).toEqual({ state: 'deadLetter', times: 1 });
  expect((await run(['replay', '--all', ...demo])).out).toMatch(/^1 dead letter is sent again\./);
  await expect.poll(replays).toEqual({ state: 'deadLetter', times: 2 });
  const later = new Date(Date.now() + 60_000).toISOString();
  expect((await run(['replay', '--since', later, ...demo])).out).toMatch(/^0 dead letters are sent again/);
  expect(await run(['replay', ...demo])).toMatchObject({ exit: 2, err: expect.stringContaining('--since') });
});

// Before its account has a route of its own, which takes the sandbox's place.
test('the terminal of the service has a line for each call and message that has ended', async () => {
  const id = (await run(['call', '11987658001', '--text', 'Hello', '--watch', '--json'])).jsonLines[0].cd_id;
  await run(['send', 'sms', '11987658002', '--text', 'Hello']);
  const lineOf = (number: string) => bed.shown.find((line) => line.includes(number)) ?? '';
  await expect
    .poll(() => lineOf('5511987658001'))
    .toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  call      5511987658001   BUSY.*${String(id).slice(2)}\\n$`));
  await expect.poll(() => lineOf('5511987658002')).toMatch(/ sms +5511987658002 +delivered/);
});

describe('a message', () => {
  test('is sent by SMS, and by a chat line that is found or named', async () => {
    const sms = (await run(['send', 'sms', '11987655000', '--text', 'Hello', '--json'])).json;
    expect(sms).toMatchObject({ cdls_id: expect.stringMatching(/^\d+$/), status: 'OK' });
    const chat = await run(['send', 'chat', '5511987655001', '--text', 'Hello']);
    expect(chat.out).toMatch(/^Message \d+ to 5511987655001 is accepted/);
    const hint = /npx ramal (machines show \d+)/.exec(chat.out)![1]!;
    expect((await run(hint.split(' '))).out).toContain('message of account');
    const page = ['send', 'chat', '7015550100', '--text', 'Hello', '--class', 'pagechat', '--json'];
    expect((await run(page)).json).toMatchObject({ status: 'OK' });
    expect((await run([...page, '--line', '999'])).json).toMatchObject({ exit: 1 });
  });

  test('goes by routes that are made, switched off and on, and whose credentials are not shown', async () => {
    const add = [
      'sms-route',
      'add',
      'Gateway',
      '--kind',
      'http',
      '--prefix',
      '999',
      '--secret-stdin',
      '--json',
    ];
    const settings =
      '{"url":"https://gateway.example/send","headers":{"Authorization":"Bearer {secret.key}"}}';
    const input = 'secret={"key":"sesame-open"}';
    const made = await run([...add, '--settings', settings], { input });
    expect(made.json).toMatchObject({ name: 'Gateway', kind: 'http', has_secret: true, active: true });
    const id = String(made.json.route_id);
    expect((await run(['sms-route', 'off', id])).out).toContain('is switched off');
    const listed = await run(['sms-route', 'ls']);
    expect(listed.out).toMatch(/Gateway +http +999 +0 +no/);
    expect((await run(['sms-route', 'on', id])).out).toContain('is switched on');
    expect((await run([...add, '--settings', '{"url":'], { input })).json).toMatchObject({
      ...{ exit: 2, error: '--settings must be JSON' },
    });
    expect(`${made.out}${listed.out}`).not.toContain('sesame');
    await bed.on.admin('DELETE', `/accounts/${demoAccount}/sms-routes/${id}`);
  });
});

test('lists are listed and shown', async () => {
  const file = bed.aFile('shown.csv', 'phone', '11987656000', 'nobody');
  const id: string = (await run(['list', 'upload', file, '--name', 'Shown', '--json'])).json.cdlc_id;
  expect((await run(['list', 'ls'])).out).toMatch(new RegExp(`${id} +Shown +1 +1 +yes`));
  const shown = await run(['list', 'show', id]);
  expect(shown.out).toMatch(/cdlc_name +Shown/);
  expect(shown.out).toContain(`npx ramal list rejects ${id}`);
  expect((await run(['list', 'ls', '--limit', '1', '--json'])).json).toMatchObject({
    lists: [{ cdlc_id: Number(id) }],
  });
});

test('the configuration of an assistant names the address, and the token only when it is asked for', async () => {
  const config = (await run(['mcp', 'config', '--json'])).json.mcpServers.ramal;
  expect(config.url).toBe(`${bed.on.url}/mcp`);
  expect(config.headers.Authorization).toBe('Bearer <token of the account>');
  const told = (await run(['mcp', 'config', '--with-token'])).json.mcpServers.ramal;
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { ...told.headers, 'Content-Type': 'application/json' };
  const answer = await fetch(told.url, { method: 'POST', headers, body: JSON.stringify(asked) });
  expect(((await answer.json()) as { result: { tools: unknown[] } }).result.tools.length).toBeGreaterThan(5);
});

test('what happens is told a line each, and goes on where it was', async () => {
  const account: number = (await run(['account', 'create', 'Busy', '--balance', '9', '--json'])).json.cdcs_id;
  const token = (await run(['token', 'create', '--account', String(account)])).out.trim();
  const env = { RAMAL_TOKEN: token };
  const begun = String(Date.now() - 1_000);
  const follow = run(['events', '--follow', '--since', begun, '--count', '3', '--json'], { env });
  const id: string = (await run(['call', '11987657000', '--text', 'Hello', '--json'], { env })).json.cd_id;
  const [first, ...later] = (await follow).jsonLines;
  expect(first).toMatchObject({
    id,
    kind: 'call',
    destination: '5511987657000',
    event: 'started',
    revision: 1,
  });

  const since = ['events', '--since', first.cursor, '--count', '2'];
  const again = (await run([...since, '--json'], { env })).jsonLines;
  const cursors = (events: { cursor: string }[]) => events.map(({ cursor }) => cursor);
  expect(cursors(again)).toEqual(cursors(later));

  const said = await run(since, { env });
  expect(said.out).toMatch(/\d\d:\d\d:\d\d {2}call {6}5511987657000 /);
  expect(said.err).toContain(`npx ramal events --follow --since ${later.at(-1).cursor}`);
  expect((await run(['events', '--since', 'x'])).exit).toBe(2);
});

describe('callbacks', () => {
  test('into this machine are refused with the setting that opens it', async () => {
    const refused = await run(['callback', 'set', 'http://127.0.0.1:9/in']);
    expect(refused).toMatchObject({
      exit: 1,
      err: expect.stringContaining('ALLOW_PRIVATE_TARGETS=127.0.0.1/32'),
    });
  });

  test('are received while somebody listens, signed, and not a moment longer', async () => {
    const listening = run(['callback', 'listen', '--port', '0', '--use', '--count', '2', '--json']);
    await expect.poll(listening.soFar).toContain('listening');
    const { listening: url } = JSON.parse(listening.soFar().split('\n')[0]!) as { listening: string };
    const neighbour = new URL(url);
    neighbour.port = String(Number(neighbour.port) - 1);
    expect(await run(['callback', 'test', neighbour.href])).toMatchObject({ exit: 1 });
    await fetch(url, { method: 'POST', body: '{"event":"forged"}' });
    expect((await run(['callback', 'test', '--json'])).json).toMatchObject({
      delivered: true,
      http_status: 204,
    });
    const [, forged, test] = (await listening).jsonLines;
    expect(forged).toMatchObject({ verified: false, body: { event: 'forged' } });
    expect(test).toMatchObject({ verified: true, body: { event: 'test' } });

    expect(await run(['callback', 'test', url])).toMatchObject({ exit: 1 });
    const { body } = await bed.on.admin('GET', `/accounts/${demoAccount}`);
    expect(body.callback_url).toBe('');
    const audit = (await bed.on.admin('GET', '/audit?limit=50')).body.entries as { action: string }[];
    expect(audit.map(({ action }) => action)).toContain('POST /callback-receivers');
  });

  test('are printed on the clock of the account, which is the one that they are written on', async () => {
    await bed.on.admin('PATCH', `/accounts/${demoAccount}`, { time_zone: 'Pacific/Apia' });
    const listening = run(['callback', 'listen', '--port', '0', '--count', '1']);
    await expect.poll(listening.soFar).toContain('times are those of Pacific/Apia.');
    const url = /http:\S+/.exec(listening.soFar())![0];
    await fetch(url, { method: 'POST', body: '{"event":"forged"}' });
    const { out } = await listening;
    await bed.on.admin('PATCH', `/accounts/${demoAccount}`, { time_zone: 'America/Sao_Paulo' });
    const hour = new Date().toLocaleTimeString('sv-SE', { timeZone: 'Pacific/Apia' }).slice(0, 2);
    expect(out).toMatch(new RegExp(`^${hour}:\\d\\d:\\d\\d {2}NOT SIGNED`, 'm'));
  });

  test('are admitted for this machine only, asked from this machine', async () => {
    const ask = (headers: Record<string, string>, body: object) =>
      fetch(`${bed.on.url}/admin/api/callback-receivers`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${bed.env['ADMIN_TOKEN']}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
      });
    expect((await ask({ 'X-Forwarded-For': '127.0.0.1' }, { port: 9096 })).status).toBe(403);
    expect((await ask({ Forwarded: 'for=127.0.0.1' }, { port: 9096 })).status).toBe(403);
    expect((await ask({}, { host: '10.0.0.1', port: 9096 })).status).toBe(400);
    expect((await ask({}, { port: 80 })).status).toBe(400);
  });
});

test('the status is a screenful: health, nodes, and what needs a look', async () => {
  const said = await run(['status'], { person: { columns: 80 } });
  expect(said.out).toMatch(/Ramal .* at http/);
  for (const part of ['database', 'carrier', 'last heartbeat']) expect(said.out).toContain(part);
  expect(said.out).toMatch(/sms +sandbox\n/);
  expect(said.out.split('\n').length).toBeLessThan(30);
  expect((await run(['status', '--json'])).json).toMatchObject({
    nodes: [expect.objectContaining({ shard: 'a' })],
    attention: expect.any(Array),
  });
});
