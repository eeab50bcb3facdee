/** The console as it is built, and a browser that is signed in to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { watchedPage, type Watched } from './browser.ts';
import { startTestService, type TestService } from './service.ts';

const root = join(import.meta.dirname, '../../src/console/app');

/** Builds the pages into a folder of their own; answers it. */
const buildConsole = async (): Promise<string> => {
  const outDir = mkdtempSync(join(tmpdir(), 'ramal-console-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({ root, logLevel: 'warn', configFile: join(root, 'vite.config.ts'), build: { outDir } });
  return outDir;
};

let built: Promise<string> | undefined;

/** The whole service with the pages of the console, which all files of a worker share. */
export const startWithConsole = async (env: Record<string, string> = {}): Promise<TestService> =>
  startTestService(env, undefined, { consolePages: await (built ??= buildConsole()) });

export interface Look {
  theme?: 'light' | 'dark';
  /** Default `en-US`. */
  locale?: string;
  width?: number;
  height?: number;
}

/** A page of a browser of its own, as one person has it. */
export const personsPage = async (
  browser: Browser,
  { theme = 'light', locale = 'en-US', width = 1280, height = 900 }: Look = {},
): Promise<Watched> => {
  const context = await browser.newContext({ colorScheme: theme, locale, viewport: { width, height } });
  return watchedPage({ newPage: () => context.newPage() });
};

/** Signs a page in by a link that is made anew, and goes to a path. */
export const signInAt = async (on: TestService, page: Page, path = '/admin', key?: string): Promise<void> => {
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  const { body } = await on.admin('POST', '/sign-in-codes', {}, headers);
  // From elsewhere: another fragment of the same page would not load it.
  await page.goto('about:blank');
  await page.goto(`${on.url}/admin#code=${body.code}`);
  await page.locator('.app').waitFor();
  if (path !== '/admin') await page.goto(on.url + path);
};

/** What axe-core finds wrong with a page, a sentence each. */
export const wrongWith = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  }>('axe.run(document, { resultTypes: ["violations"] })');
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
};

/** Keeps a picture of a whole page, where `SCREENSHOTS` names a folder for them. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};
