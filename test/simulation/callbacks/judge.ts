/** The judgement of the callbacks: whoever wanted to hear of it heard all that was told, in order, with one end at the end. */
import type { CallbackWish } from '../../../machines/contracts/callback.ts';
import type { Book } from '../book.ts';
import type { Receiver } from './receiver.ts';

/** How whatever is told of stands at last. */
export interface Told {
  id: number;
  ended: boolean;
  wish: CallbackWish | undefined;
  /** Events that its chart told. */
  events: number;
}

export const judgeCallbacks = (book: Book, receiver: Receiver, { id, ended, wish, events }: Told): void => {
  const heard = receiver.heardOf(id);
  if (wish === undefined && heard.length > 0) book.violated('told unasked', id, `${heard.length} events`);
  if (heard.length !== events) book.violated('lost', id, `${heard.length} of ${events} events were heard`);
  const ends = heard.filter(({ final }) => final).length;
  if (ends > 1 || (wish && ended && ends !== 1)) book.violated('told wrong', id, `${ends} final events`);
  if (ends > 0) book.count('ends heard');
};
