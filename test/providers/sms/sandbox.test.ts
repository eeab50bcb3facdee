import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Retryable } from '../../../src/engine/contract/performer.ts';
import { sandboxSms } from '../../../src/providers/sms/sandbox.ts';
import type { SmsReceipt, SmsRoute, HandleSmsReceipt } from '../../../src/providers/contracts/sms.ts';
import { handClock } from '../../helpers/handClock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-sms-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const route: SmsRoute = {
  ...{ shard: 'a', account: 7, id: 4, kind: 'sandbox', version: '1', settings: {} },
  openSecret: () => '',
};
const clock = handClock(1_000_000);

const aNetwork = async (options: { speed?: number; logFile?: string; take?: HandleSmsReceipt } = {}) => {
  const logFile = options.logFile ?? join(folder, 'sandbox', 'sms.log');
  const receipts: SmsReceipt[] = [];
  const take: HandleSmsReceipt = async (at, receipt) => {
    const answer = (await options.take?.(at, receipt)) ?? 'heard';
    if (answer === 'heard') receipts.push(receipt);
    return answer;
  };
  const { speed = 1 } = options;
  const network = sandboxSms({ logFile, clock, speed });
  await network.start(take);
  const carrier = network.open(route, take);
  let slow = 0;
  const send = (id: number, to: string) => {
    const machine = { shard: 'a', account: 7, id };
    return carrier.submit(
      { id: `a.7.${id}.3.0`, machine, to, from: '', text: 'Olá' },
      () => void (slow += 1),
    );
  };
  const log = async () =>
    (await readFile(logFile, 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line): unknown => JSON.parse(line));
  return { network, send, receipts, log, logFile, timesSlow: () => slow };
};

const acknowledged = { type: 'acknowledged', providerId: 'a.7.1.3.0' };

describe('the SMS sandbox', () => {
  it('takes a message and delivers it', async () => {
    const { send, receipts, log } = await aNetwork();
    expect(await send(1, '5511987654321')).toMatchObject(acknowledged);
    expect(await log()).toMatchObject([{ submitted: 'a.7.1.3.0', to: '5511987654321', text: 'Olá' }]);
    clock.turn(999);
    expect(receipts).toEqual([]);
    clock.turn(1);
    await expect.poll(() => receipts).toHaveLength(1);
    expect(receipts[0]).toMatchObject({
      providerId: 'a.7.1.3.0',
      status: 'delivered',
      machine: { shard: 'a', account: 7, id: 1 },
      occurredAt: clock.now(),
    });
  });

  it('delivers to 07 late', async () => {
    const { send, receipts } = await aNetwork();
    expect(await send(1, '5511987654307')).toMatchObject(acknowledged);
    clock.turn(19_999);
    expect(receipts).toEqual([]);
    clock.turn(1);
    await expect.poll(() => receipts).toHaveLength(1);
  });

  it('says at once that 08 is slow, acknowledges it later, and delivers it', async () => {
    const { send, receipts, timesSlow } = await aNetwork();
    let answer: unknown;
    const sent = send(1, '5511987654308').then((said) => (answer = said));
    await expect.poll(timesSlow).toBe(1);
    clock.turn(14_999);
    expect(answer).toBeUndefined();
    clock.turn(1);
    expect(await sent).toMatchObject(acknowledged);
    clock.turn(5_000);
    await expect.poll(() => receipts).toHaveLength(1);
  });

  it('refuses 09 for good, also when asked again', async () => {
    const { send, receipts, log } = await aNetwork();
    for (const _ of ['first', 'again'])
      expect(await send(1, '5511987654309')).toMatchObject({ type: 'refused', code: '300' });
    clock.turn(60_000);
    expect(receipts).toEqual([]);
    expect((await log()).length).toBe(1);
  });

  it('is quicker with more speed', async () => {
    const { send, receipts } = await aNetwork({ speed: 20 });
    await send(1, '5511987654321');
    clock.turn(50);
    await expect.poll(() => receipts).toHaveLength(1);
  });

  it('does not send a message twice, not even after a restart', async () => {
    const { network, send, log } = await aNetwork();
    const first = await send(1, '5511987654321');
    expect(await send(1, '5511987654321')).toEqual(first);
    await network.stop();
    const again = await aNetwork();
    expect(await again.send(1, '5511987654321')).toEqual(first);
    expect((await log()).length).toBe(1);
  });

  it('delivers after a restart what was due meanwhile, once', async () => {
    const before = await aNetwork();
    await before.send(1, '5511987654321');
    await before.network.stop();
    clock.turn(5000);
    expect(before.receipts).toEqual([]);
    const after = await aNetwork();
    clock.turn(0);
    await expect.poll(after.log).toHaveLength(2);
    expect(after.receipts).toMatchObject([{ providerId: 'a.7.1.3.0', status: 'delivered' }]);
    const later = await aNetwork();
    clock.turn(60_000);
    expect(later.receipts).toEqual([]);
  });

  it('brings a receipt again until it is taken', async () => {
    const answers: (() => Promise<'later' | 'heard'>)[] = [
      async () => {
        throw new Error('the database is away');
      },
      async () => 'later',
      async () => 'heard',
    ];
    let asked = 0;
    const { send, receipts, log } = await aNetwork({ take: () => answers[asked++]!() });
    await send(1, '5511987654321');
    for (const times of [1, 2, 3]) {
      await expect.poll(() => (clock.turn(1000), asked)).toBeGreaterThanOrEqual(times);
      expect(receipts.length).toBeLessThanOrEqual(1);
    }
    await expect.poll(log).toHaveLength(2);
    expect(receipts).toHaveLength(1);
  });

  it('forgives a line that a crash cut short', async () => {
    const before = await aNetwork();
    await before.send(1, '5511987654321');
    await appendFile(before.logFile, '\n{"submitted":"a.7.2.3.0","at":1');
    const after = await aNetwork();
    await after.send(3, '5511987654321');
    expect(await after.log()).toMatchObject([{ submitted: 'a.7.1.3.0' }, { submitted: 'a.7.3.3.0' }]);
  });

  it('takes nothing that it cannot write down', async () => {
    await appendFile(join(folder, 'file'), '');
    const { send, receipts } = await aNetwork({ logFile: join(folder, 'log') });
    await rm(folder, { recursive: true });
    await appendFile(folder, '');
    await expect(send(1, '5511987654321')).rejects.toThrow(Retryable);
    clock.turn(60_000);
    expect(receipts).toEqual([]);
  });
});
