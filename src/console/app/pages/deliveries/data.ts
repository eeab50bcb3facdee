/** What the page of deliveries asks for, and sends again. */
import { ask } from '../../api.ts';
import { sendEvent } from '../../data.ts';

export interface Receiver {
  cdcs_id: number;
  account: string;
  target: string;
  attempting: number;
  retrying: number;
  waiting: number;
  dead: number;
  dead_since: number | null;
  last_error: string;
  next_at: number | null;
  health: {
    state: 'closed' | 'open' | 'half';
    failures: number;
    usual_ms: number;
    next_at: number | null;
  } | null;
}

export interface Letter {
  delivery_id: string;
  created_at: number;
  subject: string;
  about_id: number;
  attempts: number;
  last_error: string;
  target: string;
}

/** Which dead letters: of an account, of one of its receivers, since a moment. */
export interface Which {
  account: number;
  target?: string | undefined;
  /** Epoch milliseconds. */
  since?: number | undefined;
}

export const readReceivers = async (): Promise<Receiver[]> =>
  (await ask<{ receivers: Receiver[] }>('/delivery-receivers')).receivers;

export const readLetters = (
  { account, target, since }: Which,
  cursor: string | null,
): Promise<{ deliveries: Letter[]; cursor: string | null }> => {
  const query = new URLSearchParams({ state: 'deadLetter' });
  if (target !== undefined) query.set('target', target);
  if (since !== undefined) query.set('since', String(since));
  if (cursor !== null) query.set('cursor', cursor);
  return ask(`/accounts/${account}/deliveries?${query}`);
};

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
    const answer: { replayed: number; after: string | null } = await ask(
      `/accounts/${account}/deliveries/replay`,
      { method: 'POST', body },
    );
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
