/** What of our pages no test runs. */
import { expect, test } from 'vitest';
import { allPages, blocksOf, followed, leftOut, notRun } from './pages.ts';

test('what is not run says what it needs, and there is no more of it than before', () => {
  const counted: Record<string, number> = {};
  for (const { needs } of notRun()) counted[needs] = (counted[needs] ?? 0) + 1;
  const lines = notRun().map(
    ({ page, line, needs }) => `  ${page}:${line} (${needs}): ${leftOut[needs]?.[1] ?? 'no reason is known'}`,
  );
  const all = allPages.reduce((sum, page) => sum + blocksOf(page).length, 0);
  console.info(`${lines.length} of ${all} blocks are not run:\n${lines.join('\n')}`);
  expect(counted).toEqual(
    Object.fromEntries(Object.entries(leftOut).map(([what, [count]]) => [what, count])),
  );
});

test('a page that is followed by a test of its own has blocks that need what is there', () => {
  const idle = Object.entries(followed).flatMap(([page, there]) => {
    const needed = blocksOf(page).map(({ needs }) => needs);
    return there.filter((what) => !needed.includes(what)).map((what) => `${page}: ${what}`);
  });
  expect(idle).toEqual([]);
});
