/** A file on its way to a target. */
import type { FileToDeliver } from '../../../src/providers/contracts/delivery.ts';

export async function* text(...parts: string[]): AsyncGenerator<string> {
  yield* parts;
}

export const aFile = (changes: Partial<FileToDeliver> = {}): FileToDeliver => ({
  name: 'campaign-17.csv',
  content: text('a;b\r\n', 'João;1\r\n'),
  draft: '77-11111111',
  signal: new AbortController().signal,
  ...changes,
});
