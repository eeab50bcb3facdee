/** Judges the message log at every write: what was told of a message is never taken back. */
import { messageMachineKind } from '../../../machines/index.ts';
import type { Book } from '../book.ts';
import type { MachineWrite } from '../../../src/engine/contract/rows.ts';

/** What may follow a word of the log. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  accepted: ['submitted', 'acknowledged', 'delivered', 'read', 'failed', 'undelivered', 'unknown'],
  submitted: ['acknowledged', 'delivered', 'read', 'failed', 'undelivered', 'unknown'],
  unknown: ['acknowledged', 'delivered', 'read', 'failed', 'undelivered'],
  acknowledged: ['delivered', 'read', 'failed', 'undelivered'],
  delivered: ['read'],
  read: [],
  failed: [],
  undelivered: [],
};

const STATE = Object.keys(messageMachineKind.record!.updateColumns).indexOf('state');

export class LogWatch {
  readonly #book: Book;
  #states = new Map<number, string>();

  constructor(book: Book) {
    this.#book = book;
  }

  /** What it knows now; the function gives it back. */
  remember(): () => void {
    const states = new Map(this.#states);
    return () => void (this.#states = new Map(states));
  }

  /** A step has landed. */
  landed({ id, record }: MachineWrite): void {
    if (!record) return;
    const state = String(record.updated[STATE]);
    const before = this.#states.get(id);
    if (before !== undefined && before !== state && !FOLLOWS[before]!.includes(state))
      this.#book.violated('went backwards', id, `${state} follows ${before}`);
    this.#states.set(id, state);
  }
}
