/** Lists that a page wants whole, though they are answered by the page. */
import { expect, test } from 'vitest';
import { readAllPages } from '../../src/console/app/readAllPages.ts';

test('reads from the first page to the last', async () => {
  const pages = [
    { accounts: [100, 101], cursor: '101' },
    { accounts: [102], cursor: null },
  ];
  const asked: (string | undefined)[] = [];
  const read = (cursor: string | undefined) => {
    asked.push(cursor);
    return Promise.resolve(pages[asked.length - 1]!);
  };
  expect(await readAllPages(read, ({ accounts }) => accounts)).toEqual([100, 101, 102]);
  expect(asked).toEqual([undefined, '101']);
});
