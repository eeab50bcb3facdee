/** What machines hear of an inbox: each fact once, and what one machine tells another in the order it was told. */
import type { HistoryRow, MachineInboxRow, MachineWrite } from '../../src/engine/contract/rows.ts';
import type { Book } from './book.ts';

/** The mark of a fact, in its JSON. */
const MARK = /"mark":"?([^",}]+)/;

export class InboxOrder {
  readonly #book: Book;
  /** Marks of facts that a node left in an inbox more than once, for want of a reply. */
  readonly #leftAgain = new Set<string | undefined>();
  readonly #left = new Set<number>();
  /** Inbox rows that were. */
  readonly #rowsLeftAgain = new Set<number>();
  /** Who told whom, by inbox row, and the last of it that was heard, by pair. */
  readonly #told = new Map<number, { pair: string; order: number }>();
  readonly #relatives = new Map<number, Set<number>>();
  /** Facts heard, as machine and mark; inbox rows heard; the last heard of each pair. They go back with their database. */
  #marks = new Set<string>();
  #heard = new Set<number>();
  #heardOf = new Map<string, number>();

  constructor(book: Book) {
    this.#book = book;
  }

  /** What it knows now; what is answered gives it back that, time and again. */
  remember(): () => void {
    const [marks, heard, heardOf] = [new Set(this.#marks), new Set(this.#heard), new Map(this.#heardOf)];
    return () => {
      [this.#marks, this.#heard, this.#heardOf] = [new Set(marks), new Set(heard), new Map(heardOf)];
    };
  }

  /** Whether a fact of this mark was heard. */
  hasHeard(machine: number, mark: string): boolean {
    return this.#marks.has(`${machine} ${mark}`);
  }

  /** Machines that ever told this one something, or were told. */
  relativesOf(machine: number): ReadonlySet<number> {
    return this.#relatives.get(machine) ?? new Set();
  }

  /** A row left once more after a lost reply is heard once more; only its marks tell. */
  left({ id, event }: MachineInboxRow): void {
    if (this.#left.has(id)) {
      this.#leftAgain.add(MARK.exec(event)?.[1]);
      this.#rowsLeftAgain.add(id);
    }
    this.#left.add(id);
    this.#heard.delete(id);
  }

  /** Rows that are there again, unheard. */
  broughtBack(rows: readonly MachineInboxRow[]): void {
    for (const { id } of rows) this.#heard.delete(id);
  }

  /**
   * Judges what a write heard, and keeps what it told. `isAgain`: it is written again to a database that went back, and hears once
   * more what it heard: where a row was left twice, both steps that took it away.
   */
  landed({ id, tells, heard }: Pick<MachineWrite, 'id' | 'tells' | 'heard'>, isAgain: boolean): void {
    for (const { id: row, machine } of tells) {
      this.#relate(id, machine);
      this.#relate(machine, id);
      if (!this.#told.has(row)) this.#told.set(row, { pair: `${id}>${machine}`, order: this.#told.size });
    }
    for (const row of heard) {
      this.#judgeOrder(id, row);
      const isRepeated = this.#heard.has(row) && !(isAgain && this.#rowsLeftAgain.has(row));
      if (isRepeated) this.#book.violated('heard twice', id, `inbox row ${row}`);
      this.#heard.add(row);
    }
  }

  /** A fact is heard once, however often it was tried to write that. */
  judgeMark(machine: number, { event, payload }: HistoryRow): void {
    const mark = MARK.exec(payload ?? '')?.[1];
    if (mark === undefined) return;
    if (this.hasHeard(machine, mark) && !this.#leftAgain.has(mark))
      this.#book.violated('heard twice', machine, `${event} of mark ${mark}`);
    this.#marks.add(`${machine} ${mark}`);
  }

  #judgeOrder(machine: number, row: number): void {
    const told = this.#told.get(row);
    if (!told) return;
    if (told.order < (this.#heardOf.get(told.pair) ?? -1))
      this.#book.violated('out of order', machine, `inbox row ${row} of ${told.pair}`);
    this.#heardOf.set(told.pair, told.order);
  }

  #relate(one: number, other: number): void {
    const known = this.#relatives.get(one);
    if (known) known.add(other);
    else this.#relatives.set(one, new Set([other]));
  }
}
