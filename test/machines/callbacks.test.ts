/** Which events of a call are told, and what each of them carries (docs/callback-events.md). */
import { describe, expect, it } from 'vitest';
import { callRecordTable } from '../../machines/call/callTableRow.ts';
import type { DeliveryInput } from '../../machines/delivery/input.ts';
import { callback, end, events, picked, prepared, rung, story, text, told } from './calls.ts';
import type { Story } from './story.ts';

const all = { callback: callback('all') };
const hungUp = (it: Story, outcome = 'normal'): Story => it.hears('hungUp', end(1, outcome));
const press = (it: Story, ...digits: string[]): Story => {
  for (const digit of digits) it.hears('digitReceived', { leg: 1, digit });
  return it;
};
const last = (it: Story) => events(it).at(-1)!;
/** The record that is read when the final event is carried. */
const recordIn = (it: Story) => callRecordTable.onUpdate(it.context, it.state);

describe('the events of a call', () => {
  it('are queued, dialing, ringing, answered and completed for one that is heard out', () => {
    const it = picked(all).hears('played', { leg: 1, playback: 'p1' });
    hungUp(it);
    expect(told(it)).toEqual(['queued', 'dialing', 'ringing', 'answered', 'completed']);
  });

  it('are only the final one unless more are asked for', () => {
    expect(told(hungUp(picked({ callback: callback() })))).toEqual(['completed']);
    expect(told(hungUp(picked({ callback: callback('ringing', 'sms') })))).toEqual(['ringing', 'completed']);
    expect(told(hungUp(picked({ callback: callback('completed') })))).toEqual(['completed']);
  });

  it('are none for a call that nobody wants to hear of, and nothing of it is kept', () => {
    const it = hungUp(picked());
    expect([told(it), 'told' in it.context]).toEqual([[], false]);
  });

  it.each([
    ['busy', 'BUSY'],
    ['noAnswer', 'NOANSWER'],
    ['congestion', 'CONGESTION'],
    ['unreachable', 'CHANUNAVAIL'],
  ])('end with failed when the callee is %s', (outcome, status) => {
    const it = hungUp(rung(all), outcome);
    expect(told(it)).toEqual(['queued', 'dialing', 'ringing', 'failed']);
    expect(recordIn(it)).toMatchObject({ status, finished: true });
  });

  it('end with failed when an operator cancels, before the dial and while it rings', () => {
    expect(told(prepared(all).hears('cancel'))).toEqual(['queued', 'failed']);
    const it = rung(all).hears('cancel');
    expect(told(hungUp(it, 'cancelled'))).toEqual(['queued', 'dialing', 'ringing', 'failed']);
  });

  it('say that a rule blocked it, and then that it failed', () => {
    const it = prepared(all).hears('refused', { reason: 'blocklist', detail: 'on the block list' });
    expect(told(it)).toEqual(['queued', 'blocked', 'failed']);
    expect(recordIn(it)).toMatchObject({ status: 'CANCEL', reason: 'blocklist' });
  });

  it('end with failed when its audio cannot be made', () => {
    const it = story(all).hears('prepareAudioFailed', { params: {}, reason: 'x', message: 'no' });
    expect(told(it)).toEqual(['queued', 'failed']);
  });

  it('say which attempt rang, and that another follows', () => {
    const it = rung({ ...all, schedule: { tries: 2 } });
    hungUp(it, 'busy').waits();
    it.hears('cleared', { route: 'b' }).hears('ringing', { leg: 2 }).hears('ringing', { leg: 2 });
    it.hears('hungUp', end(2, 'noAnswer'));
    expect(told(it)).toEqual(['queued', 'dialing', 'ringing', 'retry', 'dialing', 'ringing', 'failed']);
    expect(events(it).map(({ record, attempts }) => [record?.['attempt'], attempts])).toEqual(
      [0, 1, 1, 1, 2, 2, undefined].map((attempt) => [attempt, 2]),
    );
    expect(events(it)[3]!.record).toMatchObject({ status: 'BUSY', finished: false });
  });

  it('do not say dialing again when the same attempt is asked for once more', () => {
    const it = prepared(all).hears('cleared', { route: 'a' });
    const lost = { ...end(1, 'unreachable'), lost: true, neverSince: 0 };
    it.hears('hungUp', lost);
    expect([it.count('originate'), told(it)]).toEqual([2, ['queued', 'dialing']]);
  });

  it('tell what was detected', () => {
    const detecting = picked({
      ...all,
      prompts: { opening: [text('hello')], slots: {}, machine: { media: 'm' } },
    });
    detecting.hears('machineDetected', { leg: 1, result: 'machine' });
    expect([last(detecting).event, last(detecting).record!['answered_by']]).toEqual(['amd', 'MA']);
  });

  it('tell of digits once they make a response, not of each', () => {
    const it = picked({ ...all, mode: 'menu', digits: { count: 3, waitSeconds: 5 } });
    it.hears('played', { leg: 1, playback: 'p1' });
    press(it, '4', '7');
    expect(told(it)).not.toContain('dtmf');
    press(it, '1');
    expect([last(it).event, last(it).record!['response_1']]).toEqual(['dtmf', '471']);
  });

  it('tell of digits that the end of the wait makes a response', () => {
    const it = picked({ ...all, mode: 'menu', digits: { count: 3, waitSeconds: 5 } });
    press(it.hears('played', { leg: 1, playback: 'p1' }), '4').passes(5_000);
    expect([last(it).event, last(it).record!['response_1']]).toEqual(['dtmf', '4']);
  });

  it('tell of a transfer when the two are brought together', () => {
    const it = picked({
      ...all,
      mode: 'confirm',
      digits: { count: 1, waitSeconds: 5, confirm: '1' },
      transfer: { kind: 'number', number: '551133334444' },
    });
    press(it.hears('played', { leg: 1, playback: 'p1' }), '1');
    expect(last(it).event).toBe('dtmf');
    it.hears('targetResolved', { how: 'endpoint', endpoint: { kind: 'number', number: '551133334444' } });
    expect(last(it).event).toBe('dtmf');
    it.hears('answered', { leg: 2 });
    expect([last(it).event, last(it).record!['transfer_to']]).toEqual(['transfer', '551133334444']);
  });

  it('tell of a recording when its file is there, and of the end after that', () => {
    const it = picked({ ...all, recording: { maxSeconds: 30, from: 'ini' } });
    hungUp(it);
    expect([it.state, last(it).event]).toEqual(['filing', 'answered']);
    it.hears('recorded', { leg: 1, recording: 'r1', media: 'rec/1', seconds: 12 });
    expect(told(it).slice(-2)).toEqual(['recording', 'completed']);
    expect(events(it).at(-2)!.record).toMatchObject({ recording: 'rec/1', recording_seconds: 12 });
  });

  it('do not tell of a recording that came to nothing', () => {
    const it = hungUp(picked({ ...all, recording: { maxSeconds: 30, from: 'ini' } }));
    it.hears('recordFailed', { leg: 1, recording: 'r1', reason: 'x' });
    expect(told(it).slice(-2)).toEqual(['answered', 'completed']);
  });

  it('tell of the message that follows, before the end', () => {
    const it = hungUp(picked({ ...all, sms: { when: 'ok', text: 'thanks', digit: '1' } }));
    it.hears('smsAccepted', { providerId: '71', slow: false });
    expect(told(it).slice(-2)).toEqual(['sms', 'completed']);
    expect(events(it).at(-2)!.record!['sms_id']).toBe('71');
  });
});

describe('an event of a call', () => {
  const delivery = (it: Story) =>
    it.all.find(({ name }) => name === 'startMachine')!.params as {
      kind: string;
      id: number;
      input: DeliveryInput;
    };

  it('starts the delivery under the id that was made for it, open unless it is the final one', () => {
    const early = story(all);
    expect(delivery(early)).toMatchObject({
      ...{ kind: 'delivery', id: 900 },
      input: {
        ...{ purpose: 'callback', open: true, about: 'call 77', aboutId: 77 },
        target: 'https://example.com/…',
      },
    });
    const only = hungUp(picked({ callback: callback() }));
    expect(delivery(only).input.open).toBe(false);
    expect(delivery(hungUp(picked({ callback: { ...callback(), url: '' } }))).input.target).toBe(
      'the callback address of the account',
    );
  });

  it('carries the record as it is then, without its list of attempts; the final one is read when it is carried', () => {
    const it = hungUp(picked({ ...all, correlation: 'order-17' }).passes(4_000));
    const [queued, dialing, , answered, completed] = events(it);
    expect(queued).toMatchObject({
      ...{ what: 'call', id: 77, event: 'queued', seq: 1, at: it.start, final: false, attempts: 1 },
      record: { correlation: 'order-17', status: '', dialed_at: null, finished: false },
    });
    expect(dialing!.record).toMatchObject({ dialed_at: it.start, attempt: 1, answered_at: null });
    expect(answered!.record).toMatchObject({ answered_at: it.start, status: '' });
    expect(answered!.record!['attempts']).toBe('');
    expect(completed).toMatchObject({ at: it.start + 4_000, final: true });
    expect(completed).not.toHaveProperty('record');
    expect(completed).not.toHaveProperty('placeholders');
  });

  it('carries who was called for a campaign', () => {
    const campaign = { id: 12, row: 3, region: '11', granted: true };
    const placeholders = { nome: 'Ana', cod_cli: 'c7', extra1: 'x' };
    const it = hungUp(picked({ ...all, campaign, placeholders }));
    expect(events(it).every((event) => event.placeholders?.['nome'] === 'Ana')).toBe(true);
  });
});
