/** Ids and slots: no two nodes that live share a slot, and no id is minted twice, whoever had a slot before. */
import { timeOfId } from '../../src/engine/contract/idGenerator.ts';
import type { Beat } from '../../src/engine/contract/store.ts';
import type { MemoryTables } from '../../src/store/memory.ts';
import type { Book } from './book.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

/** Bits below the milliseconds: 6 of the slot, 7 of the sequence. */
const SEQUENCE = 128;
const SLOTS = 64;

const slotOf = (id: number): number => Math.floor(id / SEQUENCE) % SLOTS;

interface Place {
  slot: number;
  /** The last millisecond that those before it minted for. */
  floor: number;
}

export class Identities {
  readonly #book: Book;
  readonly #tables: MemoryTables;
  readonly #places = new Map<number, Place>();
  /** How far each slot's users said they had minted. */
  readonly #minted = new Map<number, number>();
  /** The last millisecond that each slot's users minted for, of what has landed. */
  readonly #used = new Map<number, number>();
  /** Whose step or birth it was minted for. */
  readonly #ids = new Map<number, number>();

  constructor(book: Book, tables: MemoryTables) {
    this.#book = book;
    this.#tables = tables;
  }

  /** A node has joined. */
  joined({ incarnation, slot }: { incarnation: number; slot: number }): void {
    const others = [...this.#tables.nodes.values()].filter(
      (node) => node.slot === slot && node.stoppedAt === null,
    );
    if (others.some((node) => node.incarnation !== incarnation))
      this.#book.violated('slot twice', incarnation, `slot ${slot} is in use`);
    if (this.#minted.has(slot)) this.#book.count('slots given again');
    this.#places.set(incarnation, { slot, floor: this.#minted.get(slot) ?? 0 });
  }

  /** A node that lives has said how far it minted. */
  beaten({ incarnation, mintedMs }: Beat): void {
    const slot = this.#places.get(incarnation)?.slot;
    if (slot !== undefined) this.#minted.set(slot, Math.max(mintedMs, this.#minted.get(slot) ?? 0));
  }

  /** The database went back: what users of slots said is forgotten with it. What they minted must not be minted again. */
  wentBack(): void {
    this.#minted.clear();
    for (const [slot, ms] of this.#used) this.#minted.set(slot, ms);
    for (const place of this.#places.values())
      place.floor = Math.min(place.floor, this.#used.get(place.slot) ?? 0);
  }

  /** A step has landed. `isAgain`: not for the first time. `wentBack`: the database has forgotten steps before. */
  landed(
    { id, insert: birth, row, tells, bookings }: MachineWrite,
    isAgain: boolean,
    wentBack: boolean,
  ): void {
    const place = this.#places.get(row.heldBy);
    const minted = [row.stepId, ...tells.map((tell) => tell.id), ...bookings.map((booking) => booking.id)];
    for (const one of minted)
      if (place && !isAgain && slotOf(one) === place.slot && timeOfId(one) <= place.floor)
        this.#book.violated('id twice', id, `${one} is not above what slot ${place.slot} minted before`);
    // Lines, campaigns and the like have ids that were not minted.
    for (const one of birth && timeOfId(id) > 0 && id > SLOTS * SEQUENCE * SEQUENCE
      ? [...minted, id]
      : minted) {
      // What a database forgot is written again, or tried anew under the same name.
      const before = this.#ids.get(one);
      if (before !== undefined && !(wentBack && before === id))
        this.#book.violated('id twice', id, `${one} was minted before, for ${before}`);
      this.#ids.set(one, id);
      this.#used.set(slotOf(one), Math.max(timeOfId(one), this.#used.get(slotOf(one)) ?? 0));
    }
  }
}
