/** Records of the settings in a real browser, as people write, leave and look for them. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../helpers/console.ts';
import { aWav } from '../helpers/wav.ts';

describeInBrowser('in a browser', {}, (here) => {
  const box = (page: Page, name: string) =>
    page.locator(`[data-path="${name}"]`).locator('input, select, textarea');

  test('the secret that signs callbacks is read by who asks for it', async () => {
    const { page, errors } = await here.open('/admin/accounts/3');
    const secret = page.getByText(/^whsec_/);
    await secret.waitFor({ state: 'attached' });
    expect(await secret.isVisible()).toBe(false);
    await page.getByText('Show the secret').click();
    await secret.waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a removal is left without a keyboard, and Enter alone removes nothing', async () => {
    const { body } = await here.on.admin('POST', '/accounts/3/agents', {
      kind: 'sip',
      name: 'Ana',
      target: 'sip:ana@b.invalid',
    });
    const { page } = await here.open(`/admin/accounts/3/agents/${body.ccba_id}`);
    const remove = page.locator('main').getByRole('button', { name: /^Remove agent/ });
    const dialog = page.getByRole('dialog');

    await remove.click();
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    await dialog.waitFor({ state: 'detached' });

    await remove.click();
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await here.on.admin('GET', `/accounts/3/agents/${body.ccba_id}`)).http).toBe(200);
    await page.context().close();
  });

  test('an amount is written with a comma, as in Brazil, or with a point', async () => {
    const { page } = await here.open('/admin/accounts/3/tariffs/new');
    await box(page, 'prefix').fill('5592');
    await box(page, 'price').fill('0,0925');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const prices = async (): Promise<unknown> =>
      (await here.on.admin('GET', '/accounts/3/tariffs')).body.tariffs.map(
        (one: { prefix: string; price: number }) => [one.prefix, one.price],
      );
    await expect.poll(prices).toContainEqual(['5592', 0.0925]);

    await page.goto(`${here.on.url}/admin/accounts/3`);
    await box(page, 'spend_per_day').fill('1.234,5');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await here.on.admin('GET', '/accounts/3')).body.spend_per_day).toBe('1234.5000');

    await box(page, 'spend_per_day').fill('1,234,5');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page
      .locator('[data-path="spend_per_day"]')
      .getByText('Write the amount as 1234.50, or as 1234,50.')
      .waitFor();
    await page.context().close();
  });

  test('what is typed right after a save stays when the record comes anew', async () => {
    const agent = { kind: 'sip', name: 'Bea', target: 'sip:bea@b.invalid' };
    const { body } = await here.on.admin('POST', '/accounts/3/agents', agent);
    const path = `/accounts/3/agents/${body.ccba_id}`;
    const { page } = await here.open(`/admin${path}`);
    await box(page, 'name').fill('Beatriz');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/admin/api${path}`, async (route) => {
      if (route.request().method() === 'GET') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    await box(page, 'target').fill('sip:beatriz@b.invalid');
    await box(page, 'name').fill('Bia');
    await here.on.admin('PATCH', path, { concurrent_limit: 33 });
    release();
    await expect.poll(() => box(page, 'concurrent_limit').inputValue()).toBe('33');
    expect(await box(page, 'target').inputValue()).toBe('sip:beatriz@b.invalid');
    expect(await box(page, 'name').inputValue()).toBe('Bia');

    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(async () => (await here.on.admin('GET', path)).body)
      .toMatchObject({ name: 'Bia', target: 'sip:beatriz@b.invalid', concurrent_limit: 33 });
    await page.context().close();
  });

  test('an audio is made of a text, another of a sound file, and both are found and renamed', async () => {
    const { page, errors } = await here.open('/admin/accounts/3/audios');
    await page.getByRole('link', { name: 'New audio' }).click();
    await box(page, 'text').fill('Bom dia');
    await box(page, 'name').fill('Greeting');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Greeting' }).waitFor();
    await box(page, 'name').fill('Morning');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Morning' }).waitFor();

    await page.goto(`${here.on.url}/admin/accounts/3/audios`);
    const upload = page.getByRole('region', { name: 'Audio of a sound file' });
    const file = { name: 'lunch.wav', mimeType: 'audio/wav', buffer: aWav(0.5) };
    await upload.getByLabel('File', { exact: true }).setInputFiles(file);
    expect(await box(page, 'file').inputValue()).toBe('lunch.wav');
    await upload.getByRole('button', { name: 'Bring the file' }).click();
    await page.getByRole('row').filter({ hasText: 'lunch.wav' }).waitFor();
    await page.goto(`${here.on.url}/admin/accounts/3/audios?q=bom+dia`);
    await page.getByRole('row').filter({ hasText: 'Morning' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'lunch.wav' }).count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a field that takes the focus is not under the bar at the top', async () => {
    const { page } = await here.open('/admin/accounts/3/templates/new');
    await box(page, 'cwt_name').fill('order_late');
    const create = page.getByRole('button', { name: 'Create', exact: true });
    await create.scrollIntoViewIfNeeded();
    await create.click();
    const isSeen = () =>
      page.evaluate<boolean>(`(() => {
        const { left, top } = document.activeElement.getBoundingClientRect();
        return document.elementFromPoint(left + 4, top + 4) === document.activeElement;
      })()`);
    await box(page, 'v8l_id').and(page.locator(':focus')).waitFor();
    await expect.poll(isSeen).toBe(true);
    await page.context().close();
  });

  test('an account is found by a part of its name, on any page of the list and from the search', async () => {
    for (let nth = 0; nth < 201; nth += 1)
      await here.on.admin('POST', '/accounts', { name: `Loja ${String(nth).padStart(3, '0')}` });
    const { page } = await here.open('/admin/accounts');
    await box(page, 'q').fill('LOJA 200');
    await page.getByRole('button', { name: 'Filter' }).click();
    const rows = page.locator('main tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.innerText()).toContain('Loja 200');

    await box(page, 'q').fill('Padaria');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Nothing fits what is asked for.').waitFor();

    await page.goto(`${here.on.url}/admin/find?q=loja%20200`);
    await page.locator('main').getByRole('link', { name: 'Loja 200' }).click();
    await page.getByRole('heading', { level: 1, name: 'Loja 200' }).waitFor();
    await page.context().close();
  });

  test('a blocked number is found in a list of many by the whole of it, as it is written', async () => {
    await here.on.admin('POST', '/accounts/3/blocklist', { number: '11987650071' });
    await here.on.admin('POST', '/accounts/3/blocklist', { number: '11987650072' });
    const { page } = await here.open('/admin/accounts/3/blocklist');
    const sought = page.getByRole('search');
    await sought.locator('input').fill('(11) 98765-0072');
    await sought.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/number=/);
    const rows = page.locator('main tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.innerText()).toContain('5511987650072');
    await page.context().close();
  });

  test('a record whose fields have long names does not scroll sideways', async () => {
    const agent = { kind: 'sip', name: 'Bia', target: 'sip:bia@b.invalid', concurrent_limit: 2 };
    const { body } = await here.on.admin('POST', '/accounts/3/agents', agent);
    const { page } = await here.open(`/admin/accounts/3/agents/${body.ccba_id}`, { locale: 'pt-BR' });
    await page.locator('.values time').first().waitFor();
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    await page.context().close();
  });
});
