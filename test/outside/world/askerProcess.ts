/** The process of `asker.ts`. */
import { ask } from './ask.ts';
import type { Question, Reply } from './asker.ts';

process.on('message', ({ nth, url, asking }: Question) => {
  void ask(url, asking).then((answer) => process.send!({ nth, answer } satisfies Reply));
});
process.once('disconnect', () => process.exit(0));
