/**
 * Who waits for a slot. Accounts take turns, so that none waits for another's thousands. An account's turn goes to its
 * highest rank; within a rank its lanes take turns (its single calls are one lane, each of its campaigns another), and
 * within a lane who came first.
 *
 * Urgent seats come before everything (spec 4.2 `priority` -20 and -1): accounts that have some are served first, by
 * turns of their own. While others wait with plain seats, each urgent grant is followed by a plain turn: an account
 * that marks all its calls as urgent takes at most half of the capacity.
 */
import { LinkedQueue } from './queue.ts';

export interface FairQueueEntry {
  key: string;
  account: string;
  /** Higher goes first. */
  rank: number;
  /** Before all plain seats, of other accounts as well. */
  urgent: boolean;
  /** Lanes of the same rank are served by turns. */
  lane: string;
}

type Lanes<S> = Map<string, LinkedQueue<S>>;

/** What one account has waiting. */
interface Party<S> {
  account: string;
  size: number;
  urgent: number;
  ranks: Map<number, Lanes<S>>;
  /** Ranks that are not empty, the most urgent first. */
  order: number[];
}

export class FairPriorityQueue<S extends FairQueueEntry> {
  readonly #seats = new Map<string, S>();
  /** In the order of their turns. */
  readonly #parties = new Map<string, Party<S>>();
  /** Those with urgent seats, in the order of their urgent turns. */
  readonly #urgent = new Map<string, Party<S>>();
  #plainTurn = false;
  /** The party with the most seats; absent: to be looked for. */
  #largest: Party<S> | undefined;

  get size(): number {
    return this.#seats.size;
  }

  /** The number of accounts that have entries here. */
  get accounts(): number {
    return this.#parties.size;
  }

  sizeOf(account: string): number {
    return this.#parties.get(account)?.size ?? 0;
  }

  /** The seat of this key in this very place. */
  find({ key, account, rank, lane }: Omit<FairQueueEntry, 'urgent'>): S | undefined {
    const seat = this.#seats.get(key);
    return seat?.account === account && seat.rank === rank && seat.lane === lane ? seat : undefined;
  }

  /** Takes a seat at the end of its lane. Who sits elsewhere moves. */
  take(seat: S): void {
    this.leave(seat.key);
    this.#seats.set(seat.key, seat);
    const party = this.#partyOf(seat.account);
    laneOf(party, seat).push(seat);
    party.size += 1;
    if (this.#largest && party.size > this.#largest.size) this.#largest = party;
    if (!seat.urgent) return;
    party.urgent += 1;
    this.#urgent.set(seat.account, party);
  }

  leave(key: string): void {
    const seat = this.#seats.get(key);
    if (!seat) return;
    this.#seats.delete(key);
    const party = this.#parties.get(seat.account)!;
    leaveLane(party, seat);
    party.size -= 1;
    if (seat.urgent) party.urgent -= 1;
    if (party.urgent === 0) this.#urgent.delete(seat.account);
    if (party.size === 0) this.#parties.delete(seat.account);
    if (party === this.#largest) this.#largest = undefined;
  }

  /** The next whose lane may go; it leaves its seat, and its lane and account go to the end of their rows. */
  next(mayGo: (lane: string) => boolean): S | undefined {
    const urgent = this.#plainTurn ? undefined : firstOf(this.#urgent, mayGo, { urgentOnly: true });
    const seat = urgent ?? firstOf(this.#parties, mayGo, { urgentOnly: false });
    if (!seat) return undefined;
    this.#plainTurn = urgent !== undefined;
    this.leave(seat.key);
    toEnd(this.#parties, seat.account);
    if (seat.urgent) toEnd(this.#urgent, seat.account);
    return seat;
  }

  /**
   * Makes room for one more: who came last in the lowest rank of the account with the most seats goes. Undefined: the
   * newcomer's own account has the most, and nothing of a lower rank.
   */
  displace({ account, rank }: Pick<FairQueueEntry, 'account' | 'rank'>): S | undefined {
    const largest = this.#largestParty();
    if (!largest) return undefined;
    const isOwn = largest.account === account || largest.size <= this.sizeOf(account) + 1;
    const from = isOwn ? this.#parties.get(account) : largest;
    const lowest = from?.order.at(-1);
    if (!from || lowest === undefined || (isOwn && lowest >= rank)) return undefined;
    const seat = [...from.ranks.get(lowest)!.values()].at(-1)!.last!;
    this.leave(seat.key);
    return seat;
  }

  #largestParty(): Party<S> | undefined {
    if (this.#largest) return this.#largest;
    for (const party of this.#parties.values())
      if (!this.#largest || party.size > this.#largest.size) this.#largest = party;
    return this.#largest;
  }

  #partyOf(account: string): Party<S> {
    const known = this.#parties.get(account);
    if (known) return known;
    const party = { account, size: 0, urgent: 0, ranks: new Map<number, Lanes<S>>(), order: [] };
    this.#parties.set(account, party);
    return party;
  }
}

/** The first seat, by turns of the accounts, whose lane may go; its lane goes to the end of its rank. */
const firstOf = <S extends FairQueueEntry>(
  parties: Map<string, Party<S>>,
  mayGo: (lane: string) => boolean,
  { urgentOnly }: { urgentOnly: boolean },
): S | undefined => {
  for (const party of parties.values()) {
    const seat = firstOfParty(party, mayGo, urgentOnly);
    if (seat) return seat;
  }
  return undefined;
};

const firstOfParty = <S extends FairQueueEntry>(
  { order, ranks }: Party<S>,
  mayGo: (lane: string) => boolean,
  urgentOnly: boolean,
): S | undefined => {
  for (const rank of order) {
    const lanes = ranks.get(rank)!;
    for (const [lane, { first }] of lanes) {
      if (urgentOnly && !first!.urgent) return undefined;
      if (!mayGo(lane)) continue;
      toEnd(lanes, lane);
      return first;
    }
  }
  return undefined;
};

const laneOf = <S extends FairQueueEntry>(
  party: Party<S>,
  { rank, lane }: FairQueueEntry,
): LinkedQueue<S> => {
  let lanes = party.ranks.get(rank);
  if (!lanes) {
    lanes = new Map();
    party.ranks.set(rank, lanes);
    party.order.splice(placeOf(party.order, rank), 0, rank);
  }
  let queue = lanes.get(lane);
  if (!queue) lanes.set(lane, (queue = new LinkedQueue()));
  return queue;
};

const leaveLane = <S extends FairQueueEntry>(party: Party<S>, seat: S): void => {
  const lanes = party.ranks.get(seat.rank)!;
  const queue = lanes.get(seat.lane)!;
  queue.remove(seat);
  if (queue.first === undefined) lanes.delete(seat.lane);
  if (lanes.size > 0) return;
  party.ranks.delete(seat.rank);
  party.order.splice(placeOf(party.order, seat.rank), 1);
};

/** Where a rank stands, or belongs, in ranks that descend. Priorities are the customer's: there may be thousands. */
const placeOf = (order: readonly number[], rank: number): number => {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order[middle]! > rank) low = middle + 1;
    else high = middle;
  }
  return low;
};

const toEnd = <Value>(row: Map<string, Value>, key: string): void => {
  const value = row.get(key);
  if (value === undefined) return;
  row.delete(key);
  row.set(key, value);
};
