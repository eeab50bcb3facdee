import { connect, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BodyMemoryBudget, type BodyMemoryBudgetOptions } from '../../src/access/bodyMemoryBudget.ts';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => on.stop());

const rooms = (options: Partial<BodyMemoryBudgetOptions> = {}) =>
  new BodyMemoryBudget({
    small: { most: 50, mostOfOne: 20 },
    large: { most: 100, mostOfOne: 40 },
    known: { most: 100, mostOfOne: 60 },
    smallBytes: 10,
    ...options,
  });

test('one address takes a part of the room, all together the whole, and what is left is free again', () => {
  const room = rooms();
  const [one, again, other] = [room.enter('192.0.2.1'), room.enter('192.0.2.1'), room.enter('192.0.2.2')];
  expect([one.take(29), again.take(11), again.take(1), other.take(40)]).toEqual([true, true, false, true]);
  const networks = ['2001:db8:1:100::1', '2001:db8:1:1ff::2'].map((address) => room.enter(address));
  expect(networks.map((place) => place.take(15))).toEqual([true, false]);
  one.leave();
  one.leave();
  expect([again.take(29), again.take(1)]).toEqual([true, false]);
});

test('a body that is announced takes nothing, and a small one has a room that large ones cannot fill', () => {
  const room = rooms();
  const large = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => room.enter(address));
  expect(large.map((place) => place.take(33))).toEqual([true, true, true]);
  const later = room.enter('192.0.2.4');
  expect([later.take(5), later.take(5), later.take(1), later.taken]).toEqual([true, true, false, 10]);
  expect(room.enter('192.0.2.1').take(10)).toBe(true);
});

test('whoever is known has a room that strangers cannot fill, by account', () => {
  const room = rooms();
  const strangers = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => room.enter(address));
  expect(strangers.map((place) => place.take(33))).toEqual([true, true, true]);
  const [one, two] = [room.enter('192.0.2.1'), room.enter('192.0.2.1')];
  one.know(3);
  expect([one.take(60), one.take(1)]).toEqual([true, false]);
  two.know(4);
  expect([two.take(40), two.take(1)]).toEqual([true, false]);
  one.leave();
  expect(two.take(20)).toBe(true);
});

test('a body that is known half way gives back what it took as a stranger’s', () => {
  const room = rooms();
  const [one, two] = [room.enter('192.0.2.1'), room.enter('192.0.2.1')];
  expect([one.take(40), two.take(30)]).toEqual([true, false]);
  one.know(3);
  expect([two.take(40), one.take(20), one.taken]).toEqual([true, true, 60]);
});

test('whatever is taken, known and left in any order, nothing stays behind', () => {
  const step = fc.record({
    who: fc.nat(5),
    what: fc.constantFrom('take', 'know', 'leave'),
    bytes: fc.nat(30),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const room = rooms();
      const places = Array.from({ length: 6 }, (_, n) => room.enter(`192.0.2.${n % 3}`));
      for (const { who, what, bytes } of steps) {
        if (what === 'take') places[who]!.take(bytes);
        else if (what === 'know') places[who]!.know(who);
        else places[who]!.leave();
      }
      for (const place of places) place.leave();
      const fresh = ['192.0.2.11', '192.0.2.12', '192.0.2.13'].map((address) => room.enter(address));
      expect(fresh.map((place, n) => place.take(n === 2 ? 20 : 40))).toEqual([true, true, true]);
      const known = room.enter('192.0.2.14');
      known.know(9);
      expect([known.take(60), room.enter('192.0.2.15').take(10)]).toEqual([true, true]);
    }),
  );
});

const requestFrom = (address: string, length: number, headers = ''): string =>
  `POST /api/v2/GetTTSVoices.php HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n${headers}` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('whoever holds many bodies half sent is refused more, while tokens and others are served', async () => {
  const { port } = new URL(on.url);
  const sockets: Socket[] = [];
  const refused: Socket[] = [];
  const half = Buffer.alloc(1_900_000, 0x20);
  const begin = (): void => {
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', (said) => String(said).startsWith('HTTP/1.1 503 ') && refused.push(socket));
    socket.write(requestFrom('192.0.2.66', 2_000_000));
    socket.write(half);
  };
  const whole = { maxreg: 1, unknown: 'x'.repeat(1_900_000) };
  const ask = (from: string, body: object = {}) =>
    on.post('GetCallStatus', { ...whole, ...body }, { 'X-Forwarded-For': from });
  try {
    // 17 of them are 32 MiB.
    for (let count = 0; count < 22; count += 1) begin();
    await expect.poll(() => refused.length).toBe(5);
    const { http, headers, body } = await ask('192.0.2.66', { tsid: 'w'.repeat(30) });
    expect([http, headers.get('retry-after'), body.return.status_code]).toEqual([503, '2', '503']);
    expect((await ask('192.0.2.66')).http).toBe(200);
    expect((await ask('192.0.2.67')).http).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const free = async () => (await ask('192.0.2.66', { tsid: 'w'.repeat(30) })).http;
  await expect.poll(free).toBe(401);
});

test('forty silent connections from each of six addresses keep nobody out', async () => {
  const { port } = new URL(on.url);
  const sockets: Socket[] = [];
  const begin = (from: string, path: string, type: string, length: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from });
      sockets.push(socket);
      socket.on('error', () => {});
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
        () => resolve(),
      );
    });
  const kinds = [
    ['/api/v2/GetTTSVoices.php', 'multipart/form-data; boundary=B'],
    ['/api/v2/CreateDestinationBase.php', 'application/json'],
    ['/api/v2/CreateAudioFile.php', 'multipart/form-data; boundary=B'],
  ] as const;
  // Of the first 34 what they announce is 64 MiB to the byte.
  const lengthOf = (count: number): number => (count < 33 ? 2_000_000 : count === 33 ? 1_108_864 : 50_000);
  try {
    for (let n = 2; n <= 7; n += 1)
      for (let count = 0; count < 40; count += 1) {
        const [path, type] = kinds[count % kinds.length]!;
        await begin(`127.0.0.${n}`, path, type, lengthOf(count));
      }
    const form = new FormData();
    form.set('tsid', demoToken);
    form.set('maxreg', '1');
    for (let count = 0; count < 10; count += 1) {
      expect((await on.post('GetCallStatus', { maxreg: 1 })).http).toBe(200);
      expect((await on.post('GetCallStatus', form)).http).toBe(200);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test('who guesses at the token of a gateway’s route is kept out of that route, and of no other', async () => {
  const make = async (): Promise<number> => {
    const receipts = { id: { path: 'id' }, status: { path: 'status' } };
    const settings = { url: 'https://gateway.example.net/send', receipts };
    const route = { name: 'g', kind: 'http', settings, secret: { receipt_token: 'hush' } };
    return (await on.admin('POST', '/accounts/3/sms-routes', route)).body.route_id;
  };
  const [one, other] = [await make(), await make()];
  const tell = async (route: number, token: string, from: string) =>
    (
      await fetch(`${on.url}/hooks/sms/${route}?token=${token}&id=x&status=buffered`, {
        headers: { 'X-Forwarded-For': from },
      })
    ).status;
  for (let time = 0; time < 20; time += 1) expect(await tell(one, `guess${time}`, '192.0.2.77')).toBe(403);
  expect(await tell(one, 'hush', '192.0.2.77')).toBe(429);
  expect([await tell(other, 'hush', '192.0.2.77'), await tell(one, 'hush', '192.0.2.78')]).toEqual([
    200, 200,
  ]);
});
