/**
 * A real Chromium, where the machine has one. With `CI` set it must. The one without windows comes first: the other draws
 * windows that are not looked at, which takes a third of the whole time.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { patienceMs } from './patience.ts';

const executablePath = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

/** Why tests in a browser are skipped here; undefined: they run. */
export const noBrowser =
  executablePath === undefined && !process.env['CI']
    ? "there is no Chromium (Debian's chromium-headless-shell)"
    : undefined;

export const openBrowser = (): Promise<Browser> => {
  if (executablePath === undefined)
    throw new Error("there is no Chromium: install Debian's chromium-headless-shell");
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
};

export interface Watched {
  page: Page;
  /** Errors on the console, exceptions, and violations of the page's policy. */
  errors: string[];
  /** Addresses of what it asked for. */
  asked: string[];
}

/** A new page that keeps what it asks for and what goes wrong in it. */
export const watchedPage = async (browser: Pick<Browser, 'newPage'>): Promise<Watched> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(patienceMs);
  const errors: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  return { page, errors, asked };
};
