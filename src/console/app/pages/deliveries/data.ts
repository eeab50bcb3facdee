/** What the page of deliveries asks for, and sends again. */
import type { AdminRouteAnswer } from '../../../../admin/client.ts';
import { adminApiClient } from '../../api.ts';
import { postOperatorEventToMachine } from '../../data.ts';

export type DeliveryReceiver = AdminRouteAnswer<'GET /delivery-receivers'>['receivers'][number];

type Letters = AdminRouteAnswer<'GET /accounts/:account/deliveries'>;
export type DeadLetterDelivery = Letters['deliveries'][number];

/** Which dead letters: of an account, of one of its receivers, since a moment. */
export interface DeadLetterDeliveryFilter {
  account: number;
  target?: string | undefined;
  /** Epoch milliseconds. */
  since?: number | undefined;
}

export const fetchDeliveryReceivers = async (): Promise<DeliveryReceiver[]> =>
  (await adminApiClient('GET /delivery-receivers')).receivers;

export const fetchDeadLetters = (
  { account, target, since }: DeadLetterDeliveryFilter,
  cursor: string | null,
): Promise<Letters> =>
  adminApiClient('GET /accounts/:account/deliveries', {
    path: { account },
    query: { state: 'deadLetter', target, since, cursor: cursor ?? undefined },
  });

type Replayed = AdminRouteAnswer<'POST /accounts/:account/deliveries/replay'>;

/** So many are sent again by one request: the page tells how far it is. */
const atATime = 100;

/** Sends them again, oldest first; answers how many. `onDone`: hears how many so far. */
export const replayMatchingDeadLetters = async (
  { account, target, since }: DeadLetterDeliveryFilter,
  onDone: (count: number) => void,
): Promise<number> => {
  let done = 0;
  for (let after: string | null | undefined; after !== null;) {
    const body = {
      most: atATime,
      ...(target !== undefined && { target }),
      ...(since !== undefined && { since }),
      ...(after !== undefined && { after }),
    };
    const answer: Replayed = await adminApiClient('POST /accounts/:account/deliveries/replay', {
      path: { account },
      body,
    });
    done += answer.replayed;
    onDone(done);
    after = answer.after;
  }
  return done;
};

/** Sends some again, one after the other. */
export const replayChosenDeadLetters = async (
  account: number,
  ids: readonly string[],
  onDone: (count: number) => void,
): Promise<number> => {
  for (const [nth, id] of ids.entries()) {
    await postOperatorEventToMachine(id, account, { type: 'replay' });
    onDone(nth + 1);
  }
  return ids.length;
};
