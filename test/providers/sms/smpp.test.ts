import smpp from 'smpp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutcomeUnknown, UnusableProviderAnswer, Retryable } from '../../../src/engine/contract/performer.ts';
import { smppCarrier } from '../../../src/providers/sms/smpp.ts';
import type { HandleSmsReceipt } from '../../../src/providers/contracts/sms.ts';
import { type SmppServer, startSmppServer } from '../../helpers/smppServer.ts';
import { certificate } from '../../helpers/certificate.ts';
import { aRoute, quietLog, type TriedCarrier, tryCarrier } from './carrier.ts';
import { names } from '../../helpers/names.ts';

let server: SmppServer;
let tried: TriedCarrier;
const opened: TriedCarrier[] = [];

beforeEach(async () => {
  server = await startSmppServer();
});
afterEach(async () => {
  await Promise.all([...opened.splice(0).map(({ carrier }) => carrier.stop()), server.stop()]);
});

const open = (settings: object = {}, take?: HandleSmsReceipt): TriedCarrier => {
  const route = aRoute(
    'smpp',
    { host: '127.0.0.1', port: server.port, system_id: 'ramal', reconnect_ms: 10, ...settings },
    JSON.stringify({ password: 'sesame' }),
  );
  tried = tryCarrier(smppCarrier({ names, log: quietLog }), route, take);
  opened.push(tried);
  return tried;
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const throttled = smpp.errors['ESME_RTHROTTLED']!;
const appn = smpp.errors['ESME_RX_T_APPN']!;

/** A gate that holds submissions until it is opened. */
const held = () => {
  let release!: () => void;
  const opened = new Promise<void>((resolve) => (release = resolve));
  return { release, hold: async (status = 0) => (await opened, status) };
};

describe('an SMPP carrier', () => {
  it('binds with its credentials and submits a message', async () => {
    const { send } = open({ from: 'RAMAL', system_type: 'VMA' });
    expect(await send(1, 'Olá, até logo')).toMatchObject({ type: 'acknowledged', providerId: 'm1' });
    expect(server.binds[0]).toMatchObject({
      system_id: 'ramal',
      password: 'sesame',
      system_type: 'VMA',
      interface_version: 0x34,
    });
    expect(server.taken).toMatchObject([
      { to: '5511900000001', from: 'RAMAL', text: 'Olá, até logo', registered: true },
    ]);
  });

  it.each([
    ['same', 'm'.repeat(14_000)],
    ['same', 'm\u0001'],
    // In the other base it has 307 digits.
    ['decimal', 'f'.repeat(255)],
    ['decimal', 'f'.repeat(14_000)],
  ])('leaves it unknown whether a message was taken under what can be no id (%s, %#)', async (base, id) => {
    server.idOf = () => id;
    const said = await open({ receipt_ids: base }).send(1);
    expect(said).toBeInstanceOf(UnusableProviderAnswer);
    expect((said as Error).message).toMatch(/^the carrier names an id /);
  });

  it('confirms and drops a receipt that names what can be no id', async () => {
    const { send, receipts } = open();
    await send(1);
    for (const id of ['m'.repeat(256), 'm'.repeat(14_000), 'm\u0001'])
      expect(await server.receipt({ id: 'm1', to: '' }, 'DELIVRD', { receipted_message_id: id })).toBe(0);
    expect(receipts).toEqual([]);
  });

  it('leaves it unknown whether a text of several parts was taken when one of them is taken under no id', async () => {
    server.idOf = (number) => (number === 2 ? 'm'.repeat(300) : `m${number}`);
    expect(await open().send(1, 'a'.repeat(400))).toBeInstanceOf(UnusableProviderAnswer);
  });

  it('never has more on the wire than its window', async () => {
    const gate = held();
    server.behaviour.submit = () => gate.hold();
    const { send } = open({ window: 5 });
    const answers = numbers(40).map((id) => send(id));
    await expect.poll(() => server.mostInFlight).toBe(5);
    gate.release();
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ type: 'acknowledged' });
    expect(server.mostInFlight).toBe(5);
    expect(server.taken).toHaveLength(40);
  });

  it('slows when it is throttled, and loses nothing', async () => {
    let refusals = 0;
    server.behaviour.submit = () => (refusals < 12 ? ((refusals += 1), throttled) : 0);
    const { send } = open({ window: 8 });
    const answers = await Promise.all(numbers(30).map((id) => send(id)));
    expect(answers.every((answer) => 'type' in answer && answer.type === 'acknowledged')).toBe(true);
    expect(new Set(server.taken.map(({ to }) => to)).size).toBe(30);
    expect(server.taken).toHaveLength(30);
    expect(refusals).toBe(12);
  });

  it('says what the carrier refuses, with its code', async () => {
    server.behaviour.submit = () => smpp.errors['ESME_RINVDSTADR']!;
    expect(await open().send(1)).toMatchObject({ type: 'refused', code: '11', text: 'ESME_RINVDSTADR' });
  });

  it('leaves another way open when the carrier has a trouble of its own', async () => {
    server.behaviour.submit = () => smpp.errors['ESME_RSYSERR']!;
    expect(await open().send(1)).toMatchObject({ type: 'unavailable', text: 'ESME_RSYSERR' });
  });

  it('tells that it is slow, once, and acknowledges later', async () => {
    const gate = held();
    server.behaviour.submit = () => gate.hold();
    const { send, slow } = open({ slow_ms: 20 });
    const answer = send(1);
    await expect.poll(() => slow).toEqual([1]);
    gate.release();
    expect(await answer).toMatchObject({ type: 'acknowledged' });
    expect(slow).toEqual([1]);
  });

  it('does not know what became of one that is not answered in time, and says so when it is answered late', async () => {
    const gate = held();
    server.behaviour.submit = () => gate.hold();
    const { send, receipts } = open({ answer_ms: 100 });
    expect(await send(1)).toBeInstanceOf(OutcomeUnknown);
    gate.release();
    await expect.poll(() => receipts).toHaveLength(1);
    expect(receipts[0]).toMatchObject({ status: 'sent', providerId: 'm1', machine: { id: 1 } });
    expect(server.taken).toHaveLength(1);
  });

  it('sends nothing twice when links are cut, and each message has one answer', async () => {
    const { send } = open({ window: 10 });
    let got = 0;
    server.behaviour.submit = () => {
      got += 1;
      if (got === 40 || got === 90) setImmediate(() => server.cut());
      return 0;
    };
    const answers = await Promise.all(numbers(150).map((id) => send(id)));
    const acknowledged = answers.filter(
      (answer) => 'type' in answer && answer.type === 'acknowledged',
    ).length;
    const unknown = answers.filter((answer) => answer instanceof OutcomeUnknown).length;
    expect(acknowledged + unknown).toBe(150);
    expect(unknown).toBeLessThanOrEqual(20);
    const times = new Map<string, number>();
    for (const { to } of server.taken) times.set(to, (times.get(to) ?? 0) + 1);
    expect([...times.values()].every((count) => count === 1)).toBe(true);
    expect(times.size).toBeGreaterThanOrEqual(acknowledged);
    expect(server.binds.length).toBe(3);
  });

  it('sends a reference of its own, and brings it back with a receipt', async () => {
    server.behaviour.submit = () => 'never';
    const { send, receipts } = open();
    const answer = send(70_000);
    await expect.poll(() => server.taken.length).toBe(1);
    server.cut();
    expect(await answer).toBeInstanceOf(OutcomeUnknown);
    const taken = server.taken[0]!;
    expect(taken.reference).toBe(70_000 - 65_536);
    await expect.poll(() => server.binds.length).toBe(2);
    const more = { user_message_reference: taken.reference, source_addr: `+${taken.to}` };
    expect(await server.receipt(taken, 'DELIVRD', more)).toBe(0);
    expect(receipts).toMatchObject([{ submission: { to: taken.to, reference: taken.reference } }]);
    await server.receipt(taken);
    expect(receipts[1]).not.toHaveProperty('submission');
  });

  it('sends none where the carrier bears none', async () => {
    await open({ reference: false }).send(1);
    expect(server.taken[0]!.reference).toBeUndefined();
  });

  it('goes on after a link that fell silent', async () => {
    const { send } = open({ enquire_ms: 100 });
    await send(1);
    server.behaviour.enquire = false;
    await expect.poll(() => server.binds.length).toBe(2);
    server.behaviour.enquire = true;
    expect(await send(2)).toMatchObject({ type: 'acknowledged' });
  });

  it('binds again when the carrier says good-bye', async () => {
    const { send, carrier } = open();
    await send(1);
    server.unbind();
    await expect.poll(() => server.binds.length).toBe(2);
    expect(await send(2)).toMatchObject({ type: 'acknowledged' });
    expect(carrier.health?.()).toEqual({ ok: true, detail: 'bound' });
  });

  it('says why it is not bound, without the password', async () => {
    server.behaviour.bind = () => smpp.errors['ESME_RINVPASWD']!;
    const { carrier } = open();
    await expect.poll(() => server.binds.length).toBeGreaterThan(1);
    expect(carrier.health?.()).toEqual({ ok: false, detail: 'the carrier refused the bind: ESME_RINVPASWD' });
  });

  it('finishes what is in flight, then says good-bye, and takes no more', async () => {
    const gate = held();
    server.behaviour.submit = () => gate.hold();
    const { send, carrier } = open();
    const answer = send(1);
    await expect.poll(() => server.mostInFlight).toBe(1);
    const stopped = carrier.stop();
    expect(await send(2)).toBeInstanceOf(Retryable);
    gate.release();
    expect(await answer).toMatchObject({ type: 'acknowledged' });
    await stopped;
    expect(server.unbinds).toBe(1);
  });

  it('splits a long text by a header, and is acknowledged by the last part', async () => {
    const { send } = open();
    const text = `${'x'.repeat(153)}${'y'.repeat(20)}`;
    expect(await send(1, text)).toMatchObject({ type: 'acknowledged', providerId: 'm2', answer: 'm1 m2' });
    expect(server.taken.map(({ text: part }) => part)).toEqual(['x'.repeat(153), 'y'.repeat(20)]);
    const [first, second] = server.taken.map(({ header }) => header);
    expect(first!.slice(0, 2)).toEqual([0, 3]);
    expect(first!.slice(-2)).toEqual([2, 1]);
    expect(second).toEqual([...first!.slice(0, -1), 2]);
    await send(2, 'ã'.repeat(71));
    expect(server.taken.slice(2).map(({ text: part, coding }) => [part.length, coding])).toEqual([
      [67, 8],
      [4, 8],
    ]);
  });

  it('says that a text was taken in part only', async () => {
    let got = 0;
    server.behaviour.submit = () => ((got += 1) === 2 ? smpp.errors['ESME_RSYSERR']! : 0);
    expect(await open({ window: 1 }).send(1, 'x'.repeat(400))).toMatchObject({
      type: 'refused',
      text: 'ESME_RSYSERR; 1 of 3 parts had been taken',
    });
    expect(server.taken).toHaveLength(1);
  });

  it('speaks TLS, and believes only the authority it is given', async () => {
    await server.stop();
    server = await startSmppServer(certificate);
    const strict = open({ tls: true, host: 'localhost' });
    await expect.poll(() => strict.carrier.health?.().detail).toMatch(/self.signed/i);
    const trusting = open({ tls: true, host: 'localhost', tls_ca: certificate.cert });
    expect(await trusting.send(1)).toMatchObject({ type: 'acknowledged' });
  });
});

describe('receipts by SMPP', () => {
  it('come by text, and are confirmed when they are durable', async () => {
    const { send, receipts } = open();
    await send(1);
    expect(await server.receipt(server.taken[0]!)).toBe(0);
    expect(receipts).toMatchObject([{ providerId: 'm1', status: 'delivered', code: '', text: '' }]);
  });

  it.each([
    ['UNDELIV', 'undelivered'],
    ['EXPIRED', 'undelivered'],
    ['DELETED', 'undelivered'],
    ['UNKNOWN', 'undelivered'],
    ['REJECTD', 'failed'],
  ])('say why it was not delivered: %s', async (stat, status) => {
    const { send, receipts } = open();
    await send(1);
    await server.receipt(server.taken[0]!, stat);
    expect(receipts).toMatchObject([{ status, code: '012', text: stat }]);
  });

  it('come by TLVs alone', async () => {
    const { send, receipts } = open();
    await send(1);
    const tlvs = { esm_class: 4, source_addr: '5511900000001', receipted_message_id: 'm1', message_state: 2 };
    expect(await server.bring(tlvs)).toBe(0);
    expect(await server.bring({ ...tlvs, message_state: 5 }, { command: 'data_sm' })).toBe(0);
    expect(receipts.map(({ status }) => status)).toEqual(['delivered', 'undelivered']);
  });

  it('carry the carrier’s own time where its clock is known', async () => {
    const { send, receipts } = open({ utc_offset_minutes: -180 });
    await send(1);
    await server.receipt(server.taken[0]!);
    expect(receipts[0]!.occurredAt).toBe(Date.UTC(2026, 10, 21, 1, 46));
  });

  it.each([
    ['decimal', '0000A1B2', '0000041394', '41394'],
    ['hex', '41394', '0000A1B2', '41394'],
    ['same', 'A1b2', 'A1b2', 'A1b2'],
  ])('name a message in another base: %s', async (receipt_ids, answered, brought, id) => {
    server.idOf = () => answered;
    const { send, receipts } = open({ receipt_ids });
    expect(await send(1)).toMatchObject({ providerId: id });
    await server.receipt({ id: brought, to: '5511900000001' });
    expect(receipts).toMatchObject([{ providerId: id }]);
  });

  it('are left with the carrier while they cannot be taken', async () => {
    const answers: (() => Promise<'later' | 'heard'>)[] = [
      async () => 'later',
      async () => {
        throw new Error('the database is away');
      },
      async () => 'heard',
    ];
    const { send, receipts } = open({}, () => answers.shift()!());
    await send(1);
    const statuses = [];
    for (const _ of numbers(3)) statuses.push(await server.receipt(server.taken[0]!));
    expect(statuses).toEqual([appn, appn, 0]);
    expect(receipts).toHaveLength(1);
  });

  it('of parts tell once, when all of them are delivered', async () => {
    const { send, receipts } = open();
    await send(1, 'x'.repeat(400));
    const [first, second, third] = server.taken;
    await server.receipt(third!);
    await server.receipt(first!);
    await server.receipt(first!);
    expect(receipts).toEqual([]);
    await server.receipt(second!);
    await server.receipt(second!);
    expect(receipts).toMatchObject([{ providerId: 'm3', status: 'delivered' }]);
  });

  it('of a last part tells after a restart that lost the others', async () => {
    const before = open();
    await before.send(1, 'x'.repeat(200));
    const [first, last] = server.taken;
    expect(await server.receipt(last!)).toBe(appn);
    expect(before.receipts).toEqual([]);
    // Bound after the other, it is the newest link.
    const after = open();
    await expect.poll(() => server.links()).toBe(2);
    expect(await server.receipt(last!)).toBe(0);
    expect(after.receipts).toMatchObject([{ providerId: 'm2', status: 'delivered' }]);
    await server.receipt(first!);
    expect(before.receipts).toEqual([]);
  });

  it('of a last part that waits for the others is told when the link is closed', async () => {
    const { send, receipts, carrier } = open();
    await send(1, 'x'.repeat(200));
    await server.receipt(server.taken[1]!);
    await carrier.stop();
    expect(receipts).toMatchObject([{ providerId: 'm2', status: 'delivered' }]);
  });

  it('of parts fail with the first that does', async () => {
    const { send, receipts } = open();
    await send(1, 'x'.repeat(400));
    await server.receipt(server.taken[1]!, 'UNDELIV');
    await server.receipt(server.taken[2]!);
    expect(receipts).toMatchObject([{ providerId: 'm3', status: 'undelivered' }]);
  });

  it('are not messages from telephones, which are confirmed and dropped', async () => {
    const { send, receipts } = open();
    await send(1);
    expect(await server.bring({ source_addr: '5511900000001', short_message: 'sim' })).toBe(0);
    expect(receipts).toEqual([]);
  });
});
