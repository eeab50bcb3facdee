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
  });

  test('that waits says for what, until somebody ends it', async () => {
    const watched = run(['call', '11987650101', '--text', 'Hello', '-s', 'repeat=2|1', '--watch']);
    await expect.poll(watched.soFar).toMatch(/it waits: .+, until \d\d:\d\d:\d\d/);
    const id = /a_\d+/.exec(watched.soFar())![0];
    expect((await run(['machines', 'explain', id])).out).toContain('It is in retrying');
    expect((await run(['machines', 'send', id, 'cancel'])).exit).toBe(0);
    expect((await watched).exit).toBe(1);
  });

  test('is refused in the words of the interface, with its code', async () => {
    expect(await run(['call', 'abc', '--text', 'Hello', '--json'])).toMatchObject({
      exit: 1,
      err: '',
      json: { error: 'dest "abc" is not a telephone number', exit: 1, code: '203' },
    });
    expect(await run(['call', 'abc', '--text', 'Hello'])).toMatchObject({
      exit: 1,
      out: '',
      err: 'Error: dest "abc" is not a telephone number\n',
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
    expect((await run(['list', 'rejects', list, ...demo])).out).toContain('nobody;Eva');

    const made = (await run(['campaign', 'create', 'Spring', '--list', list, '--text', 'Hello', '--json']))
      .json;
    expect((await run(['campaign', 'ls'])).out).toMatch(/Spring +paused +/);
    expect((await run(['campaign', 'resume', made.cp_id])).out).toContain('switched on');

    const watched = await run(['campaign', 'watch', made.cp_id, '--json']);
    expect(watched.exit).toBe(0);
    expect(watched.jsonLines.at(-1)).toMatchObject({
      over: true, state: 'completed', destinations: 2, made: 2, answered: 1, skipped: 1, skips: { name: 1 },
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
      expect.objectContaining({ state: 'paused', hindrances: [expect.objectContaining({ rule: 'paused' })] }),
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
