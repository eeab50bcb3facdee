/** Answers that are asked for and not taken: they cost their own token, and neither memory nor the requests beside. */
import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { demoToken, type RunningService } from './service.ts';
import { servicesWith } from './services.ts';
import { until } from '../helpers/patience.ts';

const services = servicesWith({ REQUESTS_PER_SECOND: '2000' });
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const fillCalls = (rows: number) =>
  services.database.pool.query(
    `INSERT INTO calls (account_id, id, requested_at, called_at, destination, mode, status, finished, customer_campaign)
     SELECT 3, n, 1700000000000 + n, 1700000000000 + n, '5511987650000', 'play', 'OK', true, repeat('c', 60)
     FROM generate_series(1, $1) n`,
    [rows],
  );

/** Asks for an answer, reads its first packet and then nothing more. Settles with its head; undefined: closed before. */
const askAndPause = (url: string, operation: string, given: object): Promise<string | undefined> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const body = JSON.stringify({ tsid: demoToken, ...given });
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/v2/${operation}.php HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
    sockets.push(socket);
    socket.once('data', (data: Buffer) => {
      socket.pause();
      resolve(data.toString('latin1'));
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(undefined));
  });

const residentBytes = ({ pid }: RunningService): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

const count = (words: string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

/** So many clients of one token ask and do not read; what was answered, and what it cost. */
const ask600 = async (given: object) => {
  await fillCalls(60_000);
  const service = await services.start();
  await service.call('GetCallStatus', { maxreg: 1 });
  const before = residentBytes(service);
  const heads = await Promise.all(
    Array.from({ length: 600 }, () => askAndPause(service.url, 'GetCallStatus', given)),
  );
  const began = performance.now();
  const placed = await service.call('MakeTTSCall', { dest: '11987650000', text: 'Hello' });
  const besideMs = Math.round(performance.now() - began);
  const grownBytes = residentBytes(service) - before;
  const answers = count(heads.map((head) => head?.slice(9, 12) ?? 'none'));
  process.stdout.write(`${JSON.stringify({ besideMs, grownMB: Math.round(grownBytes / 1e6), answers })}\n`);
  const refusal = heads.find((head) => head?.slice(9, 12) === '429');
  return { service, placed, grownBytes, answers, refusal };
};

describe('600 clients of one token that do not read what they ask for', () => {
  it('get a few long answers at a time and 429 beyond, while a call of the same token is placed', async () => {
    const { service, placed, grownBytes, answers, refusal } = await ask600({ maxreg: -1 });
    expect(answers).toEqual({ 200: 4, 429: 596 });
    expect(refusal).toMatch(/^Retry-After: \d+\r$/im);
    expect(refusal).toMatch(/^RateLimit-Remaining: \d+\r$/im);
    expect(placed.status).toBe(200);
    expect(grownBytes).toBeLessThan(200_000_000);
    // Those that have gone away hold no place.
    for (const socket of sockets.splice(0)) socket.destroy();
    const whole = await until(async () => {
      const answer = await service.call('GetCallStatus', { maxreg: -1 });
      return answer.status === 200 && answer;
    });
    expect(whole.body.calls).toHaveLength(60_001);
  }, 300_000);

  it('get whole answers as long as there is room for them', async () => {
    const { placed, grownBytes, answers } = await ask600({ maxreg: 1_000 });
    // On a slow machine some wait too long for the database, and hear so.
    const { 200: served = 0, 429: refused = 0, 503: late = 0 } = answers;
    expect(served).toBeGreaterThan(0);
    expect(served + refused + late).toBe(600);
    expect(placed.status).toBe(200);
    expect(grownBytes).toBeLessThan(400_000_000);
  }, 300_000);
});
