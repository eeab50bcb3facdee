/** What an operator does to a machine from its page: nothing is sent before it is confirmed. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, openBrowser } from '../helpers/browser.ts';
import { personsPage, signInAt, startWithConsole, wrongWith } from '../helpers/console.ts';
import type { TestService } from '../helpers/service.ts';

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

  let texts = 0;
  const scheduledCall = async (): Promise<string> => {
    const block = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const text = `Oi ${(texts += 1)}`;
    return (await on.post('MakeTTSCall', { dest: '11987650012', text, block })).body.return.cd_id;
  };

  test('an event is sent by a form with a field for all that it says', async () => {
    const id = await scheduledCall();
    const { page, errors } = await personsPage(browser, { width: 360 });
    await signInAt(on, page, `/admin/machines/${id}`);
    await page.getByRole('button', { name: 'Send event' }).click();
    const dialog = page.locator('dialog');
    await dialog.getByLabel('Event').selectOption('resolveUnknown');
    await dialog.getByLabel('outcome').selectOption('busy');
    await dialog.getByText('It hears resolveUnknown at once').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      dialog.getByRole('button', { name: 'Send resolveUnknown' }).click(),
    ]);
    expect(sent.postDataJSON()).toEqual({ type: 'resolveUnknown', outcome: 'busy' });
    await page.getByText('resolveUnknown was sent.').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('an effect is tried again when that was confirmed, and not before', async () => {
    const id = await scheduledCall();
    const { page } = await personsPage(browser);
    const effect = { what: 'effect', id: '1.0', name: 'prepareAudio', dueAt: Date.now() + 60_000, tries: 2 };
    await page.route(`**/machines/${id}?**`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), agenda: [effect] } });
    });
    // The stream would tell that nothing is owed.
    await page.route('**/stream?**', (route) => route.abort());
    const sent: string[] = [];
    await page.route('**/effects/**', async (route) => {
      sent.push(route.request().url());
      await route.fulfill({ status: 202, json: { effect: effect.id, outcome: 'performing' } });
    });
    await signInAt(on, page, `/admin/machines/${id}`);
    await page.getByRole('button', { name: 'Retry prepareAudio' }).click();
    const dialog = page.locator('dialog');
    await dialog.getByRole('heading', { name: 'Retry prepareAudio now?' }).waitFor();
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    expect(sent).toEqual([]);
    await page.getByRole('button', { name: 'Retry prepareAudio' }).click();
    await dialog.getByRole('button', { name: 'Retry prepareAudio' }).click();
    await page.getByText('prepareAudio is tried again.').waitFor();
    expect(sent.length).toBe(1);
    await page.context().close();
  });
});
