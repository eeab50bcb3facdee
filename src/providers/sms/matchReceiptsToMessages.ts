/**
 * Receipts to their messages: by our own reference where the carrier brings it back, else by what this process
 * submitted, else by the message log. One whose message is not found is asked to come again for a while, because its
 * acknowledgement may be under way on another node; and as long as the shard is not open, because its message may be
 * one that the database has forgotten.
 */
import { lruOf } from '../../lib/lru.ts';
import type { Fact, Tell } from '../../engine/contract/performer.ts';
import type { SmsReceipt, HandleSmsReceipt } from '../contracts/sms.ts';

export interface SmsMachineRef {
  shard: string;
  account: number;
  id: number;
}

export interface SmsRouteRef {
  shard: string;
  account: number;
  id: number;
}

/**
 * The message that this route took under this id of the carrier's; else the one of unknown outcome that a submission
 * with this number and reference was for. Throws when the database is away.
 */
export type FindMessageForReceipt = (
  route: SmsRouteRef,
  receipt: Pick<SmsReceipt, 'providerId' | 'submission'>,
) => Promise<SmsMachineRef | undefined>;

export interface SmsReceiptHandlerOptions {
  repository: { message: FindMessageForReceipt };
  tell: Tell;
  /** False while the database of a shard may lack messages that were sent. */
  isOpen(shard: string): boolean;
  clock: { now(): number };
  log: { warn(fields: object, message: string): void };
}

export interface SmsReceiptMatcher {
  take: HandleSmsReceipt;
  /** A route took a message under this id: receipts may name it. */
  expect(route: number, providerId: string, machine: SmsMachineRef): void;
}

/** Acknowledged messages that are remembered; older ones are looked up. */
const mostExpected = 100_000;
/** How long a receipt that fits no message is asked to come again, milliseconds. */
const patienceMs = 60_000;
/** Such receipts that are remembered at a time. */
const mostStrays = 10_000;

export const openSmsReceiptHandler = ({
  repository,
  tell,
  isOpen,
  clock,
  log,
}: SmsReceiptHandlerOptions): SmsReceiptMatcher => {
  const expected = lruOf<string, SmsMachineRef>(mostExpected);
  /** When a receipt that fits no message came first. */
  const strays = lruOf<string, number>(mostStrays);

  const missing = (route: SmsRouteRef, { providerId, status }: SmsReceipt): 'gone' | 'later' => {
    const key = `${route.id} ${providerId}`;
    // Its message may be among those that are written again: it has its time when that is done.
    if (!isOpen(route.shard)) {
      strays.delete(key);
      return 'later';
    }
    const since = strays.get(key) ?? clock.now();
    if (clock.now() - since < patienceMs) {
      strays.set(key, since);
      return 'later';
    }
    strays.delete(key);
    log.warn({ ...nameOf(route), providerId, status }, 'a receipt fits no message');
    return 'gone';
  };

  const take: HandleSmsReceipt = async (route, receipt) => {
    const key = `${route.id} ${receipt.providerId}`;
    const machine = receipt.machine ?? expected.get(key) ?? (await repository.message(route, receipt));
    if (!machine) return missing(route, receipt);
    strays.delete(key);
    return tell(machine, factOf(receipt));
  };

  return {
    take,
    expect: (route, providerId, machine) => {
      if (providerId !== '') expected.set(`${route} ${providerId}`, machine);
    },
  };
};

const factOf = ({ providerId, status, occurredAt, code, text }: SmsReceipt): Fact => ({
  type: 'receipt',
  ...{ providerId, status, occurredAt, code, text },
});

const nameOf = ({ shard, account, id }: SmsRouteRef) => ({ shard, account, route: id });
