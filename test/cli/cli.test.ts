/** The command line against the whole service, run in this process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, demoToken } from '../helpers/service.ts';
import { type CliBed, demo, startCliBed } from './bed.ts';
import { ramal } from './terminal.ts';

let bed: CliBed;
beforeAll(async () => {
  bed = await startCliBed();
});
afterAll(() => bed.stop());

const run: CliBed['run'] = (...asked) => bed.run(...asked);

describe('what others named', () => {
  const name = 'Ev\u001B]0;owned\u0007il\u009B2J\nShop\u202E';
  // oxlint-disable-next-line no-control-regex -- that there is none is what is tested
  const controls = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/;

  test('reaches the terminal without control characters', async () => {
    const { cdcs_id: id } = (await run(['account', 'create', name, '--json'])).json;
    for (const words of [
      ['account', 'ls'],
      ['account', 'show', String(id)],
    ]) {
      const { out } = await run(words, { person: { columns: 120 } });
      expect(out).toMatch(/Ev \]0;owned il 2J Shop/);
      expect(out.replaceAll(/\u001B\[\d*m/g, '')).not.toMatch(controls);
    }
    const { err } = await run(['account', 'show', name]);
    expect(err).toContain('is not the number of an account');
    expect(err).not.toMatch(controls);
  });

  test('is the same in JSON, where it is escaped', async () => {
    const { out, json } = await run(['account', 'create', name, '--json']);
    expect(json.name).toBe(name);
    expect(out.trimEnd()).not.toMatch(controls);
  });
});

test('a call with nothing to say is wrong usage, in the words of the command line', async () => {
  for (const words of [
    ['call', '11987650000'],
    ['call', '11987650000', '--text', ''],
  ])
    expect(await run(words)).toMatchObject({ exit: 2, err: expect.stringContaining('Give --text') });
});

test('a full disk behind the output is told, and does not end in a stack', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['dist/src/cli/main.js', 'account', 'ls'], {
    env: { ...process.env, ...bed.env },
    stdio: ['ignore', full, 'pipe'],
  });
  let said = '';
  child.stderr!.on('data', (part: Buffer) => (said += part.toString()));
  const [exit] = await once(child, 'close');
  closeSync(full);
  expect([exit, said]).toEqual([
    1,
    'Error: it is done, but standard output takes no more: ENOSPC\nIs the disk full?\n',
  ]);
});

test('Ctrl-C ends what follows and what listens in order, and nothing of it is left', async () => {
  const interrupted = async (...words: string[]): Promise<[number, string]> => {
    const child = spawn(process.execPath, ['dist/src/cli/main.js', ...words], {
      env: { ...process.env, ...bed.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => (said += part.toString()));
    await expect.poll(() => said).toMatch(/while this runs|Times are/);
    child.kill('SIGINT');
    const [exit] = (await once(child, 'close')) as [number];
    return [exit, said];
  };
  const [followed, listened] = await Promise.all([
    interrupted('events', '--follow'),
    interrupted('callback', 'listen', '--port', '0', '--use'),
  ]);
  expect([followed[0], listened[0]]).toEqual([0, 0]);
  expect(followed[1]).toContain('To go on from here: npx ramal events --follow --since ');
  const { body } = await bed.on.admin('GET', `/accounts/${demoAccount}`);
  expect(body).toMatchObject({ callback_url: '', callback_events: '' });
});

test('a terminal that does not say how wide it is has eighty columns', async () => {
  const [unsized, usual] = await Promise.all(
    [0, 80].map(async (columns) => (await run(['token', 'ls', ...demo], { person: { columns } })).out),
  );
  expect(unsized).toBe(usual);
  expect(usual).toContain('demo');
});

test('a script that names no command hears it in JSON', async () => {
  for (const words of [['--json'], ['account', '--json']])
    expect(await run(words)).toMatchObject({
      ...{ exit: 2, json: { error: 'no command is named', exit: 2, hint: expect.any(String) } },
    });
});

describe('an account and its token', () => {
  test('are made, and the token then acts for the account', async () => {
    const account = (await run(['account', 'create', 'Shop', '--balance', '12.5', '--json'])).json;
    expect(account).toMatchObject({ name: 'Shop', balance: 12.5 });

    const made = await run(['token', 'create', '--account', String(account.cdcs_id), '--label', 'till']);
    expect(made).toMatchObject({ exit: 0, out: expect.stringMatching(/^[A-Za-z0-9]{30}\n$/) });
    expect(made.err).toContain('shown this once');

    const token = made.out.trim();
    const called = await run(['call', '11987650000', '--text', 'Hello', '--json'], {
      env: { RAMAL_TOKEN: token },
    });
    expect(called.json).toEqual({ cd_id: expect.stringMatching(/^a_\d+$/), sandbox: true });

    const shown = await run(['machines', 'show', called.json.cd_id, '--json']);
    expect(shown.json).toMatchObject({ kind: 'call', account: account.cdcs_id });
  });

  test('a token that is revoked opens nothing any more, and is not shown again', async () => {
    const made = (
      await run(['token', 'create', ...demo, '--label', 'short', '--allow', '10.0.0.0/8', '--json'])
    ).json;
    const revoked = await run(['token', 'revoke', String(made.token_id), ...demo]);
    expect(revoked).toMatchObject({ exit: 0, out: expect.stringContaining('revoked') });

    const listed = await run(['token', 'ls', ...demo]);
    expect(listed.out).toMatch(new RegExp(`${made.token_id}  short .*revoked`));
    expect(listed.out).not.toContain(made.token);
    expect(listed.out).not.toContain(demoToken);
  });

  test('an account is shown without the secret that signs its callbacks, unless that is asked for', async () => {
    const secret = (await bed.on.admin('GET', `/accounts/${demoAccount}`)).body.webhook_secret;
    for (const words of [
      ['account', 'ls'],
      ['account', 'show', String(demoAccount)],
    ]) {
      const [people, scripts] = [await run(words), await run([...words, '--json'])];
      expect(people.out).toContain('Demo');
      expect(`${people.out}${scripts.out}`).not.toContain(secret);
    }
    const asked = await run(['account', 'show', ...demo, '--webhook-secret']);
    expect(asked.out).toBe(`${secret}\n`);
  });

  test('an account that is not named is RAMAL_ACCOUNT, else that of the token, else it is asked for', async () => {
    const other = (await run(['account', 'create', 'Other', '--json'])).json.cdcs_id as number;
    const ofOther = ['--account', String(other)];
    const token = (await run(['token', 'create', ...ofOther])).out.trim();
    const accountIn = async (env: Record<string, string>) =>
      (await run(['token', 'ls', '--json'], { env })).json.tokens[0].cdcs_id as number;
    expect(await accountIn({})).toBe(demoAccount);
    expect(await accountIn({ RAMAL_TOKEN: token })).toBe(other);
    expect(await accountIn({ RAMAL_TOKEN: token, RAMAL_ACCOUNT: String(demoAccount) })).toBe(demoAccount);
    const unknown = { RAMAL_TOKEN: 'x'.repeat(30) };
    expect(await run(['token', 'ls', '--json'], { env: unknown })).toMatchObject({
      exit: 2,
      json: { error: 'which account?', hint: expect.stringContaining('--account') },
    });
  });
});

describe('a chat line', () => {
  const add = ['line', 'add', ...demo, '--class', 'msgapp', '--provider', 'cloud', '--phone-number-id', '42'];
  const given = { has_api_key: true, has_app_secret: true, has_verify_token: true };

  test('takes its secrets from the environment', async () => {
    const secrets = {
      RAMAL_LINE_API_KEY: 'key-of-line',
      RAMAL_LINE_APP_SECRET: 'secret-of-line',
      RAMAL_LINE_VERIFY_TOKEN: 'verify-of-line',
    };
    const made = await run([...add, '--json'], { env: secrets });
    expect(made.json).toMatchObject({ v8l_wa_app_name: '42', ...given });
    expect(made.out).not.toMatch(/of-line/);
  });

  test('takes its secrets from standard input', async () => {
    const input = 'v8l_wa_api_key=key-of-line\napp_secret=a=b\n\nverify_token=verify-of-line\n';
    expect((await run([...add, '--secrets-stdin', '--json'], { input })).json).toMatchObject(given);
    expect(await run([...add, '--secrets-stdin'], { input: 'password=x' })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('app_secret='),
    });
  });

  test('asks a person for its secrets, and shows nothing of what is typed', async () => {
    const person = { columns: 80, types: ['key-of-line', 'wronk\u007fg-of-line', ''] };
    const made = await run(add, { person });
    expect(made.exit).toBe(0);
    expect(made.err).toContain('Access token of the upstream: ');
    expect(`${made.out}${made.err}`).not.toMatch(/of-line/);
    expect(made.out).toContain('It lacks verify token, number');
  });

  test('is not made when the person gives up', async () => {
    const before = (await run(['line', 'ls', ...demo, '--json'])).json.lines.length;
    expect((await run(add, { person: { columns: 80, types: ['half\u0003'] } })).exit).toBe(2);
    expect((await run(['line', 'ls', ...demo, '--json'])).json.lines).toHaveLength(before);
  });

  test('is listed with what it lacks', async () => {
    await run(['line', 'add', ...demo, '--class', 'pagechat', '--page-id', '77']);
    expect((await run(['line', 'ls', ...demo])).out).toMatch(/pagechat {2}77 .*access token, app secret/);
  });
});

describe('a parameter by its own name', () => {
  test('that the operation does not have is refused with the nearest one, before anything is asked', async () => {
    const meant = {
      exit: 2,
      json: { error: 'MakeTTSCall has no parameter "texto2"', hint: expect.stringContaining('-s text2=') },
    };
    expect(await run(['call', '1', '--text', 'x', '-s', 'texto2=More', '--json'])).toMatchObject(meant);
    const none = await run(['sms', 'send', '1', '--text', 'x', '-s', 'colour=red']);
    expect(none).toMatchObject({
      exit: 2,
      err: expect.stringContaining('MakeSMS has no parameter "colour"'),
    });
    expect(none.err).not.toContain('Did you mean');
  });

  test('may be an alias', async () => {
    const made = await run(['sms', 'send', '11987650000', '--text', 'x', '-s', 'msg_text=', '--json']);
    expect(made.exit).toBe(0);
  });
});

test('what is wrong is told in the words that were typed', async () => {
  const of = async (...words: string[]) => (await run([...words, '--json'])).json.error as string;
  const campaign = (...more: string[]) => of('campaign', 'create', 'Wrong', '--text', 'x', ...more);
  expect(await campaign('--calls-per-minute', '300')).toMatch(/^--calls-per-minute must be /);
  expect(await campaign('-s', 'vel=300')).toMatch(/^vel must be /);
  expect(await campaign()).toBe('--list is missing');
  expect(await campaign('--list', '1', '--between', 'x-18:00')).toMatch(/^the beginning of --between /);
  expect(await of('call', 'dest', '--text', 'x')).toBe('the number "dest" is not a telephone number');
});

test('a block list comes and goes by file, and lists are deleted', async () => {
  const file = join(bed.folder, 'blocked.csv');
  writeFileSync(file, 'phone;name\n11987651234;Ana\nnobody;Eva\n11987651235;Rui\n');
  const brought = await run(['block', 'import', file, '--reason', 'asked us', ...demo]);
  expect(brought).toMatchObject({
    exit: 0,
    out: expect.stringContaining('2 numbers were added, 0 were there already.'),
  });
  expect(brought.out).toMatch(
    /1 line is no number:\nline +reason *\n +3 +"nobody" is not a telephone number/,
  );
  const again = await run(['block', 'import', file, ...demo, '--json']);
  expect(again.json).toMatchObject({ added: 0, already_there: 2, refused: 1 });
  const off = await run(['block', 'remove', file, ...demo, '--json']);
  expect(off.json).toMatchObject({ removed: 2, not_there: 0, refusals: [{ line: 3 }] });
  expect((await run(['block', 'import', join(bed.folder, 'none.csv'), ...demo])).exit).toBe(2);

  writeFileSync(file, 'phone\n11987651234\n');
  const { cdlc_id } = (await run(['list', 'upload', file, '--json'])).json as { cdlc_id: string };
  expect((await run(['list', 'remove', cdlc_id, ...demo])).out).toContain(`List ${cdlc_id} is deleted`);
  expect((await run(['list', 'remove', cdlc_id, ...demo])).exit).toBe(1);
  expect((await run(['audio', 'ls', ...demo])).exit).toBe(0);
  expect((await run(['audio', 'remove', 'tf999999', ...demo])).exit).toBe(1);
});

describe('what goes wrong', () => {
  test('a service that is not there is 3, and says how to start it', async () => {
    const away = await run(['account', 'ls', '--url', 'http://127.0.0.1:2', '--json']);
    expect(away).toMatchObject({
      exit: 3,
      json: { exit: 3, hint: expect.stringContaining('npx ramal start') },
    });
    const called = await run(['call', '1', '--text', 'x'], { env: { RAMAL_URL: 'http://127.0.0.1:2' } });
    expect(called).toMatchObject({ exit: 3, out: '' });
  });

  test('something that is not Ramal is 3 as well', async () => {
    expect(await run(['account', 'ls', '--url', `${bed.on.url}/docs#`])).toMatchObject({
      exit: 3,
      err: expect.stringContaining('is not Ramal'),
    });
  });

  test('tokens that are missing or wrong are 1, and are not repeated', async () => {
    const none = await ramal(['account', 'ls'], { env: { RAMAL_URL: bed.on.url, DATA_DIR: bed.folder } });
    expect(none).toMatchObject({ exit: 1, err: expect.stringContaining('DATA_DIR/admin-token') });
    const nobody = await ramal(['campaign', 'ls'], { env: { RAMAL_URL: bed.on.url, DATA_DIR: bed.folder } });
    expect(nobody).toMatchObject({ exit: 1, err: expect.stringContaining('RAMAL_TOKEN') });
    const wrong = await run(['account', 'ls', '--admin-token', 'not-the-admin-token']);
    expect(wrong).toMatchObject({ exit: 1, err: expect.stringContaining('the admin token is wrong') });
    expect(wrong.err).not.toContain('not-the-admin-token');
  });

  test('a command line that cannot be read is 2, and says where help is', async () => {
    expect(await run(['campaign', 'create', '--json'])).toMatchObject({
      exit: 2,
      json: {
        error: "missing required argument 'name'",
        hint: 'npx ramal campaign create --help shows how.',
      },
    });
    expect((await run(['cal'])).err).toContain('Did you mean call?');
    expect((await run(['call', '1', '--nothing'])).exit).toBe(2);
    expect((await run(['list', 'upload', join(bed.folder, 'none.csv')])).exit).toBe(2);
    expect((await run(['account', 'ls', '--url', 'ftp://x'])).exit).toBe(2);
    expect(await run([])).toMatchObject({ exit: 2, err: expect.stringContaining('Commands:') });
  });
});
