/** How many requests are begun before anything else is looked at. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** For so long requests are begun in one turn of the event loop, milliseconds; those that came with them wait. */
const turnMs = 20;
/** A request waits no longer for connections to be taken, milliseconds. */
const patienceMs = 100;
/** Health checks of monitoring and load balancers; they cost next to nothing. */
const urgent: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

export interface EventLoopRequestScheduler {
  /** A connection was taken. */
  connected(): void;
  answer: RequestListener;
}

/**
 * Begins requests as they come, as long as that takes little of a turn of the event loop; of those that are left over one a
 * turn, and none in a turn that brings a connection: Node takes one connection a turn, and behind it there may be hundreds,
 * a balancer's question for health the last of them. Where the code is new to the process, hundreds that are begun at once
 * take seconds, and no other client is answered meanwhile.
 */
export const createEventLoopRequestScheduler = (answer: RequestListener): EventLoopRequestScheduler => {
  const waiting: { since: number; begin(): void }[] = [];
  const arrivals = thisTurn();
  /** When this turn's first request came, monotonic. */
  let began = 0;
  const requests = thisTurn();

  const mayBegin = (): boolean => {
    if (waiting.length > 0 || arrivals.any()) return false;
    if (!requests.any()) began = performance.now();
    requests.note();
    return performance.now() - began < turnMs;
  };
  const next = (): void => {
    const isDue = !arrivals.any() || performance.now() - waiting[0]!.since > patienceMs;
    const first = isDue ? waiting.shift() : undefined;
    if (waiting.length > 0) setImmediate(next);
    first?.begin();
  };

  return {
    connected: arrivals.note,
    answer: (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
      if (urgent.has(request.url) || mayBegin()) {
        answer(request, response);
        return;
      }
      if (waiting.length === 0) setImmediate(next);
      const begin = (): void => {
        // Its client may have gone meanwhile.
        if (!response.destroyed) answer(request, response);
      };
      waiting.push({ since: performance.now(), begin });
    },
  };
};

/** Whether something has happened in this turn of the event loop. */
const thisTurn = () => {
  let isNoted = false;
  return {
    any: (): boolean => isNoted,
    note: (): void => {
      if (isNoted) return;
      isNoted = true;
      setImmediate(() => (isNoted = false));
    },
  };
};
