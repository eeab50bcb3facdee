/** The page Now in a real Chromium: how soon it shows figures, how often they change, and whether its heap grows. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../../helpers/browser.ts';
import { median } from '../meter.ts';
import type { Bench } from '../section.ts';

const loads = 5;

/** A page that is signed in. */
export interface OpenPage {
  browser: Browser;
  page: Page;
}

export const withPage = async (
  url: string,
  adminToken: string,
  use: (open: OpenPage) => Promise<void>,
): Promise<void> => {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${url}/admin#code=${await codeOf(url, adminToken)}`);
    await page.locator('.flow .fig').first().waitFor();
    await use({ browser, page });
  } finally {
    await browser.close();
  }
};

export const watchPage = async (bench: Bench, url: string, page: Page, minutes: number): Promise<void> => {
  const paints: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    await page.goto('about:blank');
    await page.goto(`${url}/admin`);
    await page.locator('.flow .fig').first().waitFor();
    paints.push(await page.evaluate('performance.now()'));
  }
  bench.note('page: first figures', { value: median(paints), unit: 'ms', goal: { below: 1_000 } });
  bench.say(`the heap of the page over ${minutes} minutes …`);
  const session = await page.context().newCDPSession(page);
  // What it loads late is there, and what the browser's compiler writes for what runs often (0.15 MB, and nothing else grows).
  await page.waitForTimeout(minutes * 18_000);
  const before = await heapOf(session);
  await page.waitForTimeout(minutes * 60_000);
  const after = await heapOf(session);
  bench.note('page: heap at the end by heap at the beginning', {
    value: after / before,
    unit: 'ratio',
    goal: { below: 1.1 },
  });
  bench.note('page: heap', { value: after / 1e6, unit: 'MB' });
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
