/** Performers that first look whether the effect may begin at all. */
import type { AgendaEntry } from '../../src/engine/agenda.ts';
import type { Performers } from '../../src/engine/ports.ts';
import type { EffectCall, Performed, Performer } from '../../src/providers/performer.ts';
import type { Book } from './book.ts';
import type { Database } from './database.ts';
import type { Life } from './life.ts';

export interface WatchedScope {
  book: Book;
  database: Database;
}

/** The performers of one process, each of its effects looked at as it begins. */
export const watched = (life: Life, scope: WatchedScope, performers: object): Performers =>
  Object.fromEntries(
    Object.entries(performers as Record<string, Performer>).map(([name, perform]): [string, Performer] => [
      name,
      (call) => begin(life, scope, perform, call),
    ]),
  );

/** An effect begins only while its row is this node's and owes it. */
const begin = (
  life: Life,
  { book, database }: WatchedScope,
  perform: Performer,
  call: EffectCall,
): Promise<Performed | void> => {
  if (!life.alive) return new Promise(() => {});
  const row = database.tables.machines.get(call.machine.id);
  const owed = (JSON.parse(row?.agenda ?? '[]') as AgendaEntry[]).some(
    (entry) =>
      entry.t === 'effect' &&
      call.id.endsWith(`.${call.machine.id}.${entry.id}`) &&
      entry.tries === call.attempt,
  );
  book.note(`${life.name} begins ${call.name} ${call.id} ${call.attempt}`, call.machine.id);
  if (!life.paused && (!owed || row?.heldBy !== life.incarnation))
    book.violated(
      'begun late',
      call.machine.id,
      `${call.name} ${call.id} by ${life.incarnation}; the row is ${row?.heldBy}'s at ${row?.revision}${owed ? '' : ' and does not owe it'}`,
    );
  return perform(call);
};
