/** The pages of the console in a real browser: a call is placed and watched, found, sent an event; what is hostile is text. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';

const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString();
const hostile = `<img src=x onerror="document.title='broken'"><script>alert(1)</script>\u202Eabc ${'long'.repeat(30)}`;

describeInBrowser('in a browser', { SANDBOX_SPEED: '5' }, (here) => {
  const aCall = async (dest: string, text = 'Oi'): Promise<string> =>
    (await here.on.post('MakeTTSCall', { dest, text })).body.return.cd_id;
  const chip = (page: Page) => page.locator('.chip code');

  test('a call moves on its page without being loaded anew, and its past is an address', async () => {
    const { page, errors, asked } = await here.open();
    const id = await aCall('11987650012');
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await page.getByRole('heading', { name: '5511987650012' }).waitFor();
    const loads = () => asked.filter((address) => address.endsWith(`/admin/machines/${id}`)).length;
    const before = loads();
    await chip(page)
      .filter({ hasText: /^ended$/ })
      .waitFor();
    expect(loads()).toBe(before);
    await page.locator('[data-state="answered"].entered').waitFor();

    await page.keyboard.press('Home');
    await chip(page).filter({ hasText: 'preparing' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${here.on.url}/admin/machines/${id}#rev=1`);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).not.toMatch(/#rev=1$/);
    await page.reload();
    await page.locator('.travelled').waitFor();
    await page.keyboard.press('End');
    await chip(page)
      .filter({ hasText: /^ended$/ })
      .waitFor();
    expect(errors).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(`${here.on.url}/`))).toEqual([]);
    await page.context().close();
  });

  test('a call that is scheduled is cancelled from its page, which says so and shows its end', async () => {
    const { page, errors } = await personsPage(here.browser);
    const { cd_id: id } = (
      await here.on.post('MakeTTSCall', { dest: '11987650002', text: 'Oi', block: inThreeDays })
    ).body.return;
    await signInAt(here.on, page, `/admin/machines/${id}`);
    await page.getByRole('button', { name: 'Cancel call' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Leave as it is' }).click();
    await page.getByRole('button', { name: 'Send event' }).click();
    await page.locator('dialog').getByLabel('Event').selectOption('cancel');
    await page.getByRole('button', { name: 'Send cancel' }).click();
    await page.getByText('cancel was sent.').waitFor();
    await chip(page)
      .filter({ hasText: /^ended$/ })
      .waitFor();
    const { entries } = (await here.on.admin('GET', '/audit?kind=change')).body;
    expect(entries.map(({ action }: { action: string }) => action)).toContain(`POST /machines/${id}/events`);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a call is found by its number, from anywhere', async () => {
    const { page } = await personsPage(here.browser, { locale: 'pt-BR' });
    const id = await aCall('11987650001');
    await signInAt(here.on, page);
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('11 98765-0001');
    await page.keyboard.press('Enter');
    await page.locator(`a[href^="/admin/machines/${id}"]`).click();
    await page.getByRole('heading', { name: '5511987650001' }).waitFor();
    await page.context().close();
  });

  test('Now counts what lives, and a figure leads to its machines', async () => {
    const { page, errors } = await personsPage(here.browser);
    const { cd_id: id } = (
      await here.on.post('MakeTTSCall', { dest: '11987650000', text: 'Oi', block: inThreeDays })
    ).body.return;
    await signInAt(here.on, page);
    await page
      .locator('[data-step="later"] .fig')
      .filter({ hasText: /^[1-9]/ })
      .waitFor();
    await page.locator('[data-step="later"]').click();
    await page.locator(`a[href^="/admin/machines/${id}"]`).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('an operator is told what only an administrator may', async () => {
    const { key } = (
      await here.on.admin('POST', '/operators', { name: hostile.slice(0, 60), role: 'operator' })
    ).body;
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, '/admin', key);
    const refused = await page.evaluate(
      `fetch('/admin/api/accounts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"x"}' }).then(async (answer) => [answer.status, (await answer.json()).error])`,
    );
    expect(refused).toEqual([403, 'role operator may not do this: it needs role admin']);
    expect(await page.title()).toBe('Now · Ramal');
    await page.context().close();
  });

  test('a session that ends shows the door', async () => {
    const { key, operator_id: operator } = (
      await here.on.admin('POST', '/operators', { name: 'Bia', role: 'operator' })
    ).body;
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, '/admin', key);
    await page.getByText('Live', { exact: true }).waitFor();
    await here.on.admin('DELETE', `/operators/${operator}`);
    await page.getByText('Your session has ended.').waitFor();
    await page.context().close();
  });

  test('what comes from outside is text on every page, and the policy reports nothing', async () => {
    await here.on.admin('POST', '/accounts/3/tokens', { label: hostile.slice(0, 100) });
    const { cd_id: id } = (
      await here.on.post('MakeTTSCall', {
        dest: '11987650002',
        text: hostile.slice(0, 200),
        ctid: '<b>x</b>',
      })
    ).body.return;
    const { page, errors } = await here.open();
    for (const path of [
      `/admin/machines/${id}`,
      `/admin/find?q=${encodeURIComponent('<img')}`,
      '/admin/find?q=%3Cb%3Ex%3C%2Fb%3E',
      `/admin/${encodeURIComponent(hostile)}`,
    ]) {
      await page.goto(here.on.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await page.locator('main img, main script, main b:not(.foreign)').count()]).toEqual([
        path,
        0,
      ]);
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['light', 'en-US', 1280],
    ['dark', 'pt-BR', 1280],
    ['light', 'pt-BR', 360],
    ['dark', 'en-US', 360],
  ] as const)(
    'no page has a fault that axe-core knows, nor scrolls sideways: %s, %s, %i pixels',
    async (theme, locale, width) => {
      const id = await aCall('11987650012');
      await here.on.ended(id);
      const { page } = await here.open('/admin', { theme, locale, width });
      for (const path of [
        '/admin',
        '/admin/find?q=11987650012',
        '/admin/find?kind=call',
        `/admin/machines/${id}`,
        `/admin/machines/${id}#rev=1`,
        '/admin/wall',
      ]) {
        await page.goto('about:blank');
        await page.goto(here.on.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText(/^(Loading|Carregando)$/).waitFor({ state: 'detached' });
        expect([path, await wrongWith(page)]).toEqual([path, []]);
        expect([
          path,
          (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width,
        ]).toEqual([path, true]);
      }
      await page.context().close();
    },
  );
});
