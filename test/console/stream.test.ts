/** The stream of a page: what it tells, where it goes on after a cut, and when it ends. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerSentEventStream } from '../../src/admin/console/serverSentEventStream.ts';
import { adminToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

interface Told {
  event: string;
  id: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are compared with literals, key by key
  data: any;
}

const admin = { authorization: `Bearer ${adminToken}` };

/** Reads a stream until something is told, or it ends; answers all that was told. */
const readUntil = async (
  topics: string,
  isEnough: (told: readonly Told[]) => boolean,
  headers: Record<string, string> = admin,
): Promise<Told[]> => {
  const leaving = new AbortController();
  const path = `/admin/api/stream?topics=${encodeURIComponent(topics)}`;
  const answer = await fetch(on.url + path, { headers, signal: leaving.signal });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  const told: Told[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body!) {
    rest += decoder.decode(part as Uint8Array, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop()!;
    told.push(...events.map(readEvent).filter(({ event }) => event !== ''));
    if (isEnough(told)) break;
  }
  leaving.abort();
  return told;
};

const readEvent = (text: string): Told => {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  return { event: field('event'), id: field('id'), data: JSON.parse(field('data') || '{}') };
};

let calls = 0;
const aCall = async (): Promise<string> =>
  (await on.post('MakeTTSCall', { dest: '11987650012', text: `Oi ${calls++}` })).body.return.cd_id;

const revisions = (told: readonly Told[]): number[] =>
  told
    .filter(({ event }) => event === 'machine')
    .flatMap(({ data }) => data.history.map(({ revision }: { revision: number }) => revision));

const isOver = (told: readonly Told[]): boolean =>
  told.some(({ event, data }) => event === 'machine' && data.machine.endedAt !== null);

test('a machine is told of from where its reader stands, each entry once, to its end', async () => {
  const id = await aCall();
  const told = await readUntil(`machine:${id}`, isOver);
  const { history } = (await on.admin('GET', `/machines/${id}`)).body;
  expect(revisions(told)).toEqual(history.map(({ revision }: { revision: number }) => revision));
  expect(told.filter(({ event }) => event === 'machine').at(-1)!.id).toBe(`${id}=${history.at(-1).revision}`);
});

test('who comes back after a cut goes on where it was, without a gap or a double', async () => {
  const id = await aCall();
  const before = await readUntil(`machine:${id}`, (told) => revisions(told).length > 0);
  const at = before.findLast((one) => one.id !== '')!.id;
  await on.ended(id);
  const after = await readUntil(`machine:${id}`, isOver, { ...admin, 'Last-Event-ID': at });
  const { history } = (await on.admin('GET', `/machines/${id}`)).body;
  expect([...revisions(before), ...revisions(after)]).toEqual(
    history.map(({ revision }: { revision: number }) => revision),
  );
});

test('the figures of Now are those of the database', async () => {
  await on.post('MakeTTSCall', {
    dest: '11987650000',
    text: 'Oi',
    block: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  });
  const { rows } = await on.database.pool.query(
    `SELECT kind, state, count(*)::int AS count FROM machines WHERE ended_at IS NULL AND kind <> 'call'
      GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const [now] = await readUntil('now', (told) => told.length > 0);
  expect(now!.event).toBe('now');
  const others = now!.data.states.filter(({ kind }: { kind: string }) => kind !== 'call');
  expect(others).toEqual(rows);
  expect(now!.data.hour.attempts).toHaveLength(61);
  expect(now!.data.nodes).toHaveLength(1);
});

test('the counts of Now follow sixty calls to their ends, and are then those of the database', async () => {
  const counted = async () =>
    (
      await on.database.pool.query(
        `SELECT kind, state, count(*)::int AS count FROM machines WHERE ended_at IS NULL
          GROUP BY 1, 2 ORDER BY kind || ' ' || state COLLATE "C"`,
      )
    ).rows;
  const seen = new Set<string>();
  let ids: Promise<string[]> | undefined;
  let areOver: Promise<unknown> | undefined;
  let expected: unknown[] | undefined;
  await readUntil('now', (told) => {
    ids ??= Promise.all(Array.from({ length: 60 }, aCall));
    areOver ??= ids.then(async (all) => {
      for (const id of all) await on.ended(id);
      expected = await counted();
    });
    const { states } = told.at(-1)!.data;
    for (const { kind, state } of states ?? []) if (kind === 'call') seen.add(state);
    return expected !== undefined && states !== undefined && isDeepStrictEqual(states, expected);
  });
  await areOver;
  // More than where they began and where they ended was seen on the way.
  expect(seen.size).toBeGreaterThan(2);
});

test('a page that left while its stream was being opened leaves no stream behind', async () => {
  let left = (_: ServerSentEventStream): void => {};
  const stream = new Promise<ServerSentEventStream>((resolve) => (left = resolve));
  const server = createServer((_, response) => {
    response.once('close', () => left(new ServerSentEventStream(response, () => {})));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const leaving = new AbortController();
  const asked = once(server, 'request');
  const page = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    signal: leaving.signal,
  });
  await asked;
  leaving.abort();
  await expect(page).rejects.toMatchObject({ name: 'AbortError' });
  expect((await stream).isOpen).toBe(false);
  server.close();
});

test('a session that ends closes its stream', async () => {
  const { key, operator_id: operator } = (
    await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })
  ).body;
  const opened = await on.admin('POST', '/sessions', { token: key }, {});
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  let isRevoked: Promise<unknown> | undefined;
  const told = await readUntil(
    'now',
    () => {
      isRevoked ??= on.admin('DELETE', `/operators/${operator}`);
      return false;
    },
    { cookie },
  );
  await isRevoked;
  expect(told.at(-1)!.event).toBe('end');
});

test('strangers, wrong topics and unknown machines are refused', async () => {
  const statusOf = async (topics: string, headers: Record<string, string> = admin) =>
    (await fetch(`${on.url}/admin/api/stream?topics=${topics}`, { headers })).status;
  expect(await statusOf('now', {})).toBe(401);
  for (const topics of ['', 'then', 'now,', 'machine:', Array.from({ length: 9 }, () => 'now').join(',')])
    expect([topics, await statusOf(topics)]).toEqual([topics, 400]);
  expect(await statusOf('machine:a_999999999999999')).toBe(404);
});

test('a reader that takes nothing is cut off at a bound, and costs no memory beyond it', async () => {
  const { ServerSentEventStream } = await import('../../src/admin/console/serverSentEventStream.ts');
  const { createServer } = await import('node:http');
  const { connect } = await import('node:net');
  let closed = false;
  let most = 0;
  const server = createServer((_, response) => {
    const stream = new ServerSentEventStream(response, () => (closed = true));
    const data = JSON.stringify('x'.repeat(64_000));
    const more = (): void => {
      if (!stream.isOpen) return;
      stream.send({ event: 'now', data });
      most = Math.max(most, response.writableLength);
      setImmediate(more);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => closed).toBe(true);
  expect(most).toBeLessThan(1_000_000);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a conversation that is none, and a name that is not encoded, are refused before anything is told', async () => {
  const asked = async (topics: string) => {
    const path = `/stream?topics=${encodeURIComponent(topics)}`;
    const { http, body } = await on.admin('GET', path);
    return [http, body.field];
  };
  expect(await asked('conversation:2:1:5511987650099')).toEqual([404, undefined]);
  expect(await asked('people:999999')).toEqual([404, undefined]);
  expect(await asked('conversation:2:1:%zz')).toEqual([400, 'topics']);
  expect(await asked('conversations')).toEqual([400, 'topics']);
});
