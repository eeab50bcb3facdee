/** Why in a real browser: a number is asked about, its statement is read and copied, and it is never called again. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { aList, anAsset } from '../helpers/campaigns.ts';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

const hostile = '<img src=x onerror="document.title=1">\u202Eabc';
const allDay = Object.fromEntries(
  ['weekdays', 'saturdays', 'sundays', 'holidays'].map((day) => [day, ['00:00-24:00']]),
);

describeInBrowser('in a browser', { SANDBOX_SPEED: '50' }, (here) => {
  beforeAll(async () => {
    await here.on.admin('PATCH', `/accounts/${demoAccount}`, { calling_windows: allDay });
  });

  const aCall = async (dest: string, given: object = {}): Promise<string> => {
    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest, text: 'Oi', httpdup: 0, ...given })).body
      .return;
    await here.on.ended(id);
    return id;
  };
  const answer = (page: Page) => page.locator('.why-says');

  test('a number is typed, its answer stands on top, and its statement is copied as text', async () => {
    const id = await aCall('11940000199', { cpid: 'spring', numlim: 3, bkddd: 2 });
    const { page, errors } = await personsPage(here.browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signInAt(here.on, page);
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.getByRole('heading', { name: 'Why', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/why');
    await page.getByRole('searchbox').fill('(11) 94000-0199');
    await page.keyboard.press('Enter');
    await answer(page)
      .getByText(/Called once in 30 days/)
      .waitFor();
    await answer(page).getByText('It may be called now.').waitFor();
    await page.getByText('SP, 00:00-24:00: open').waitFor();
    await page.getByText('0 before this one, limit 3').waitFor();
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await page.getByText('Copied, with the times and the rules.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^Call to 5511940000199, /);
    expect(copied).toContain('- Block lists: on neither the account’s nor the global one');
    await page.locator(`a[href^="/admin/machines/${id}"]`).click();
    await page.getByRole('heading', { name: '5511940000199' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('what happened is told in the language of the page, also when that is switched', async () => {
    await aCall('11940000499');
    const { page } = await here.open('/admin/why/11940000499');
    const origin = page.locator('.why-origin');
    const english = await origin.innerText();
    await page.keyboard.press('p');
    await expect.poll(() => origin.innerText()).not.toBe(english);
    await page.keyboard.press('p');
    await expect.poll(() => origin.innerText()).toBe(english);
    await page.context().close();
  });

  test('digits in the palette lead to Why first, in the language of the page', async () => {
    await aCall('11940000299');
    const { page } = await here.open('/admin', { locale: 'pt-BR' });
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('11 94000-0299');
    await page.getByRole('option').first().filter({ hasText: 'Por quê 11 94000-0299' }).waitFor();
    await page.keyboard.press('Enter');
    await answer(page)
      .getByText(/Chamado 1 vez em 30 dias/)
      .waitFor();
    await page.getByText('nunca apertado: estaria na lista de bloqueio da conta').waitFor();
    await page.context().close();
  });

  test('a number is never called again by a button that asks first and is in the audit log', async () => {
    await aCall('11940000399');
    const { page, errors } = await here.open('/admin/why/11940000399');
    await page.getByRole('button', { name: 'Never call this number' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Never call 5511940000399?' }).waitFor();
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Never call this number' }).click();
    await dialog.getByLabel('Reason').fill(hostile);
    await dialog.getByRole('button', { name: 'Never call this number' }).click();
    await page.getByText('5511940000399 is on the block list.').waitFor();
    await answer(page)
      .getByText(/It is not called: 5511940000399 is on the account's block list: <img/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Never call this number' }).count()).toBe(0);
    expect(await page.locator('main img').count()).toBe(0);
    const { entries } = (await here.on.admin('GET', `/audit?account=${demoAccount}&kind=change`)).body;
    expect(entries.map(({ action }: { action: string }) => action)).toContain(
      `POST /accounts/${demoAccount}/blocklist`,
    );
    const refused = await aCall('11940000399');
    await page.reload();
    await page.locator(`a[href^="/admin/machines/${refused}"]`).waitFor();
    await page.getByRole('button', { name: /^Not called/ }).click();
    expect(await page.locator('.why-events li').count()).toBe(1);
    await page.getByText('on the account’s block list').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('an operator reads all of it, and may not put a number on a block list', async () => {
    await aCall('11940000499');
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, '/admin/why/11940000499', key);
    await answer(page).getByText('It may be called now.').waitFor();
    expect(await page.getByRole('button', { name: 'Never call this number' }).isDisabled()).toBe(true);
    await page.context().close();
  });

  test('nothing is known of a number, and of a name that leads nowhere', async () => {
    const { page } = await here.open('/admin/why/11940000599');
    await answer(page).getByText('Nothing is known of this number.').waitFor();
    await page.getByText('Nothing has happened here yet.').waitFor();
    await page.goto(`${here.on.url}/admin/why/nothing-like-it`);
    await page.getByText('Nothing has this name. Try a number, a cd_id, a ctid.').waitFor();
    await page.context().close();
  });

  test('a paused campaign shows what its records wait for, and who was left out', async () => {
    const list = await aList(here.on, {
      numbers: ['5511940000699', '5511940000799', '5511940000699'],
    });
    const asked = { name: 'December', cdlc_id: list, content: await anAsset(here.on), cp_ativo: 0 };
    const { cp_id: id } = (await here.on.post('CreateCampaign', asked)).body.return;
    const { page, errors } = await here.open(`/admin/machines/${id}?account=${demoAccount}`);
    await page.getByRole('heading', { name: 'What 2 wait for' }).waitFor();
    await page.getByText('the campaign is paused, or a model').waitFor();
    await page.getByRole('heading', { name: '1 was left out of the list' }).waitFor();
    await page.goto(`${here.on.url}/admin/why/11940000699`);
    await page.getByText(/^Waits in the list of December: the campaign is paused/).waitFor();
    await page.getByText('Left out of December: the number stands before in the list.').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['light', 'en-US', 1280],
    ['dark', 'pt-BR', 360],
  ] as const)(
    'no fault that axe-core knows, nothing sideways: %s, %s, %i pixels',
    async (theme, locale, width) => {
      const number = width === 360 ? '11940000899' : '11940000999';
      await aCall(number, { cpid: 'spring', numlim: 1 });
      await aCall(number, { cpid: 'spring', numlim: 1 });
      const { page } = await here.open('/admin', { theme, locale, width });
      for (const path of ['/admin/why', `/admin/why/${number}`]) {
        await page.goto('about:blank');
        await page.goto(here.on.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (path !== '/admin/why') await page.locator('.why-rules').waitFor();
        expect([path, await wrongWith(page)]).toEqual([path, []]);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([path, wide <= width]).toEqual([path, true]);
      }
      await page.context().close();
    },
  );
});
