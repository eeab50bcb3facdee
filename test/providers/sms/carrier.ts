/** A carrier with one route, and what is heard of it. */
import type {
  SmsSubmitAnswer,
  SmsCarrier,
  SmsReceipt,
  SmsRoute,
  HandleSmsReceipt,
  OpenSmsCarrier,
} from '../../../src/providers/contracts/sms.ts';

export interface TriedCarrier {
  carrier: SmsCarrier;
  receipts: SmsReceipt[];
  /** Machines whose callers were told that it is slow. */
  slow: number[];
  /** Submits a text for a machine; what is thrown is the answer too. */
  send(machine: number, text?: string, to?: string): Promise<SmsSubmitAnswer | Error>;
}

export const quietLog = { info: () => {}, warn: () => {} };

export const aRoute = (kind: string, settings: object, secret = ''): SmsRoute => ({
  ...{ shard: 'a', account: 7, id: 4, kind, version: '1', settings },
  openSecret: () => secret,
});

/** `take`: what becomes of receipts; default: they are heard. */
export const tryCarrier = (open: OpenSmsCarrier, route: SmsRoute, take?: HandleSmsReceipt): TriedCarrier => {
  const receipts: SmsReceipt[] = [];
  const slow: number[] = [];
  const carrier = open(route, async (at, receipt) => {
    const answer = (await take?.(at, receipt)) ?? 'heard';
    if (answer !== 'later') receipts.push(receipt);
    return answer;
  });
  return {
    carrier,
    receipts,
    slow,
    send: (id, text = 'Olá', to = `5511${String(900_000_000 + id)}`) =>
      carrier
        .submit(
          {
            id: `a.7.${id}.1.0`,
            machine: { shard: 'a', account: 7, id },
            ...{ to, from: '', text },
          },
          () => slow.push(id),
        )
        .catch((error: Error) => error),
  };
};
