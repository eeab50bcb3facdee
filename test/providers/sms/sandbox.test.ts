import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Retryable, Terminal } from '../../../src/providers/performer.ts';
import type { Fact } from '../../../src/providers/performer.ts';
import { sandboxSms } from '../../../src/providers/sms/sandbox.ts';
import { handClock } from '../clearance/handClock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-sms-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const clock = handClock(1_000_000);
const aCarrier = async (options: { speed?: number; logFile?: string } = {}) => {
  const logFile = options.logFile ?? join(folder, 'sandbox', 'sms.log');
  const reported: { id: number; fact: Fact }[] = [];
  const carrier = sandboxSms({
    logFile,
    clock,
    report: ({ id }, fact) => reported.push({ id, fact }),
    ...(options.speed === undefined ? {} : { speed: options.speed }),
  });
  await carrier.start();
  const send = async (id: number, to: string, effect = `a.7.${id}.3.0`) => {
    const machine = { shard: 'a', account: 7, id, kind: 'call' };
    const signal = new AbortController().signal;
    const params = { to, text: 'Olá' };
    const call = { id: effect, name: 'sendSms', params, machine, attempt: 1, seen: {}, signal };
    return (await carrier.performers.sendSms(call))?.events?.[0];
  };
  const log = async () =>
    (await readFile(logFile, 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line): unknown => JSON.parse(line));
  return { carrier, send, reported, log, logFile };
};

describe('the SMS sandbox', () => {
  it('takes a message and delivers it', async () => {
    const { send, reported, log } = await aCarrier();
    expect(await send(1, '5511987654321')).toEqual({
      type: 'smsAccepted',
      providerId: 'a.7.1.3.0',
      slow: false,
    });
    expect(await log()).toMatchObject([{ submitted: 'a.7.1.3.0', to: '5511987654321', text: 'Olá' }]);
    clock.turn(999);
    expect(reported).toEqual([]);
    clock.turn(1);
    expect(reported).toEqual([{ id: 1, fact: { type: 'smsDelivered', providerId: 'a.7.1.3.0' } }]);
  });

  it('delivers to 07 late', async () => {
    const { send, reported } = await aCarrier();
    await send(1, '5511987654307');
    clock.turn(19_999);
    expect(reported).toEqual([]);
    clock.turn(1);
    expect(reported.length).toBe(1);
  });

  it('acknowledges to 08 too slowly, and delivers', async () => {
    const { send, reported } = await aCarrier();
    expect(await send(1, '5511987654308')).toMatchObject({ type: 'smsAccepted', slow: true });
    clock.turn(20_000);
    expect(reported).toMatchObject([{ fact: { type: 'smsDelivered' } }]);
  });

  it('refuses 09 for good, also when asked again', async () => {
    const { send, reported, log } = await aCarrier();
    for (const _ of ['first', 'again']) {
      const refusal = await send(1, '5511987654309').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Terminal);
      expect(refusal).toMatchObject({ reason: 'providerError', message: expect.stringContaining('300') });
    }
    clock.turn(60_000);
    expect(reported).toEqual([]);
    expect((await log()).length).toBe(1);
  });

  it('is quicker with more speed', async () => {
    const { send, reported } = await aCarrier({ speed: 20 });
    await send(1, '5511987654321');
    clock.turn(50);
    expect(reported.length).toBe(1);
  });

  it('does not send a message twice, not even after a restart', async () => {
    const { carrier, send, log } = await aCarrier();
    const first = await send(1, '5511987654308');
    expect(await send(1, '5511987654308')).toEqual(first);
    await carrier.stop();
    const again = await aCarrier();
    expect(await again.send(1, '5511987654308')).toEqual(first);
    expect((await log()).length).toBe(1);
  });

  it('delivers after a restart what was due meanwhile, once', async () => {
    const before = await aCarrier();
    await before.send(1, '5511987654321');
    await before.carrier.stop();
    clock.turn(5000);
    expect(before.reported).toEqual([]);
    const after = await aCarrier();
    clock.turn(0);
    expect(after.reported).toEqual([{ id: 1, fact: { type: 'smsDelivered', providerId: 'a.7.1.3.0' } }]);
    await expect.poll(after.log).toHaveLength(2);
    const later = await aCarrier();
    clock.turn(60_000);
    expect(later.reported).toEqual([]);
  });

  it('forgives a line that a crash cut short', async () => {
    const before = await aCarrier();
    await before.send(1, '5511987654321');
    await appendFile(before.logFile, '\n{"submitted":"a.7.2.3.0","at":1');
    const after = await aCarrier();
    await after.send(3, '5511987654321');
    expect(await after.log()).toMatchObject([{ submitted: 'a.7.1.3.0' }, { submitted: 'a.7.3.3.0' }]);
  });

  it('takes nothing that it cannot write down', async () => {
    await appendFile(join(folder, 'file'), '');
    const { send, reported } = await aCarrier({ logFile: join(folder, 'log') });
    await rm(folder, { recursive: true });
    await appendFile(folder, '');
    await expect(send(1, '5511987654321')).rejects.toThrow(Retryable);
    clock.turn(60_000);
    expect(reported).toEqual([]);
  });
});
