import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BodyRoom } from '../../src/access/bodyRoom.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => on.stop());

test('one address takes a part of the room, all together the whole, and what is left is free again', () => {
  const room = new BodyRoom({ most: 100, mostOfOne: 40 });
  const [one, again, other] = [room.enter('192.0.2.1'), room.enter('192.0.2.1'), room.enter('192.0.2.2')];
  expect([one.take(30), again.take(10), again.take(1), other.take(40)]).toEqual([true, true, false, true]);
  const networks = ['2001:db8:1::1', '2001:db8:1::2'].map((address) => room.enter(address));
  expect(networks.map((place) => place.take(15))).toEqual([true, false]);
  one.leave();
  one.leave();
  expect([again.take(30), again.take(1)]).toEqual([true, false]);
});

test('whoever holds many bodies half sent is refused more, and others are served', async () => {
  const { port } = new URL(on.url);
  const sockets: Socket[] = [];
  const refused: Socket[] = [];
  const half = Buffer.alloc(1_900_000, 0x20);
  const begin = (): void => {
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', (said) => String(said).startsWith('HTTP/1.1 503 ') && refused.push(socket));
    socket.write(
      `POST /api/v2/GetTTSVoices.php HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.66\r\n` +
        `Content-Type: application/json\r\nContent-Length: 2000000\r\n\r\n`,
    );
    socket.write(half);
  };
  try {
    // 35 of them are 64 MiB.
    for (let count = 0; count < 40; count += 1) begin();
    await expect.poll(() => refused.length, { timeout: 30_000 }).toBe(5);
    const whole = { maxreg: 1, unknown: 'x'.repeat(1_900_000) };
    const ask = (from: string) => on.post('GetCallStatus', whole, { 'X-Forwarded-For': from });
    const { http, headers, body } = await ask('192.0.2.66');
    expect([http, headers.get('retry-after'), body.return.status_code]).toEqual([503, '2', '503']);
    expect((await ask('192.0.2.67')).http).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const free = async () =>
    (await on.post('GetCallStatus', { maxreg: 1 }, { 'X-Forwarded-For': '192.0.2.66' })).http;
  await expect.poll(free, { timeout: 30_000 }).toBe(200);
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
