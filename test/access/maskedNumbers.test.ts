/** Telephone numbers of people come in by every door, and an operator who sees them masked is shown none of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminRoutes } from '../helpers/adminRoutes.ts';
import { adminToken, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';
import { furnish, type Tenant } from './tenant.ts';
import { eventually } from '../helpers/patience.ts';

let on: TestService;
let tenant: Tenant;
let maskedKey: string;
let plainKey: string;

const ends = ['7000', '7001', '7010', '7011', '7020'];
/** Of people: without country and area. */
const people = [...ends.map((end) => `98777${end}`), '977770000', '987770099', '987770011'];
/** What is masked besides: numbers of the installation itself, and ids of its pages where a number may stand. */
const own = ['1130777000', '1131777000', '15550787881', '106540352247777'];

const key = async (name: string, masked_numbers: boolean): Promise<string> =>
  (await on.admin('POST', '/operators', { name, role: 'operator', masked_numbers })).body.key;

beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '100' });
  tenant = await furnish(on, 'delta', 7);
  maskedKey = await key('Ana', true);
  plainKey = await key('Rui', false);
});
afterAll(() => on.stop());

const ask = async (
  path: string,
  shown = maskedKey,
  init: { method?: string; body?: string } = {},
): Promise<{ http: number; text: string }> => {
  const headers = { authorization: `Bearer ${shown}`, 'content-type': 'application/json' };
  const response = await fetch(`${on.url}/admin/api${path}`, { ...init, headers });
  return { http: response.status, text: await response.text() };
};

/** Numbers of people that a text holds, however they are written. */
const found = (text: string): string[] => {
  const bare = text.replaceAll(/(?<=\d)[ ().-]+(?=\d)/g, '');
  return people.filter((number) => text.includes(number) || bare.includes(number));
};

/** Ids by the part of a path that stands before them. */
const named = (): Record<string, string | number> => {
  const { ids, account } = tenant;
  return {
    ...{ accounts: account, agents: ids.agent, 'approved-models': ids.approvedModel, groups: ids.group },
    ...{ campaigns: ids.campaign, lines: ids.line.msgapp, conversations: ids.line.msgapp, lists: ids.list },
    ...{ messages: ids.message, 'delivery-profiles': ids.profile, queues: ids.queue, voices: ids.voice },
    ...{ 'sms-routes': ids.route, tariffs: ids.tariff, 'caller-id-pools': ids.callerIdPool },
    ...{ templates: ids.template, media: ids.templateMedia, tokens: ids.token, audios: ids.audio },
    ...{ why: '5511987777011', operators: 1 },
  };
};

const filled = (path: string): string =>
  path
    .replaceAll(/([\w-]+)\/:\w+/g, (_, part: string) => `${part}/${named()[part] ?? '1'}`)
    .replace(':contact', '5511987770011');

/** Paths of every GET route but the stream's; of machines all there are, with every moment that they had. */
const everyPage = async (): Promise<string[]> => {
  const { rows } = await on.database.pool.query<{ id: string; events: number }>(
    `SELECT m.id::text, (SELECT count(*)::int FROM history h WHERE h.machine_id = m.id) AS events
      FROM machines m WHERE m.account_id = $1`,
    [tenant.account],
  );
  const ofMachine = (path: string): string[] =>
    rows.flatMap(({ id, events }) => {
      const one = `${path.replace(':id', `a_${id}`)}?account=${tenant.account}`;
      if (path.endsWith('/explain')) return [`${one}&lang=en`, `${one}&lang=pt`];
      if (!path.endsWith('/moment')) return [one];
      return Array.from({ length: events }, (_, index) => `${one}&whole=1&rows=100&index=${index}`);
    });
  const pages = adminRoutes().filter(({ method, path }) => method === 'GET' && path !== '/stream');
  const searches = ['987777011', '5511987777011', '+55 11 98777-7011', tenant.ctid].map(
    (text) => `/find?q=${encodeURIComponent(text)}`,
  );
  return [
    ...pages.flatMap(({ path }) => (path.startsWith('/machines/:') ? ofMachine(path) : [filled(path)])),
    ...searches,
    ...[`/machines?q=5511987777011`, `/why/${tenant.ids.call}`, `/why/${tenant.ctid}?lang=pt`],
    `/accounts/${tenant.account}/messages?dest=5511977770000`,
  ];
};

const readAll = async (shown: string): Promise<Map<string, { http: number; text: string }>> => {
  const pages = new Map<string, { http: number; text: string }>();
  for (const path of await everyPage()) pages.set(path, await ask(path, shown));
  return pages;
};

test('no page of the administration shows a masked operator a number, and an administrator sees all of them', async () => {
  const masked = await readAll(maskedKey);
  const whole = await readAll(adminToken);
  const leaks = [...masked].map(([path, { text }]) => [path, found(text)]);
  expect(leaks.filter(([, numbers]) => numbers!.length > 0)).toEqual([]);
  expect(new Set(found([...whole.values()].map(({ text }) => text).join('\n')))).toEqual(new Set(people));
  const hasNumbers = [...whole].filter(([, { text }]) => found(text).length > 0).map(([path]) => path);
  expect(hasNumbers.length).toBeGreaterThan(60);
  for (const path of hasNumbers) expect([path, masked.get(path)!.http]).toEqual([path, 200]);
  expect([...masked.values()].map(({ text }) => text).join('\n')).toContain('5511•••••7011');
});

/** Every leaf of two answers that is not the same in both; a number is masked as text, and time goes on in between. */
const differing = (one: unknown, other: unknown, at = ''): [string, unknown, unknown][] => {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other || typeof other === 'number' ? [] : [[at, one, other]];
  return Object.keys(one).flatMap((name) => differing(field(one, name), field(other, name), `${at}.${name}`));
};
const field = (of: object, name: string): unknown => (of as Record<string, unknown>)[name];

test('nothing else is masked: ids, moments, figures and names stay', async () => {
  const pages = (await everyPage()).filter(
    (path) => !/^\/(now|audit|nodes|health|sessions)|\/events$/.test(path),
  );
  const wrong: unknown[] = [];
  for (const path of pages.filter((one) => !one.endsWith('/results'))) {
    const [plain, masked] = [await ask(path, plainKey), await ask(path)];
    if (plain.http === 403 || plain.text === masked.text) continue;
    for (const [at, was, is] of differing(JSON.parse(plain.text), JSON.parse(masked.text)))
      if (![...people, ...own].some((number) => String(was).includes(number)))
        wrong.push([path, at, was, is]);
  }
  expect(wrong).toEqual([]);
});

test('the results of a campaign hold masked numbers, and as many lines as before', async () => {
  const path = `/accounts/${tenant.account}/campaigns/${tenant.ids.campaign + 1}/results`;
  const [whole, masked] = [await ask(path, adminToken), await ask(path)];
  expect(found(whole.text)).toEqual(['987777010']);
  expect(found(masked.text)).toEqual([]);
  expect(masked.text).toContain('•••••7010');
  expect(masked.text.split('\n').length).toBe(whole.text.split('\n').length);
  expect(masked.text.split('\n')[0]).toBe(whole.text.split('\n')[0]);
});

/** What a stream tells until each of its topics was told of. */
const toldBy = async (topics: readonly string[], shown: string): Promise<string> => {
  const path = `/admin/api/stream?topics=${encodeURIComponent(topics.join(','))}`;
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${shown}` };
  const { body } = await fetch(`${on.url}${path}`, { headers, signal: stop.signal });
  const awaited = new Set(topics.map((topic) => topic.split(':')[0]!));
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body!) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    for (const event of awaited) if (text.includes(`event: ${event}\n`)) awaited.delete(event);
    if (awaited.size === 0 && text.endsWith('\n\n')) break;
  }
  stop.abort();
  return text;
};

interface Person {
  contact: string;
  contact_ref?: string;
}

const personSeen = async (shown: string): Promise<Person> => {
  const path = `/accounts/${tenant.account}/conversations?line=${tenant.ids.line.msgapp}`;
  return (JSON.parse((await ask(path, shown)).text) as { conversations: Person[] }).conversations[0]!;
};

test('a conversation is opened by what stands for its number, and followed so', async () => {
  const { contact, contact_ref: reference } = await personSeen(maskedKey);
  expect(contact).toMatch(/^5511•+0011$/);
  const path = `/accounts/${tenant.account}/conversations/${tenant.ids.line.msgapp}`;
  const opened = await ask(`${path}/${reference}`);
  expect([opened.http, found(opened.text)]).toEqual([200, []]);
  expect(JSON.parse(opened.text)).toMatchObject({ contact, contact_ref: reference });
  expect((await ask(`${path}/${reference!.replace('~', '%7E')}`)).http).toBe(200);
  const whole = await personSeen(adminToken);
  expect(whole).not.toHaveProperty('contact_ref');
  const audited = (await on.admin('GET', '/audit?kind=change')).body.entries as { action: string }[];
  expect(audited.map(({ action }) => action)).toContain(`GET ${path}/${whole.contact}`);
  // What stands for a number is opened for those who were given it only.
  expect((await ask(`${path}/${reference}`, plainKey)).http).toBe(404);
});

test('a stream shows a masked operator no number, an administrator every one', async () => {
  const { contact_ref: reference } = await personSeen(maskedKey);
  const { account, ids } = tenant;
  const topics = (contact: string): string[] => [
    ...['now', 'trunks', 'receivers', `people:${account}`],
    ...[
      `conversation:${account}:${ids.line.msgapp}:${encodeURIComponent(contact)}`,
      `campaign:${ids.campaign}`,
    ],
    `machine:${ids.call}`,
  ];
  const masked = await toldBy(topics(reference!), maskedKey);
  const whole = await toldBy(topics((await personSeen(adminToken)).contact), adminToken);
  expect(found(masked)).toEqual([]);
  expect(masked).toContain('5511•••••7011');
  expect(found(whole)).toEqual(expect.arrayContaining(['987777011', '987770011']));
});

test('a masked operator acts as before, and is told no number by the answers and refusals', async () => {
  const cancelled = await ask(`/machines/${tenant.ids.scheduledCall}/events`, maskedKey, {
    method: 'POST',
    body: JSON.stringify({ type: 'cancel' }),
  });
  expect([cancelled.http, found(cancelled.text)]).toEqual([200, []]);
  const refused = await ask(`/accounts/${tenant.account}/conversations/1/5511987777020`);
  expect([refused.http, found(refused.text)]).toEqual([404, []]);
  expect(refused.text).toContain('5511•••••7020');
});

test('who says so is an administrator, and it counts at once, for sessions and streams that are open, too', async () => {
  const { body: made } = await on.admin('POST', '/operators', { name: 'Eva', role: 'operator' });
  expect(made).toMatchObject({ masked_numbers: false });
  const who = async () => JSON.parse((await ask('/sessions/current', made.key)).text) as object;
  expect(await who()).toMatchObject({ masked_numbers: false });
  const own = `/operators/${made.operator_id}`;
  const change = async (masked_numbers: boolean): Promise<RestAnswer> =>
    on.admin('PATCH', own, { masked_numbers });
  expect((await ask(own, made.key, { method: 'PATCH', body: '{"masked_numbers":true}' })).http).toBe(403);
  const headers = { authorization: `Bearer ${made.key}` };
  const { body } = await fetch(`${on.url}/admin/api/stream?topics=people:${tenant.account}`, { headers });
  const text = new Response(body).text();
  expect((await change(true)).body).toMatchObject({ masked_numbers: true });
  expect(await text).toContain('event: end');
  await eventually(async () => expect(await who()).toMatchObject({ masked_numbers: true }));
  expect(found((await ask(`/accounts/${tenant.account}/messages`, made.key)).text)).toEqual([]);
  await on.admin('PATCH', own, { role: 'admin' });
  expect(await who()).toMatchObject({ role: 'admin', masked_numbers: false });
});
