/**
 * What bodies of requests may take of the memory while they come in. A body takes room when its bytes come, not when
 * they are announced. Three rooms, so that strangers with large bodies keep out neither small ones nor known callers.
 */
import { ipAddressGroup } from '../lib/ipAddressRanges.ts';

/** Bytes of one of the rooms. */
export interface Room {
  most: number;
  /** Of one address, or of one account. */
  mostOfOne: number;
}

export interface BodyMemoryBudgetOptions {
  /** Bodies of up to `smallBytes`, of anyone. */
  small: Room;
  /** Longer ones, of strangers. */
  large: Room;
  /** Of callers whose token is known to be good. */
  known: Room;
  /** Default 64 kB. */
  smallBytes?: number;
}

/** The place of one body. */
export interface BodyMemoryReservation {
  /** False: there is no room for so many bytes more. */
  take(bytes: number): boolean;
  /** From now on the body counts with its account, where that has room. */
  know(account: number): void;
  /** Bytes taken so far. */
  readonly taken: number;
  /** Gives back all that was taken. */
  leave(): void;
}

/** A longer body counts as large. */
export const largeBodyThresholdBytes = 64 * 1024;

export class BodyMemoryBudget {
  readonly #small: Taken;
  readonly #large: Taken;
  readonly #known: Taken;
  readonly #smallBytes: number;

  constructor({ small, large, known, smallBytes = largeBodyThresholdBytes }: BodyMemoryBudgetOptions) {
    this.#small = new Taken(small);
    this.#large = new Taken(large);
    this.#known = new Taken(known);
    this.#smallBytes = smallBytes;
  }

  /** A place for a body from this address. */
  enter(address: string): BodyMemoryReservation {
    return new Place(
      { small: this.#small, large: this.#large, known: this.#known, smallBytes: this.#smallBytes },
      ipAddressGroup(address),
    );
  }
}

interface Rooms {
  small: Taken;
  large: Taken;
  known: Taken;
  smallBytes: number;
}

class Place implements BodyMemoryReservation {
  taken = 0;
  readonly #rooms: Rooms;
  readonly #stranger: string;
  #account: string | undefined;
  /** Where the body is, and as whose. */
  #room: Taken | undefined;
  #who = '';

  constructor(rooms: Rooms, stranger: string) {
    this.#rooms = rooms;
    this.#stranger = stranger;
  }

  take(bytes: number): boolean {
    return this.#move(this.taken + bytes);
  }

  know(account: number): void {
    this.#account = String(account);
    this.#move(this.taken);
  }

  leave(): void {
    this.#room?.give(this.#who, this.taken);
    this.#room = undefined;
    this.taken = 0;
  }

  /** Moves the body to the first room that has place for `bytes` in all. */
  #move(bytes: number): boolean {
    const { small, large, known, smallBytes } = this.#rooms;
    this.#room?.give(this.#who, this.taken);
    const moved =
      (this.#account !== undefined && this.#into(known, this.#account, bytes)) ||
      (bytes <= smallBytes && this.#into(small, this.#stranger, bytes)) ||
      this.#into(large, this.#stranger, bytes);
    if (moved) this.taken = bytes;
    else this.#room?.take(this.#who, this.taken);
    return moved;
  }

  #into(room: Taken, who: string, bytes: number): boolean {
    if (!room.take(who, bytes)) return false;
    this.#room = room;
    this.#who = who;
    return true;
  }
}

/** What is taken of a room. */
class Taken {
  readonly #room: Room;
  readonly #ofOne = new Map<string, number>();
  #all = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  take(who: string, bytes: number): boolean {
    const own = (this.#ofOne.get(who) ?? 0) + bytes;
    if (this.#all + bytes > this.#room.most || own > this.#room.mostOfOne) return false;
    this.#all += bytes;
    if (own > 0) this.#ofOne.set(who, own);
    return true;
  }

  give(who: string, bytes: number): void {
    this.#all -= bytes;
    const own = (this.#ofOne.get(who) ?? 0) - bytes;
    if (own > 0) this.#ofOne.set(who, own);
    else this.#ofOne.delete(who);
  }
}
