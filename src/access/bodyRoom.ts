/**
 * What bodies of requests may take of the memory while they come in, before anybody is known by a token: so much for
 * all together, and less for one address, so that whoever sends many slow ones keeps out nobody else.
 */
import { addressGroup } from '../rules/addresses.ts';

export interface BodyRoomOptions {
  /** Bytes of all bodies together. */
  most: number;
  /** Bytes of the bodies of one address. */
  mostOfOne: number;
}

/** The place of one body. */
export interface BodyPlace {
  /** False: there is no room for so many bytes more. */
  take(bytes: number): boolean;
  /** Gives back all that was taken. */
  leave(): void;
}

export class BodyRoom {
  readonly #options: BodyRoomOptions;
  readonly #ofAddresses = new Map<string, number>();
  #taken = 0;

  constructor(options: BodyRoomOptions) {
    this.#options = options;
  }

  enter(address: string): BodyPlace {
    const who = addressGroup(address);
    let own = 0;
    return {
      take: (bytes) => {
        const { most, mostOfOne } = this.#options;
        const ofAddress = (this.#ofAddresses.get(who) ?? 0) + bytes;
        if (this.#taken + bytes > most || ofAddress > mostOfOne) return false;
        own += bytes;
        this.#taken += bytes;
        this.#ofAddresses.set(who, ofAddress);
        return true;
      },
      leave: () => {
        this.#taken -= own;
        const left = (this.#ofAddresses.get(who) ?? 0) - own;
        if (left > 0) this.#ofAddresses.set(who, left);
        else this.#ofAddresses.delete(who);
        own = 0;
      },
    };
  }
}
