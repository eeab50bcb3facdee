import { setImmediate as nextTurn } from 'node:timers/promises';
import smpp, { type Pdu } from 'smpp';
import { describe, expect, it } from 'vitest';
import { SmppReceiptReceiver } from '../../../../src/providers/sms/smpp/incomingReceipts.ts';
import type { SmppMessageSubmission } from '../../../../src/providers/sms/smpp/multipartSubmissionState.ts';
import type { SmsReceipt } from '../../../../src/providers/contracts/sms.ts';
import { parseStoredSmsRouteSettings } from '../../../../src/rules/sms/smsRouteCarrierSchemas.ts';
import { handClock } from '../../../helpers/handClock.ts';
import { aRoute, quietLog } from '../carrier.ts';

const appn = smpp.errors['ESME_RX_T_APPN']!;
const minuteMs = 60_000;
const [delivered, undelivered] = [2, 5];

/** A receiver that expects a text of two parts, `m1` and `m2`, on a clock that is turned by hand. */
const aReceiver = () => {
  const clock = handClock(1_000_000);
  const told: SmsReceipt[] = [];
  const database = { away: false };
  const settings = { host: 'smsc', system_id: 'ramal' };
  const receiver = new SmppReceiptReceiver({
    route: aRoute('smpp', settings),
    settings: parseStoredSmsRouteSettings('smpp', settings),
    take: async (_, receipt) => {
      if (database.away) throw new Error('the database is away');
      told.push(receipt);
      return 'heard';
    },
    now: () => 5_000_000 + clock.now(),
    monotonic: clock.now,
    log: quietLog,
  });
  receiver.expect({ ids: ['m1', 'm2'] } as unknown as SmppMessageSubmission);
  const bring = (id: string, state = delivered): Promise<number> =>
    receiver.brought({
      ...{ command: 'deliver_sm', esm_class: 4, source_addr: '5511900000001' },
      ...{ receipted_message_id: id, message_state: state },
    } as unknown as Pdu);
  const turn = async (ms: number): Promise<void> => {
    clock.turn(ms);
    receiver.sweep();
    await nextTurn();
  };
  return { receiver, bring, turn, told, database };
};

describe('the receipt of a last part', () => {
  it('is left with the carrier until the others came, which tell for it', async () => {
    const { bring, told, turn } = aReceiver();
    expect(await bring('m2')).toBe(appn);
    expect(await bring('m2')).toBe(appn);
    expect(told).toEqual([]);
    expect(await bring('m1')).toBe(0);
    expect(told).toMatchObject([{ providerId: 'm2', status: 'delivered' }]);
    expect(await bring('m2')).toBe(0);
    await turn(2 * minuteMs);
    expect(told).toHaveLength(1);
  });

  it('tells after a minute, though the carrier brings it once only', async () => {
    const { bring, told, turn } = aReceiver();
    await bring('m2');
    await turn(minuteMs - 1);
    expect(told).toEqual([]);
    await turn(1);
    expect(told).toMatchObject([{ providerId: 'm2', status: 'delivered', occurredAt: 6_000_000 }]);
    expect(await bring('m2')).toBe(0);
    expect(await bring('m1')).toBe(0);
    expect(told).toHaveLength(1);
  });

  it('waits no longer when the carrier brings it again', async () => {
    const { bring, told, turn } = aReceiver();
    await bring('m2');
    await turn(minuteMs / 2);
    await bring('m2');
    await turn(minuteMs / 2);
    expect(told).toHaveLength(1);
  });

  it('does not tell when another part fails meanwhile', async () => {
    const { bring, told, turn } = aReceiver();
    await bring('m2');
    await bring('m1', undelivered);
    await turn(minuteMs);
    expect(await bring('m2')).toBe(0);
    expect(told).toMatchObject([{ providerId: 'm2', status: 'undelivered' }]);
  });

  it('tells a minute later when the database is away', async () => {
    const { bring, told, turn, database } = aReceiver();
    await bring('m2');
    database.away = true;
    await turn(minuteMs);
    database.away = false;
    expect(await bring('m2')).toBe(appn);
    await turn(minuteMs);
    expect(told).toHaveLength(1);
  });
});
