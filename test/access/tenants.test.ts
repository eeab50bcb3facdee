/** Two accounts, each with everything. One asks at every door for what is the other's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { adminRoutes } from '../helpers/adminRoutes.ts';
import { type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';
import { msgappHook, pageHook } from '../hooks/bodies.ts';
import { told } from './answers.ts';
import { idsOf, naming, plain } from './foreign.ts';
import { furnish, signedBy, type Snapshot, snapshotOf, type Tenant, wordsOf } from './tenant.ts';
import { usualRequest } from './usual.ts';
import type { ParamDeclaration } from '../../src/operations/param.ts';
import { patienceMs, until } from '../helpers/patience.ts';

let on: TestService;
let mine: Tenant;
let theirs: Tenant;
let before: Snapshot;
let words: string[];
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '100' });
  [mine, theirs] = await Promise.all([furnish(on, 'alfa', 4), furnish(on, 'bravo', 7)]);
  before = await snapshotOf(on.database.pool, theirs.account);
  const ours = wordsOf(await snapshotOf(on.database.pool, mine.account));
  words = [...wordsOf(before)].filter((word) => !ours.has(word));
});
afterAll(() => on.stop());

/** Words of theirs that we wrote somewhere ourselves: they may come back. */
const sent = new Set<string>();

/** Words of theirs that stand in an answer, and that we never wrote. */
const leaked = (answer: unknown, asked: unknown): string[] => {
  const [said, wrote] = [JSON.stringify(answer) ?? '', JSON.stringify(asked)];
  for (const word of words) if (wrote.includes(word)) sent.add(word);
  return words.filter((word) => said.includes(word) && !sent.has(word));
};

/** Every row of theirs is as it was, whatever of ours is still under way. */
const expectUntouched = async (): Promise<void> => {
  await until(async () => {
    const { rows } = await on.database.pool.query<{ rest: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM machines WHERE account_id = $1 AND kind <> 'campaign' AND wake_at < $2) AS rest`,
      [mine.account, Date.now() + 300_000],
    );
    return rows[0]!.rest;
  });
  expect(await snapshotOf(on.database.pool, theirs.account)).toEqual(before);
};

test('the other account has something of everything, and words of its own in it', async () => {
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  // Events and charges of calls are there for moments only; nothing is written to the table of media files.
  expect(empty.map(([table]) => table)).toEqual(['call_charges', 'inbox', 'media']);
  expect(words.filter((word) => word.includes(theirs.mark)).length).toBeGreaterThan(60);
  for (const op of [
    'GetCampaignsList',
    'GetDestinationsList',
    'GetCallStatus',
    'GetTTSVoices',
    'GetCenterQueues',
  ])
    expect(leaked((await on.post(op, { tsid: theirs.token })).body, {})).not.toEqual([]);
});

describe('lists, before anything else was asked for', () => {
  test('of operations hold nothing of another account', async () => {
    for (const op of operations.filter(({ name }) => name.startsWith('Get'))) {
      const asked = usualRequest(mine, op.name, '');
      const { body } = await on.post(op.name, { tsid: mine.token, ...asked, setactive: '', maxreg: 1_000 });
      expect([op.name, body.return.status, leaked(body, {})]).toEqual([op.name, 'OK', []]);
    }
  });

  test('of the administration of an account hold nothing of another', async () => {
    const lists = adminRoutes().filter(
      ({ method, path }) => method === 'GET' && /^\/accounts\/:account(\/[\w-]+)?$/.test(path),
    );
    for (const { path } of lists) {
      const { http, body } = await on.admin('GET', path.replace(':account', String(mine.account)));
      expect([path, http, leaked(body, {})]).toEqual([path, 200, []]);
    }
    expect(lists.length).toBeGreaterThan(15);
  });
});

describe('operations', () => {
  const parameters = operations.flatMap((op) =>
    Object.values(op.params as Record<string, ParamDeclaration>).flatMap((param) =>
      [param.rest, ...(param.aliases ?? [])].map((name) => ({ op: op.name, name, rest: param.rest })),
    ),
  );
  const ofAccounts = parameters.filter(({ name }) => naming[name] !== undefined);

  const isLed = async (id: number): Promise<boolean> =>
    (await on.database.pool.query('SELECT FROM calls WHERE id = $1 AND transferred_at > 0', [id]))
      .rowCount === 1;

  /** Calls that were made by the way. */
  const walked: string[] = [];

  test('every parameter is known to name something of an account, or nothing', () => {
    const unknown = parameters.filter(({ name }) => !naming[name] && !plain.has(name));
    expect(unknown.map(({ op, name }) => `${op} ${name}`)).toEqual([]);
  });

  test('name nothing of another account: the declared code is told, and no word of it', async () => {
    for (const { op, name, rest } of ofAccounts) {
      for (const value of naming[name]!(theirs)) {
        const usual = usualRequest(mine, op, name);
        const asked = { ...usual, ...(name !== rest && { [rest]: '' }), [name]: value };
        const { body } = await on.post(op, { tsid: mine.token, ...asked });
        const { status, status_code: code, cd_id = '0' } = body.return;
        if (cd_id !== '0') walked.push(cd_id.split('_')[1]);
        expect([op, name, value, status === 'OK' ? 'OK' : String(code)]).toEqual([
          op,
          name,
          value,
          told[op]?.[name],
        ]);
        expect([op, name, value, leaked(body, asked)]).toEqual([op, name, value, []]);
      }
    }
    await expectUntouched();
  });

  test('lead a call to our own agent or queue, and none to another’s', async () => {
    for (const leg of [`RT${mine.ids.agent}`, `FI${mine.ids.queue}`]) {
      const asked = { tsid: mine.token, ...usualRequest(mine, 'MakeTTSCall', 'dtmf'), dtmf: leg };
      const [, id] = (await on.post('MakeTTSCall', asked)).body.return.cd_id.split('_');
      const ref = { shard: 'a', account: mine.account, id: Number(id) };
      await until(() => isLed(ref.id));
      await on.service.engine.send(ref, { type: 'cancel' });
      expect(await on.service.engine.waitFor(ref, 'ended', patienceMs)).toBe('reached');
    }
    const { rows } = await on.database.pool.query<{ calls: number; led: number }>(
      `SELECT count(*)::int AS calls, count(transferred_at)::int AS led FROM calls
        WHERE account_id = $1 AND id = ANY($2::bigint[])`,
      [mine.account, walked],
    );
    expect(rows[0]!.calls).toBeGreaterThan(20);
    expect(rows[0]!.led).toBe(0);
  });

  test('repeat no answer that was another’s', async () => {
    const asked = { tsid: mine.token, dest: '5511984400011', text: 'Olá' };
    const headers = { 'Idempotency-Key': theirs.idempotencyKey };
    const answer = await on.post('MakeTTSCall', asked, headers);
    expect([answer.http, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(answer.body.return.cd_id).not.toBe(theirs.ids.call);
  });
});

describe('tools', () => {
  const rpc = async (method: string, params: object) => {
    const headers = { 'Content-Type': 'application/json', authorization: `Bearer ${mine.token}` };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${on.url}/mcp`, { method: 'POST', headers, body });
    return (await response.json()) as Rpc;
  };
  interface Tool {
    name: string;
    inputSchema: { properties?: Record<string, { type?: string | string[] }>; required?: string[] };
  }
  interface Rpc {
    result: { tools: Tool[] };
  }
  const namesSomething = (name: string): boolean =>
    /(^|_)id$|^(content|cont\d|dtmf|dest2|amd|voice|group|queue|relftp|c?p?_?ctid|cpid|search)/.test(name);
  const usualArgument = (name: string, type: string): unknown => {
    if (/dest/.test(name)) return '5511984400000';
    const own = naming[name]?.(mine)[0];
    return own ?? (type === 'integer' ? 1 : type === 'array' ? [] : 'walk');
  };

  test('name nothing of another account', async () => {
    const { tools } = (await rpc('tools/list', {})).result;
    expect(tools.length).toBeGreaterThan(10);
    for (const { name, inputSchema } of tools) {
      const { properties = {}, required = [] } = inputSchema;
      const usual = Object.fromEntries(
        required.map((one) => [one, usualArgument(one, String(properties[one]?.type ?? 'string'))]),
      );
      for (const property of Object.keys(properties).filter(namesSomething)) {
        for (const id of naming[property]?.(theirs) ?? idsOf(theirs)) {
          const asked = { name, arguments: { ...usual, [property]: id } };
          const answer = await rpc('tools/call', asked);
          expect([name, property, id, leaked(answer, asked)]).toEqual([name, property, id, []]);
        }
      }
    }
    await expectUntouched();
  });
});

describe('hooks', () => {
  const bring = async (path: string, body: object, tenant: Tenant): Promise<number> => {
    const text = JSON.stringify(body);
    const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signedBy(tenant, text) };
    const answer = await fetch(`${on.url}/hooks/${path}`, { method: 'POST', headers, body: text });
    expect(leaked(await answer.text(), {})).toEqual([]);
    return answer.status;
  };
  const upstreamIds = async (): Promise<string[]> => {
    const { rows } = await on.database.pool.query<{ provider_id: string }>(
      'SELECT provider_id FROM messages WHERE account_id = $1',
      [theirs.account],
    );
    return rows.map(({ provider_id: id }) => id);
  };
  /** All that an upstream might tell of their line: receipts, a message, a status of a template. */
  const aboutTheirs = async (): Promise<object> => {
    const ids = await upstreamIds();
    const metadata = { messaging_product: 'whatsapp', metadata: { phone_number_id: theirs.phone } };
    const at = { timestamp: '1795188600', recipient_id: '5511987770011' };
    const statuses = ids.map((id) => ({
      ...{ id, status: 'failed', ...at, errors: [{ code: 1, title: 'x' }] },
      biz_opaque_callback_data: `a.${theirs.account}.${theirs.ids.message}`,
    }));
    const incoming = {
      from: '5511987770011',
      id: 'wamid.forged',
      ...at,
      type: 'text',
      text: { body: 'forged' },
    };
    const template = {
      event: 'DISABLED',
      message_template_name: `${theirs.mark}_template`,
      message_template_id: '1',
    };
    return msgappHook(
      { field: 'messages', value: { ...metadata, statuses, messages: [incoming] } },
      { field: 'message_template_status_update', value: { ...template, message_template_language: 'pt_BR' } },
    );
  };

  test('to another’s line are refused under our signature, and ours tell nothing of another’s', async () => {
    const { msgapp, pagechat, photodm } = theirs.ids.line;
    const about = await aboutTheirs();
    expect(await bring(`msgapp/${msgapp}`, about, mine)).toBe(403);
    expect(await bring(`pagechat/${pagechat}`, pageHook(`20${theirs.phone}`), mine)).toBe(403);
    expect(await bring(`photodm/${photodm}`, pageHook(`30${theirs.phone}`), mine)).toBe(403);
    expect(await bring(`pagechat/${msgapp}`, about, theirs)).toBe(404);
    expect(await bring(`msgapp/${mine.ids.line.msgapp}`, about, mine)).toBe(200);
    const [mid = ''] = await upstreamIds();
    const read = { sender: { id: '5511987770011' }, recipient: { id: `20${theirs.phone}` }, timestamp: 1 };
    const page = pageHook(`20${theirs.phone}`, { ...read, delivery: { mids: [mid], watermark: Date.now() } });
    expect(await bring(`pagechat/${mine.ids.line.pagechat}`, page, mine)).toBe(200);
    await expectUntouched();
  });

  test('are promised to nobody who knows our verify token only', async () => {
    const asked = new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.verify_token': mine.verifyToken, 'hub.challenge': 'x' },
    });
    const shake = async (line: number) =>
      (await fetch(`${on.url}/hooks/msgapp/${line}?${asked.toString()}`)).status;
    expect([await shake(mine.ids.line.msgapp), await shake(theirs.ids.line.msgapp)]).toEqual([200, 403]);
  });

  test('of SMS gateways: our token opens our route only, and our route finds our messages only', async () => {
    const tell = async (route: number, token: string, id: string) =>
      (await fetch(`${on.url}/hooks/sms/${route}?token=${token}&id=${id}&status=failed`)).status;
    for (const id of await upstreamIds()) {
      expect(await tell(theirs.ids.route, mine.receiptToken, id)).toBe(403);
      expect(await tell(mine.ids.route, mine.receiptToken, id)).toBe(503);
    }
    await expectUntouched();
  });
});

describe('the administration of an account', () => {
  /** What a part of the path holds, under our account, when it is another's. */
  const children: Readonly<Record<string, (tenant: Tenant) => readonly (string | number)[]>> = {
    agents: ({ ids }) => [ids.agent],
    'approved-models': ({ ids }) => [ids.approvedModel],
    audios: ({ ids }) => [ids.audio],
    blocklist: ({ ids }) => [ids.blocked],
    'caller-id-pools': ({ ids }) => [ids.callerIdPool],
    campaigns: ({ ids }) => [ids.campaign],
    conversations: ({ ids }) => Object.values(ids.line),
    credits: ({ ids }) => [ids.ledgerEntry],
    deliveries: ({ ids }) => [ids.delivery],
    'delivery-profiles': ({ ids }) => [ids.profile],
    groups: ({ ids }) => [ids.group],
    lines: ({ ids }) => Object.values(ids.line),
    lists: ({ ids }) => [ids.list],
    media: ({ ids }) => [ids.templateMedia],
    messages: ({ ids }) => [ids.message, `a_${ids.message}`],
    queues: ({ ids }) => [ids.queue],
    'sms-routes': ({ ids }) => [ids.route],
    tariffs: ({ ids }) => [ids.tariff],
    templates: ({ ids }) => [ids.template],
    tokens: ({ ids }) => [ids.token],
    voices: ({ ids }) => [ids.voice],
  };
  const routes = adminRoutes().flatMap(({ method, path }) => {
    const [, collection, rest] = /^\/accounts\/:account\/([\w-]+)\/:\w+(.*)$/.exec(path) ?? [];
    return collection === undefined ? [] : [{ method, collection, rest: rest! }];
  });

  test('knows every kind of child', () => {
    const unknown = routes.filter(({ collection }) => !children[collection]);
    expect(unknown).toEqual([]);
    expect(routes.length).toBeGreaterThan(50);
  });

  test('finds no child of another account', async () => {
    const found = async (method: string, path: string, body?: object): Promise<RestAnswer> => {
      const answer = await on.admin(method, `/accounts/${mine.account}/${path}`, body);
      expect([path, leaked(answer.body, path)]).toEqual([path, []]);
      return answer;
    };
    for (const { method, collection, rest } of routes) {
      for (const id of children[collection]!(theirs)) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : bodyFor(collection);
        const { http } = await found(method, `${collection}/${id}${rest}`, body);
        // What a line heard outlives the line, so nobody asks whether it is there.
        const expected = collection === 'credits' ? 405 : rest === '/incoming' ? 200 : 404;
        expect([method, collection, id, rest, http]).toEqual([method, collection, id, rest, expected]);
      }
    }
    await expectUntouched();
  });

  /** A change that can be read, where nothing is none. */
  const bodyFor = (collection: string): object =>
    ({ blocklist: { reason: 'taken' }, conversations: { text: 'taken' }, groups: { name: 'taken' } })[
      collection
    ] ?? {};

  test('ties nothing of ours to what is another’s', async () => {
    const account = `/accounts/${mine.account}`;
    const tied = async (method: string, path: string, body: object) =>
      (await on.admin(method, account + path, body)).http;
    expect(await tied('PATCH', `/campaigns/${mine.ids.campaign}`, { group_id: theirs.ids.group })).toBe(400);
    const template = { v8l_id: theirs.ids.line.msgapp, cwt_name: 'x' };
    expect(await tied('POST', '/templates', template)).toBe(400);
    await expectUntouched();
  });
});
