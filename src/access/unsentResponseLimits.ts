/**
 * What answers may take while they are sent. A caller that asks and does not read holds its own places, and in the end
 * none of another's: long answers, which are read page by page while they are sent, are few at a time for a token, and
 * the bytes of whole ones that wait to be taken are bounded for a token and for all together.
 */
import type { Context } from 'koa';

export interface OutgoingResponseLimitsOptions {
  /** Long answers at a time, of one token and in all. Default 4 and 64. */
  long?: Room;
  /** Bytes of whole answers that are not sent yet, of one caller and in all. Default 16 MiB and 128 MiB. */
  bytes?: Room;
  /** Long answers of one token that may wait for a place. Default 8. */
  waiting?: number;
  /** How long one waits, milliseconds. Default 2,000. */
  waitMs?: number;
}

interface Room {
  ofOne: number;
  inAll: number;
}

/** Whose room is used up: the caller's own, or that of all. */
export type Full = 'own' | 'all';
/** Gives a place back; the second time does nothing. */
export type ReleaseResponseCapacity = () => void;

/** What a caller hears, by whose room is used up, and when it may ask again. */
export const responseCapacityRefusalTexts: Readonly<Record<Full, string>> = {
  own: 'too many requests: long answers of this token are not read yet; read them first',
  all: 'too many long answers are under way: ask again later',
};
export const unreadAnswersRetryAfterSeconds = 2;

interface Waiter {
  owner: string;
  enter(): void;
}

const mebibyte = 1024 * 1024;

export class ResponseCapacity {
  readonly #long: Places;
  readonly #bytes: Places;
  readonly #mostWaiting: number;
  readonly #waitMs: number;
  readonly #waiting = new Set<Waiter>();

  constructor({
    long = { ofOne: 4, inAll: 64 },
    bytes = { ofOne: 16 * mebibyte, inAll: 128 * mebibyte },
    waiting = 8,
    waitMs = 2_000,
  }: OutgoingResponseLimitsOptions = {}) {
    this.#long = new Places(long);
    this.#bytes = new Places(bytes);
    this.#mostWaiting = waiting;
    this.#waitMs = waitMs;
  }

  /** A place for a long answer, at once or a little later: a short one that is over soon is worth the wait. */
  async enterLong(owner: string): Promise<ReleaseResponseCapacity | Full> {
    const full = this.#long.full(owner);
    if (!full) return this.#take(owner);
    const ahead = [...this.#waiting].filter((waiter) => waiter.owner === owner).length;
    if (ahead >= this.#mostWaiting) return full;
    return new Promise((resolve) => {
      const waiter = { owner, enter: () => settle(this.#take(owner)) };
      const late = setTimeout(() => settle(this.#long.full(owner) ?? this.#take(owner)), this.#waitMs);
      const settle = (outcome: ReleaseResponseCapacity | Full): void => {
        clearTimeout(late);
        this.#waiting.delete(waiter);
        resolve(outcome);
      };
      this.#waiting.add(waiter);
    });
  }

  #take(owner: string): ReleaseResponseCapacity {
    return this.#long.take(owner, 1, () => {
      for (const waiter of this.#waiting) if (!this.#long.full(waiter.owner)) waiter.enter();
    });
  }

  /** Whose room for whole answers is used up; undefined: one more may be made. */
  full(owner: string): Full | undefined {
    return this.#bytes.full(owner);
  }

  /** Counts a whole answer until it was sent, however large: what was done for it is done. */
  keep(owner: string, bytes: number): ReleaseResponseCapacity {
    return this.#bytes.take(owner, bytes);
  }
}

/** So much of something for one owner, and for all. */
class Places {
  readonly #room: Room;
  readonly #ofOwners = new Map<string, number>();
  #taken = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  full(owner: string): Full | undefined {
    if ((this.#ofOwners.get(owner) ?? 0) >= this.#room.ofOne) return 'own';
    return this.#taken >= this.#room.inAll ? 'all' : undefined;
  }

  take(owner: string, amount: number, left?: () => void): ReleaseResponseCapacity {
    let own = amount;
    this.#add(owner, own);
    return () => {
      if (own === 0) return;
      this.#add(owner, -own);
      own = 0;
      left?.();
    };
  }

  #add(owner: string, amount: number): void {
    this.#taken += amount;
    const ofOwner = (this.#ofOwners.get(owner) ?? 0) + amount;
    if (ofOwner > 0) this.#ofOwners.set(owner, ofOwner);
    else this.#ofOwners.delete(owner);
  }
}

/** Notes whose answer a request will have: the token that was admitted. */
export const setResponseOwner = ({ state }: Pick<Context, 'state'>, owner: string): void =>
  void (state['answerOwner'] = owner);

/** Undefined: no token was admitted. */
export const getResponseOwner = ({ state }: Pick<Context, 'state'>): string | undefined =>
  state['answerOwner'] as string | undefined;
