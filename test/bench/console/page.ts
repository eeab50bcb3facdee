/** The page Now in a real Chromium: how soon it shows figures, how often they change, and whether its heap grows. */
import type { CDPSession } from 'playwright-core';
import { openBrowser } from '../../helpers/browser.ts';
import { median } from '../meter.ts';
import type { Bench } from '../section.ts';

const loads = 5;

export const watchPage = async (
  bench: Bench,
  { url }: { url: string },
  adminToken: string,
  minutes: number,
): Promise<void> => {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${url}/admin#code=${await codeOf(url, adminToken)}`);
    await page.locator('.flow .fig').first().waitFor();
    const paints: number[] = [];
    for (let load = 0; load < loads; load += 1) {
      await page.goto('about:blank');
      await page.goto(`${url}/admin`);
      await page.locator('.flow .fig').first().waitFor();
      paints.push(await page.evaluate('performance.now()'));
    }
    bench.note('page: first figures', { value: median(paints), unit: 'ms', goal: { below: 1_000 } });
    bench.say(`the heap of the page over ${minutes} minutes …`);
    const session = await context.newCDPSession(page);
    // What it loads late is there.
    await page.waitForTimeout(minutes * 6_000);
    const before = await heapOf(session);
    await page.waitForTimeout(minutes * 60_000);
    const after = await heapOf(session);
    bench.note('page: heap at the end by heap at the beginning', {
      value: after / before,
      unit: 'ratio',
      goal: { below: 1.1 },
    });
    bench.note('page: heap', { value: after / 1e6, unit: 'MB' });
  } finally {
    await browser.close();
  }
};

const codeOf = async (url: string, adminToken: string): Promise<string> => {
  const answer = await fetch(`${url}/admin/api/sign-in-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await answer.json()) as { code: string }).code;
};

/** After a full collection of garbage, bytes. */
const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
};
