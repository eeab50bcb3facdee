/** What the page of deliveries asks for, and sends again. */
import type { AdminAnswer } from '../../../../admin/client.ts';
import { admin } from '../../api.ts';
import { sendEvent } from '../../data.ts';

export type Receiver = AdminAnswer<'GET /delivery-receivers'>['receivers'][number];

type Letters = AdminAnswer<'GET /accounts/:account/deliveries'>;
export type Letter = Letters['deliveries'][number];

/** Which dead letters: of an account, of one of its receivers, since a moment. */
export interface Which {
  account: number;
  target?: string | undefined;
  /** Epoch milliseconds. */
  since?: number | undefined;
}

export const readReceivers = async (): Promise<Receiver[]> =>
  (await admin('GET /delivery-receivers')).receivers;

export const readLetters = ({ account, target, since }: Which, cursor: string | null): Promise<Letters> =>
  admin('GET /accounts/:account/deliveries', {
    path: { account },
    query: { state: 'deadLetter', target, since, cursor: cursor ?? undefined },
  });

type Replayed = AdminAnswer<'POST /accounts/:account/deliveries/replay'>;

/** So many are sent again by one request: the page tells how far it is. */
const atATime = 100;

/** Sends them again, oldest first; answers how many. `onDone`: hears how many so far. */
export const replayAll = async (
  { account, target, since }: Which,
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
    const answer: Replayed = await admin('POST /accounts/:account/deliveries/replay', {
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
export const replayEach = async (
  account: number,
  ids: readonly string[],
  onDone: (count: number) => void,
): Promise<number> => {
  for (const [nth, id] of ids.entries()) {
    await sendEvent(id, account, { type: 'replay' });
    onDone(nth + 1);
  }
  return ids.length;
};
