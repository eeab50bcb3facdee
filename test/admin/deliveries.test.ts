import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryInput } from '../../machines/delivery/input.ts';
import { openCutter } from '../helpers/cutter.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { anInput } from '../machines/campaigns.ts';
import { lackingSshd, startSshd, type Sshd } from '../helpers/sshd.ts';
import { eventually, patienceMs } from '../helpers/patience.ts';

let on: TestService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ramal-deliveries-'));
  on = await startTestService({ DELIVERY_DIR: folder, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
});
afterAll(async () => {
  await on.stop();
  rmSync(folder, { recursive: true });
});

const profiles = `/accounts/${demoAccount}/delivery-profiles`;
const aFolder = { name: 'Office', kind: 'folder', settings: { folder: 'in/daily' } };
const aServer = (changes: object = {}) => ({
  name: 'Server',
  kind: 'sftp',
  settings: { host: 'files.example', user: 'ana', ...changes },
  secret: { password: 'hush-hush' },
});

const anFtpServer = {
  name: 'Old server',
  kind: 'ftps',
  settings: { host: 'files.example', user: 'ana', certificate: 'ab:'.repeat(31) + 'ab' },
  secret: { password: 'hush-hush' },
};
const aBucket = {
  name: 'Bucket',
  kind: 's3',
  settings: { endpoint: 'https://s3.example', bucket: 'results', folder: '/2026/' },
  secret: { access_key: 'AKANA', secret_key: 'hush-hush' },
};

const made = async (body: object): Promise<number> => {
  const answer = await on.admin('POST', profiles, body);
  expect(answer.http).toBe(201);
  return answer.body.profile_id;
};

/** A campaign that is over, with calls to these people; rows of its list from 1. */
const aCampaign = async (id: number, people: { name: string; extra?: string }[]): Promise<void> => {
  const { pool } = on.database;
  await pool.query(
    `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
      date_start, date_end, time_start, time_end)
      VALUES ($1, $2::bigint, 0, 'play', $2::int, '{}', 'Natal & São João', true, 'completed',
        '2026-11-20', '2026-11-20', '09:00:00', '18:00:00')`,
    [demoAccount, id],
  );
  await pool.query(
    `INSERT INTO list_records (account_id, list_id, row, numbers, name, client_code, extra_1)
      SELECT $1, $2, row, '5511987650000', name, 'c' || row, extra
      FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS people (name, extra, row)`,
    [demoAccount, id, people.map(({ name }) => name), people.map(({ extra }) => extra ?? '')],
  );
  await pool.query(
    `INSERT INTO calls (account_id, id, requested_at, destination, mode, campaign_id, campaign_row, status, called_at,
      answered_at, ended_at, finished)
      SELECT $1, $2::bigint * 1000000 + row, 1, '5511987650000', 'play', $2::int, row, 'OK', 1795188600000,
        1795188602000, 1795188614000, true FROM generate_series(1, $3::int) AS row`,
    [demoAccount, id, people.length],
  );
};

/** Starts a campaign's delivery as the campaign does at its end. Answers its name. */
const deliver = async (
  campaign: number,
  profile: number,
  file = `campaign-${campaign}.csv`,
): Promise<string> => {
  const input: DeliveryInput = {
    purpose: 'results',
    subject: { campaign, profile, file },
    about: `campaign ${campaign}`,
    target: 'somewhere',
  };
  const begun = await on.service.engine.start({ kind: 'delivery', shard: 'a', account: demoAccount, input });
  if (begun.outcome !== 'started') throw new Error('not started');
  return `a_${begun.ref.id}`;
};

const reaches = (delivery: string, milestone: string) =>
  on.service.engine.waitFor(
    { shard: 'a', account: demoAccount, id: Number(delivery.split('_')[1]) },
    milestone,
    patienceMs,
  );

const recordOf = async (delivery: string) => {
  const { deliveries } = (await on.admin('GET', `/accounts/${demoAccount}/deliveries`)).body;
  return deliveries.find((one: { delivery_id: string }) => one.delivery_id === delivery);
};

describe('delivery profiles', () => {
  test('are made, listed, changed and deleted, and never show their credentials', async () => {
    const answer = await on.admin('POST', profiles, aServer({ port: 2222, folder: '/in' }));
    expect(answer).toMatchObject({
      http: 201,
      body: {
        cdcs_id: demoAccount,
        name: 'Server',
        kind: 'sftp',
        settings: { host: 'files.example', port: 2222, user: 'ana', folder: '/in', delimiter: ',' },
        active: true,
        has_secret: true,
      },
    });
    const path = `${profiles}/${answer.body.profile_id}`;
    expect((await on.admin('GET', path)).body).toEqual(answer.body);
    const changed = await on.admin('PATCH', path, { active: 0, secret: { password: 'other' } });
    expect(changed.body).toEqual({ ...answer.body, active: false });
    expect((await on.admin('GET', profiles)).body.delivery_profiles).toContainEqual(changed.body);
    const { rows } = await on.database.pool.query('SELECT secret FROM delivery_profiles');
    expect(JSON.stringify([answer.body, changed.body, rows])).not.toMatch(/hush|other/);
    expect((await on.admin('DELETE', path)).http).toBe(204);
    expect((await on.admin('GET', path)).http).toBe(404);
  });

  test('of FTPS servers and buckets are kept as they were read, without their credentials', async () => {
    const shown = [];
    for (const profile of [anFtpServer, aBucket])
      shown.push((await on.admin('POST', profiles, profile)).body);
    expect(shown).toMatchObject([
      {
        kind: 'ftps',
        settings: { host: 'files.example', port: 21, implicit: false, certificate: 'AB'.repeat(32) },
        has_secret: true,
      },
      { kind: 's3', settings: { region: 'us-east-1', bucket: 'results', folder: '2026' }, has_secret: true },
    ]);
    const { rows } = await on.database.pool.query('SELECT secret FROM delivery_profiles');
    expect(JSON.stringify([shown, rows])).not.toMatch(/hush|AKANA/);
  });

  test('belong to their account', async () => {
    const id = await made(aFolder);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const)
      expect(
        (
          await on.admin(
            method,
            `/accounts/2/delivery-profiles/${id}${path}`,
            method === 'GET' ? undefined : {},
          )
        ).http,
      ).toBe(404);
    expect((await on.admin('GET', `${profiles}/${id}`)).http).toBe(200);
  });

  test('name the part that is wrong', async () => {
    const wrong: [object, string][] = [
      [{ ...aFolder, kind: 'pigeon' }, 'kind'],
      [{ ...anFtpServer, settings: { ...anFtpServer.settings, certificate: 'AB' } }, 'settings.certificate'],
      [{ ...anFtpServer, secret: { private_key: 'k' } }, 'secret.password'],
      [{ ...aBucket, settings: { bucket: 'results', endpoint: 'ftp://s3.example' } }, 'settings.endpoint'],
      [{ ...aBucket, secret: undefined }, 'secret'],
      [{ ...aFolder, settings: { folder: '../../etc' } }, 'settings.folder'],
      [{ ...aFolder, settings: { folder: 'a/../b' } }, 'settings.folder'],
      [{ ...aFolder, settings: { folder: 'a\\b' } }, 'settings.folder'],
      [{ ...aFolder, settings: { fodler: 'a' } }, 'settings.fodler'],
      [{ ...aFolder, settings: { delimiter: '|' } }, 'settings.delimiter'],
      [{ ...aFolder, secret: { password: 'x' } }, 'secret'],
      [{ ...aServer(), secret: undefined }, 'secret'],
      [{ ...aServer(), secret: {} }, 'secret'],
      [{ ...aServer(), secret: { password: 'x', private_key: 'y' } }, 'secret'],
      [aServer({ host: 'a b' }), 'settings.host'],
      [aServer({ port: 0 }), 'settings.port'],
      [aServer({ user: '' }), 'settings.user'],
      [aServer({ folder: 'a\nb' }), 'settings.folder'],
      [aServer({ host_key: 'AAAA' }), 'settings.host_key'],
    ];
    for (const [body, field] of wrong)
      expect(await on.admin('POST', profiles, body)).toMatchObject({ http: 400, body: { field } });
  });

  test('are tested with a small file, and say what happened', async () => {
    const good = await made(aFolder);
    expect((await on.admin('POST', `${profiles}/${good}/test`)).body).toEqual({
      delivered: true,
      file: 'ramal-test.txt',
    });
    expect(readdirSync(join(folder, String(demoAccount), 'in/daily'))).toContain('ramal-test.txt');
    const inside = await made(aServer({ host: '10.0.0.1' }));
    expect((await on.admin('POST', `${profiles}/${inside}/test`)).body).toMatchObject({
      delivered: false,
      reason: 'addressRefused',
    });
    const nobody = await made(aServer({ host: '127.0.0.1', port: 1 }));
    expect((await on.admin('POST', `${profiles}/${nobody}/test`)).body).toMatchObject({
      delivered: false,
      reason: 'notNow',
    });
  });
});

describe('results', () => {
  test('are a CSV of the campaign’s calls with what the list says of the people, safe in a spreadsheet', async () => {
    await aCampaign(71, [
      { name: 'João "Zé", o 1º', extra: '=HYPERLINK("http://x")' },
      { name: 'Ana', extra: '-5' },
    ]);
    const delivery = await deliver(71, await made({ ...aFolder, settings: { folder: 'results' } }));
    expect(await reaches(delivery, 'delivered')).toBe('reached');
    const file = readFileSync(join(folder, String(demoAccount), 'results/campaign-71.csv'), 'utf8');
    expect(file.split('\r\n')).toEqual([
      '\uFEFFcd_id,cd_status,cd_amdasw,cp_id,cpid,ctid,origin,dest,date,time_dial,time_start,time_end,dur,' +
        'resp_1,resp_2,resp_3,route,rate,value,cdr_url,cdr_sec,name,cod_cli,extra1,extra2,extra3,extra4',
      'a_71000001,OK,ND,71,,,api,5511987650000,2026-11-20,12:30:00,12:30:02,12:30:14,12,,,,,"0,000","0,000",,0,' +
        '"João ""Zé"", o 1º",c1,"\'=HYPERLINK(""http://x"")",,,',
      'a_71000002,OK,ND,71,,,api,5511987650000,2026-11-20,12:30:00,12:30:02,12:30:14,12,,,,,"0,000","0,000",,0,Ana,c2,\'-5,,,',
      '',
    ]);
    expect(await recordOf(delivery)).toMatchObject({
      purpose: 'results',
      subject: 'campaign 71',
      state: 'delivered',
      attempts: 1,
      finished: true,
    });
  });

  test('hold every call of a campaign of several pages once, and none of another account', async () => {
    await aCampaign(
      72,
      Array.from({ length: 2_500 }, (_, row) => ({ name: `p${row}` })),
    );
    await on.database.pool.query(
      `INSERT INTO calls (account_id, id, requested_at, destination, mode, campaign_id, called_at)
        VALUES (2, 1, 1, '5511', 'play', 72, 1)`,
    );
    const settings = { folder: 'pages', delimiter: ';' };
    const delivery = await deliver(72, await made({ ...aFolder, settings }));
    expect(await reaches(delivery, 'delivered')).toBe('reached');
    const file = readFileSync(join(folder, String(demoAccount), 'pages/campaign-72.csv'), 'utf8');
    const names = file
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(';')[21]);
    expect(names).toEqual(Array.from({ length: 2_500 }, (_, row) => `p${row}`));
  });
});

test('a campaign that is over brings its results to its profile by itself', async () => {
  await on.database.pool.query(
    `INSERT INTO lists (account_id, id, name, records, created_at) VALUES ($1, 75, 'l', 3, 0)`,
    [demoAccount],
  );
  await on.database.pool.query(
    `INSERT INTO list_records (account_id, list_id, row, numbers, name)
      SELECT $1, 75, n, '551132654' || (320 + n), 'Pessoa ' || n FROM generate_series(1, 3) AS n`,
    [demoAccount],
  );
  const call = anInput().call;
  const input = anInput({
    name: 'Fim',
    list: 75,
    hours: { dateStart: '2020-01-01', dateEnd: '2100-01-01', timeStart: '00:00:00', timeEnd: '23:59:59' },
    call: { ...call, prompts: { opening: [{ text: 'Bom dia', voice: 'Espeak|pt-br' }], slots: {} } },
    resultsProfile: await made({ ...aFolder, settings: { folder: 'own', delimiter: ';' } }),
  });
  await on.service.engine.start({ kind: 'campaign', shard: 'a', account: demoAccount, id: 75, input });
  const path = join(folder, String(demoAccount), 'own/campaign-75-fim.csv');
  await eventually(() => expect(existsSync(path)).toBe(true));
  const lines = readFileSync(path, 'utf8')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(';'));
  expect(lines.map((fields) => String(fields[21])).toSorted()).toEqual(['Pessoa 1', 'Pessoa 2', 'Pessoa 3']);
  // What the file says of each call is what GetCallStatus says.
  const { calls } = (await on.post('GetCallStatus', { cp_id: 75 })).body;
  const said = calls.map((one: Record<string, unknown>) => Object.values(one).map(String).join(';'));
  expect(lines.map((fields) => fields.slice(0, 21).join(';')).toSorted()).toEqual(said.toSorted());
});

const lacking = lackingSshd();
if (lacking) console.warn(lacking);

describe.skipIf(lacking)('a dead letter, on a real SFTP server', () => {
  let server: Sshd;
  beforeAll(async () => {
    server = await startSshd();
    await aCampaign(73, [{ name: 'Ana' }]);
  });
  afterAll(() => server.stop());

  const login = () => ({
    name: 'Server',
    kind: 'sftp',
    settings: { host: '127.0.0.1', port: server.port, user: server.user, folder: join(server.folder, 'in') },
    secret: { private_key: server.privateKey },
  });

  test('says why at once, and arrives when what was wrong is mended and it is sent again', async () => {
    const profile = await made({ ...login(), secret: { password: 'wrong' } });
    const delivery = await deliver(73, profile);
    expect(await reaches(delivery, 'deadLetter')).toBe('reached');
    expect(await recordOf(delivery)).toMatchObject({
      state: 'deadLetter',
      attempts: 1,
      last_error: `credentialsRefused: the server refuses the credentials of ${server.user}`,
      finished: false,
    });
    const { machines } = (await on.admin('GET', '/machines?kind=delivery&state=deadLetter')).body;
    expect(machines.map(({ id }: { id: string }) => id)).toEqual([delivery]);
    const { sentences } = (await on.admin('GET', `/machines/${delivery}/explain`)).body;
    expect(sentences.join(' ')).toMatch(
      /refuses the credentials of .*Set the credentials of the profile again/,
    );

    const tested = await on.admin('POST', `${profiles}/${profile}/test`);
    expect(tested.body).toMatchObject({ delivered: false, reason: 'credentialsRefused' });
    await on.admin('PATCH', `${profiles}/${profile}`, { secret: login().secret });
    expect((await on.admin('POST', `${profiles}/${profile}/test`)).body).toMatchObject({
      delivered: true,
      host_key: server.hostKey,
    });
    const sent = await on.admin('POST', `/machines/${delivery}/events`, { type: 'replay' });
    expect(sent.http).toBe(200);
    expect(await reaches(delivery, 'delivered')).toBe('reached');
    expect(readFileSync(join(server.folder, 'in/campaign-73.csv'), 'utf8')).toContain('Ana');
    expect(await recordOf(delivery)).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  test('is sent again with all the others of its account', async () => {
    const profile = await made({ ...login(), active: false });
    const names = ['one.csv', 'two.csv', 'three.csv'];
    const letters = await Promise.all(names.map((file) => deliver(73, profile, file)));
    for (const letter of letters) expect(await reaches(letter, 'deadLetter')).toBe('reached');
    expect((await recordOf(letters[0]!)).last_error).toMatch(/^profileInactive/);

    expect((await on.admin('POST', '/accounts/2/deliveries/replay')).body).toEqual({
      replayed: 0,
      more: false,
      after: null,
    });
    await on.admin('PATCH', `${profiles}/${profile}`, { active: true });
    const replayed = await on.admin('POST', `/accounts/${demoAccount}/deliveries/replay`);
    expect(replayed.body).toEqual({ replayed: 3, more: false, after: null });
    for (const letter of letters) expect(await reaches(letter, 'delivered')).toBe('reached');
    expect(readdirSync(join(server.folder, 'in')).filter((file) => names.includes(file))).toHaveLength(3);
  });

  test('is not yet made of a server that is away: it is tried later, or when an operator says so', async () => {
    const wire = await openCutter(server.port);
    const port = Number(new URL(wire.url).port);
    const profile = await made({ ...login(), settings: { ...login().settings, port } });
    await wire.cut();
    const delivery = await deliver(73, profile, 'late.csv');
    const waiting = await eventually(async () => {
      const { body } = await on.admin('GET', `/machines/${delivery}`);
      expect(body.state).toBe('retrying');
      return body;
    });
    expect(waiting.record).toMatchObject({ state: 'retrying', attempts: 1, purpose: 'results' });
    expect(waiting.record.next_at).toBeGreaterThanOrEqual(waiting.record.created_at + 5_000);
    expect(waiting.record.last_error).toContain('ECONNREFUSED');
    const { reasons } = (await on.admin('GET', `/machines/${delivery}/explain`)).body;
    expect(reasons).toMatchObject([{ rule: 'notNow', until: waiting.record.next_at }]);

    await wire.mend();
    await on.admin('POST', `/machines/${delivery}/events`, { type: 'retryNow' });
    expect(await reaches(delivery, 'delivered')).toBe('reached');
    expect(readFileSync(join(server.folder, 'in/late.csv'), 'utf8')).toContain('Ana');
    await wire.close();
  });

  test('is what becomes of a profile that was deleted', async () => {
    const profile = await made(login());
    await on.admin('DELETE', `${profiles}/${profile}`);
    const orphan = await deliver(73, profile);
    expect(await reaches(orphan, 'deadLetter')).toBe('reached');
    expect((await recordOf(orphan)).last_error).toMatch(/^noProfile/);
    const gaveUp = await on.admin('POST', `/machines/${orphan}/events`, { type: 'cancel' });
    expect(gaveUp.http).toBe(200);
    expect(await recordOf(orphan)).toMatchObject({ state: 'givenUp', finished: true });
  });
});
