/** Turns of lists that are loaded: a few at a time, and only so many may wait. */
import { Unavailable } from '../../engine/contract/api.ts';
import { Semaphore as Turns } from '../../lib/semaphore.ts';

/** Its `take` throws `Unavailable` when too many lists wait already. */
export class ListLoadSemaphore extends Turns {
  /** `atOnce` lists, `waiting` may wait. */
  constructor(atOnce: number, waiting: number) {
    super(atOnce, { waiting, tooMany: (lists) => new Unavailable(`${lists} lists wait to be loaded`, 10) });
  }
}
