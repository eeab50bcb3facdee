/**
 * Hooks that wait for the acknowledgement of their messages: each keeps one of the working places of all hooks, so that only
 * so many may wait, and of one account fewer. The others come again.
 */

/** Half of what `endpoint.ts` works on at a time. */
const MOST = 50;
const MOST_OF_AN_ACCOUNT = 15;

export interface AcknowledgementWaits {
  /** A place to wait in, until the answer is called; undefined: none is free for this account. */
  enter(account: string): (() => void) | undefined;
}

/** Places of one process. */
export const openAcknowledgementWaits = (): AcknowledgementWaits => {
  const held = new Map<string, number>();
  let all = 0;
  const leave = (account: string): void => {
    all -= 1;
    const left = (held.get(account) ?? 1) - 1;
    if (left > 0) held.set(account, left);
    else held.delete(account);
  };
  return {
    enter: (account) => {
      const own = held.get(account) ?? 0;
      if (all >= MOST || own >= MOST_OF_AN_ACCOUNT) return undefined;
      all += 1;
      held.set(account, own + 1);
      return () => leave(account);
    },
  };
};
