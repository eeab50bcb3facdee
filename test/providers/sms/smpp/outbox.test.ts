import type { Pdu } from 'smpp';
import { describe, expect, it } from 'vitest';
import { OutcomeUnknown, Retryable } from '../../../../src/engine/contract/performer.ts';
import { SmppOutbox } from '../../../../src/providers/sms/smpp/outbox.ts';
import { SmppMessageSubmission } from '../../../../src/providers/sms/smpp/multipartSubmissionState.ts';
import { handClock } from '../../../helpers/handClock.ts';

const throttled = 0x58;
const systemError = 0x08;

/** An outbox over a link that does as it is told, on a clock that is turned by hand. */
const anOutbox = (window = 2) => {
  const clock = handClock(1_000_000);
  const wire: { fields: Record<string, unknown>; answer(status: number, id?: string): void }[] = [];
  const state: { down: { since: number; why: string } | undefined; broken: boolean } = {
    down: undefined,
    broken: false,
  };
  const late: SmppMessageSubmission[] = [];
  const outbox = new SmppOutbox({
    ...{ window, slowMs: 5_000, answerMs: 50_000, now: clock.now },
    idOf: (id) => id,
    send: (fields, answered) => {
      if (state.broken) throw new TypeError('no such character');
      if (state.down) return false;
      wire.push({
        fields,
        answer: (command_status, message_id = '') =>
          answered({ command: 'submit_sm_resp', sequence_number: 1, command_status, message_id } as Pdu),
      });
      return true;
    },
    down: () => state.down,
    taken: () => {},
    late: (submission) => late.push(submission),
  });
  const slow: number[] = [];
  /** Sends a text in so many parts; what is thrown is the answer too. */
  const send = (id: number, parts = 1) => {
    const message = {
      id: `a.7.${id}.1.0`,
      machine: { shard: 'a', account: 7, id },
      to: '55',
      from: '',
      text: '',
    };
    const fields = Array.from({ length: parts }, (_, part) => ({ id, part }));
    return outbox
      .submit(new SmppMessageSubmission(message, fields, () => slow.push(id), clock.now()))
      .catch((error: Error) => error);
  };
  const turn = (ms: number): void => {
    clock.turn(ms);
    outbox.sweep();
  };
  const cut = (why = 'cut'): void => {
    state.down = { since: clock.now(), why };
    outbox.lost();
  };
  const up = (): void => {
    state.down = undefined;
    outbox.pump();
  };
  return { outbox, wire, state, send, turn, cut, up, slow, late };
};

describe('an outbox', () => {
  it('keeps what waits for another link, and gives up what was on the wire', async () => {
    const { send, wire, cut, up } = anOutbox();
    const [first, second, third] = [send(1), send(2), send(3)];
    cut();
    expect(await first).toBeInstanceOf(OutcomeUnknown);
    expect(await second).toBeInstanceOf(OutcomeUnknown);
    up();
    expect(wire.map(({ fields }) => fields['id'])).toEqual([1, 2, 3]);
    wire[2]!.answer(0, 'm3');
    expect(await third).toEqual({ type: 'acknowledged', providerId: 'm3', answer: 'm3' });
  });

  it('waits ten seconds for a link, then leaves another way open, at once for those who come later', async () => {
    const { send, cut, turn, wire } = anOutbox();
    cut('the carrier refused the bind: ESME_RINVPASWD');
    const waiting = send(1);
    turn(10_000);
    expect(wire).toEqual([]);
    turn(1);
    const sentence = { type: 'unavailable', text: 'the carrier refused the bind: ESME_RINVPASWD' };
    expect(await waiting).toMatchObject(sentence);
    expect(await send(2)).toMatchObject(sentence);
  });

  it('gives one that waited too long for its turn back to the engine', async () => {
    const { send, turn, outbox } = anOutbox(1);
    const onTheWire = send(1);
    const waiting = send(2);
    turn(45_001);
    const said = await waiting;
    expect(said).toBeInstanceOf(Retryable);
    turn(5_000);
    expect(await onTheWire).toBeInstanceOf(OutcomeUnknown);
    expect(outbox.size).toBe(0);
  });

  it('says once that it is slow, also of one that waits', () => {
    const { send, turn, slow } = anOutbox(1);
    void send(1);
    void send(2);
    turn(5_000);
    expect(slow).toEqual([]);
    turn(1);
    turn(1_000);
    expect(slow).toEqual([1, 2]);
  });

  it('pauses when it is throttled, then sends the same part again', async () => {
    const { send, turn, wire } = anOutbox();
    const answer = send(1);
    wire[0]!.answer(throttled);
    turn(249);
    expect(wire).toHaveLength(1);
    turn(1);
    expect(wire[1]!.fields).toBe(wire[0]!.fields);
    wire[1]!.answer(throttled);
    turn(499);
    expect(wire).toHaveLength(2);
    turn(1);
    wire[2]!.answer(0, 'm1');
    expect(await answer).toMatchObject({ type: 'acknowledged' });
  });

  it('halves its window when it is throttled, and grows it as parts are taken', () => {
    const { send, turn, wire } = anOutbox(4);
    for (let id = 1; id <= 20; id += 1) void send(id);
    expect(wire).toHaveLength(4);
    for (const part of wire.slice()) part.answer(throttled);
    turn(250);
    expect(wire).toHaveLength(6);
    wire[4]!.answer(0, 'a');
    wire[5]!.answer(0, 'b');
    expect(wire).toHaveLength(8);
    wire[6]!.answer(0, 'c');
    wire[7]!.answer(0, 'd');
    expect(wire.length).toBeGreaterThan(10);
  });

  it('sends no more parts of a text that was refused, and tries it nowhere else', async () => {
    const { send, wire } = anOutbox(1);
    const answer = send(1, 3);
    wire[0]!.answer(0, 'm1');
    wire[1]!.answer(0x0b);
    expect(await answer).toMatchObject({
      ...{ type: 'refused', code: '11' },
      text: 'part 2 of 3: ESME_RINVDSTADR; 1 of 3 parts had been taken',
    });
    expect(wire).toHaveLength(2);
  });

  it('leaves another way open when no part of a text was taken, and sends no more of them', async () => {
    const { send, wire, outbox } = anOutbox(2);
    const answer = send(1, 3);
    wire[0]!.answer(systemError);
    expect(outbox.size).toBe(1);
    wire[1]!.answer(systemError);
    expect(await answer).toEqual({ type: 'unavailable', text: 'ESME_RSYSERR', answer: '' });
    expect(wire).toHaveLength(2);
    expect(outbox.size).toBe(0);
  });

  it('leaves another way open when the other part of a text was throttled', async () => {
    for (const [first, second] of [
      [systemError, throttled],
      [throttled, systemError],
    ] as const) {
      const { send, wire, turn } = anOutbox();
      const answer = send(1, 2);
      wire[0]!.answer(first);
      wire[1]!.answer(second);
      expect(await answer).toMatchObject({ type: 'unavailable', text: 'ESME_RSYSERR' });
      turn(10_000);
      expect(wire).toHaveLength(2);
    }
  });

  it('tries a text nowhere else when a part is taken after another could not be', async () => {
    const { send, wire } = anOutbox();
    const answer = send(1, 2);
    wire[0]!.answer(systemError);
    wire[1]!.answer(0, 'm2');
    expect(await answer).toMatchObject({
      ...{ type: 'refused', code: 'partial' },
      text: 'ESME_RSYSERR; 1 of 2 parts had been taken',
    });
  });

  it('tries a text nowhere else when a part may have been taken after another could not be', async () => {
    const torn = {
      ...{ type: 'refused', code: 'partial' },
      text: 'ESME_RSYSERR; 0 of 2 parts had been taken, others may have been',
    };
    const { send, wire, turn, cut, outbox } = anOutbox();
    const late = send(1, 2);
    wire[0]!.answer(systemError);
    turn(50_001);
    expect(await late).toMatchObject(torn);
    const lost = send(2, 2);
    wire[2]!.answer(systemError);
    cut();
    expect(await lost).toMatchObject(torn);
    expect(outbox.size).toBe(0);
  });

  it('does not know of a text that was cut between its parts', async () => {
    const { send, wire, cut, up } = anOutbox(1);
    const answer = send(1, 2);
    wire[0]!.answer(0, 'm1');
    cut();
    expect(await answer).toBeInstanceOf(OutcomeUnknown);
    up();
    expect(wire).toHaveLength(2);
  });

  it('goes on with a text whose next part was not on the wire when the link was lost', async () => {
    const { send, wire, cut, up, turn, state } = anOutbox(1);
    const answer = send(1, 2);
    state.down = { since: 0, why: 'cut' };
    wire[0]!.answer(0, 'm1');
    cut();
    up();
    wire[1]!.answer(0, 'm2');
    expect(await answer).toMatchObject({ type: 'acknowledged', providerId: 'm2', answer: 'm1 m2' });
    const torn = send(2, 2);
    state.down = { since: 0, why: 'cut' };
    wire[2]!.answer(0, 'm3');
    turn(1);
    expect(await torn).toMatchObject({ type: 'refused', code: 'partial' });
  });

  it('hears an answer that comes after its time', async () => {
    const { send, wire, turn, late } = anOutbox();
    const answer = send(1);
    turn(50_001);
    expect(await answer).toBeInstanceOf(OutcomeUnknown);
    wire[0]!.answer(0, 'm1');
    expect(late.map(({ ids }) => ids)).toEqual([['m1']]);
  });

  it('refuses what cannot be written', async () => {
    const { send, state, outbox } = anOutbox();
    state.broken = true;
    expect(await send(1)).toMatchObject({ type: 'refused', text: 'it cannot be written: no such character' });
    expect(outbox.size).toBe(0);
  });

  it('takes no more than it can bear', async () => {
    const { send, outbox } = anOutbox(1);
    for (let id = 1; id <= 20_001; id += 1) void send(id);
    expect(await send(30_000)).toBeInstanceOf(Retryable);
    expect(outbox.size).toBe(20_001);
    outbox.end();
    expect(outbox.size).toBe(0);
  });
});
