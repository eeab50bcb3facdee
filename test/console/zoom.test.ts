/** Pages for a person who has zoomed in to 200 %, in both languages: no text is cut off, nothing stands beside the window. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, openBrowser } from '../helpers/browser.ts';
import {
  brokenWords,
  cutTexts,
  isSideways,
  personsPage,
  signInAt,
  startWithConsole,
} from '../helpers/console.ts';
import type { TestService } from '../helpers/service.ts';

describe.skipIf(noBrowser)(`at 200 %${noBrowser ? `, skipped: ${noBrowser}` : ''}`, () => {
  let on: TestService;
  let browser: Browser;
  let paths: string[];
  beforeAll(async () => {
    on = await startWithConsole();
    browser = await openBrowser();
    const { body } = await on.post('MakeTTSCall', { dest: '11987650012', text: 'Olá' });
    const id: string = body.return.cd_id;
    await on.ended(id);
    paths = [
      ...['/admin', '/admin/find?kind=call', `/admin/machines/${id}`, '/admin/why/5511987650012'],
      ...['/admin/campaigns', '/admin/campaigns/new', '/admin/conversations', '/admin/deliveries'],
      ...['/admin/accounts', '/admin/accounts/3/tokens', '/admin/audit', '/admin/try', '/admin/wall'],
    ];
  });
  afterAll(async () => {
    await browser.close();
    await on.stop();
  });

  test.each(['en-US', 'pt-BR'])('no page cuts a text off or scrolls sideways: %s', async (locale) => {
    const { page, errors } = await personsPage(browser, { locale, zoom: 2 });
    await signInAt(on, page);
    for (const path of paths) {
      await page.goto('about:blank');
      await page.goto(on.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText(/^(Loading|Carregando)$/).waitFor({ state: 'detached' });
      expect([path, await isSideways(page), await cutTexts(page)]).toEqual([path, false, []]);
      expect([path, await brokenWords(page)]).toEqual([path, []]);
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
