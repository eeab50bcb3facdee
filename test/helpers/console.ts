/** The console as it is built, and a browser that is signed in to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { noBrowser, openBrowser, watchedPage, type Watched } from './browser.ts';
import { patienceMs } from './patience.ts';
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
  /** How far the person has zoomed in: 2 is 200 %. Default 1. */
  zoom?: number;
  /** The time zone of the person's machine. Default: that of this one. */
  zone?: string;
}

/**
 * A page of a browser of its own, as one person has it. Nothing moves in it: a colour that is fading has no contrast to
 * judge. Where `SCREENSHOTS` names a folder, a picture of what it shows in the end is kept there under the test's name.
 */
export const personsPage = async (
  browser: Browser,
  { theme = 'light', locale = 'en-US', width = 1280, height = 900, zoom = 1, zone }: Look = {},
): Promise<Watched> => {
  const viewport = { width: Math.round(width / zoom), height: Math.round(height / zoom) };
  const context = await browser.newContext({
    ...{ colorScheme: theme, locale, viewport, deviceScaleFactor: zoom, reducedMotion: 'reduce' as const },
    ...(zone !== undefined && { timezoneId: zone }),
  });
  // Of pages that open in tabs of their own, too.
  context.setDefaultTimeout(patienceMs);
  keepLastPictures(context);
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

/** What tests in a browser have: there once the first of them runs. */
export interface ConsoleInBrowser {
  /** The service whose pages they are. */
  readonly on: TestService;
  readonly browser: Browser;
  /** A page of one person, who is signed in as an administrator and has gone to a path. */
  open(path?: string, look?: Look): Promise<Watched>;
}

/**
 * Tests of pages in a real browser, beside a service of their own with these settings. Where there is no browser they are
 * skipped, and their name says what to install.
 */
export const describeInBrowser = (
  name: string,
  env: Record<string, string>,
  define: (here: ConsoleInBrowser) => void,
): void => {
  describe.skipIf(noBrowser)(`${name}${noBrowser ? `, skipped: ${noBrowser}` : ''}`, () => {
    let on: TestService;
    let browser: Browser;
    beforeAll(async () => {
      on = await startWithConsole(env);
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await on.stop();
    });
    define({
      get on() {
        return on;
      },
      get browser() {
        return browser;
      },
      open: async (path, look) => {
        const watched = await personsPage(browser, look);
        await signInAt(on, watched.page, path);
        return watched;
      },
    });
  });
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

/** Texts that are cut off by what they stand in, a sentence each. What says all of itself in its `title` may be short. */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')].flatMap((element) => {
    const style = getComputedStyle(element);
    // Some words are for those who hear the page only.
    const isHidden = style.visibility === 'hidden' || element.closest('.vh') || style.clipPath === 'inset(50%)' || element.title || element.clientWidth === 0;
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const cutsAside = hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const cutsBelow = hides(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
    if (isHidden || !(cutsAside || cutsBelow)) return [];
    return [element.tagName + '.' + element.className + ' shows a part of: ' + element.textContent.trim().slice(0, 80)];
  })`);

/** Words that are broken in two, as `Fin|d`: on buttons, or in what another selector names. */
export const brokenWords = (page: Page, within = '.btn'): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(within)})].flatMap((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    return broken;
  })`);

/** Whether a page is wider than its window. */
export const isSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

const keepLastPictures = (context: BrowserContext): void => {
  const close = context.close.bind(context);
  context.close = async (options) => {
    const name = (expect.getState().currentTestName ?? 'page').replace(/[^a-z0-9]+/gi, '-').slice(-100);
    for (const [nth, page] of context.pages().entries()) await keepPicture(page, `${name}-${nth + 1}`);
    await close(options);
  };
};

/** Keeps a picture of a whole page, where `SCREENSHOTS` names a folder for them. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};
