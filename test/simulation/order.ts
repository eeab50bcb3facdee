/** Facts that reach the node that holds their machine are heard in the order in which they came. */
import type { Book } from './book.ts';
import type { Database } from './database.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

/** The mark of a fact, in its JSON. */
const MARK = /"mark":(\d+)/;

export interface OrderScope {
  book: Book;
  database: Database;
}

export class Order {
  readonly #scope: OrderScope;
  /** By mark: when it came first, counted, and to whom. */
  readonly #came = new Map<number, { order: number; to: number }>();
  /** By machine: the last of its facts that was heard, and who heard it. */
  readonly #heard = new Map<number, { order: number; by: number }>();

  constructor(scope: OrderScope) {
    this.#scope = scope;
  }

  /** A fact reaches this incarnation. What comes to another than the holder goes a longer way. */
  arrives(mark: unknown, machine: number, to: number): void {
    if (typeof mark !== 'number' || this.#came.has(mark)) return;
    const holder = this.#scope.database.tables.machines.get(machine)?.heldBy;
    if (holder === to) this.#came.set(mark, { order: this.#came.size, to });
  }

  /** A step has landed. */
  landed({ id, row, history }: MachineWrite): void {
    for (const { event, payload } of history) {
      const came = this.#came.get(Number(MARK.exec(payload ?? '')?.[1]));
      if (came?.to !== row.heldBy) continue;
      const last = this.#heard.get(id);
      if (last?.by === row.heldBy && last.order > came.order)
        this.#scope.book.violated('facts out of order', id, `${event} came before what was heard last`);
      this.#heard.set(id, { order: came.order, by: row.heldBy });
    }
  }
}
