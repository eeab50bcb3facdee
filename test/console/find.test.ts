/** The page Find in a real browser: what it names has a page, and its times are on the clock of the account. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveInboundMessages } from '../../src/store/inboundMessages.ts';
import { noBrowser, openBrowser } from '../helpers/browser.ts';
import { personsPage, signInAt, startWithConsole } from '../helpers/console.ts';
import { demoAccount, type TestService } from '../helpers/service.ts';

describe.skipIf(noBrowser)(`in a browser${noBrowser ? `, skipped: ${noBrowser}` : ''}`, () => {
  let on: TestService;
  let browser: Browser;
  beforeAll(async () => {
    on = await startWithConsole();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await on.stop();
  });

  test('a token that is found by its label leads to its page', async () => {
    await on.admin('POST', `/accounts/${demoAccount}/tokens`, { label: 'shop <b>front</b>' });
    const { key } = (await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
    const { page, errors } = await personsPage(browser);
    await signInAt(on, page, '/admin/find?q=shop', key);
    await page.getByRole('link', { name: 'shop <b>front</b>' }).click();
    await page.waitForURL(new RegExp(`/admin/accounts/${demoAccount}/tokens/\\d+$`));
    await page.getByText('shop <b>front</b>').first().waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a person who wrote by chat is found by number, and leads to the conversation', async () => {
    const at = Date.now();
    const contact = '551187650044';
    await saveInboundMessages(on.database.pool, {
      ...{ account: demoAccount, line: 1, at, conversations: new Map([[contact, at]]) },
      messages: [
        {
          ...{ upstreamId: 'wamid.44', sentAt: at, contact, name: 'Rita', type: 'text' },
          ...{ body: 'Bom dia', payload: '{}' },
        },
      ],
    });
    const { page } = await personsPage(browser);
    await signInAt(on, page, `/admin/find?q=${encodeURIComponent('11 98765-0044')}`);
    await page.getByRole('link', { name: 'Rita' }).click();
    await page.locator('main').getByText('Bom dia').last().waitFor();
    await page.context().close();

    const made = { name: 'Masked', role: 'operator', masked_numbers: true };
    const { key } = (await on.admin('POST', '/operators', made)).body;
    const masked = await personsPage(browser);
    await signInAt(on, masked.page, '/admin/find?q=5511987650044', key);
    await masked.page.getByRole('link', { name: 'Rita' }).click();
    await masked.page.locator('main').getByText('Bom dia').last().waitFor();
    expect(await masked.page.content()).not.toContain(contact);
    await masked.page.context().close();
  });

  test("times are on the account's clock, with the viewer's on hover", async () => {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { time_zone: 'America/Noronha' });
    const id = (await on.post('MakeTTSCall', { dest: '11987650012', text: 'Oi' })).body.return.cd_id;
    await on.ended(id);
    const { page } = await personsPage(browser, { zone: 'Asia/Tokyo' });
    await signInAt(on, page);
    for (const path of ['/admin/find?q=11987650012', '/admin/find?kind=call']) {
      await page.goto(on.url + path);
      const time = page.locator('main time').first();
      const at = new Date((await time.getAttribute('datetime')) ?? '');
      const on_ = (timeZone: string) =>
        new Intl.DateTimeFormat('en', {
          dateStyle: 'short',
          timeStyle: 'medium',
          hour12: false,
          timeZone,
        }).format(at);
      expect([await time.textContent(), await time.getAttribute('title')]).toEqual([
        on_('America/Noronha'),
        `Your time: ${on_('Asia/Tokyo')}`,
      ]);
    }
    await page.context().close();
  });
});
