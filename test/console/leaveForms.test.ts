/** A page with a half-typed form is not left by a slip: a question comes first, and none where nothing would be lost. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

describeInBrowser('in a browser', {}, (here) => {
  const box = (page: Page, name: string) =>
    page.locator(`[data-path="${name}"]`).locator('input, select, textarea');
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const stay = (page: Page) => question(page).getByRole('button', { name: 'Stay here' }).click();
  const leave = (page: Page) => question(page).getByRole('button', { name: 'Leave', exact: true }).click();
  const groups = `/admin/accounts/${demoAccount}/groups`;

  /** The form of a new group, reached from the list of groups, with a name half typed. */
  const halfTyped = async (page: Page): Promise<void> => {
    await signInAt(here.on, page, groups);
    await page.getByRole('link', { name: 'New group' }).click();
    await box(page, 'name').fill('Sal');
  };

  test('a link asks first: one stays with what was typed, or leaves', async () => {
    const { page, errors } = await personsPage(here.browser);
    await halfTyped(page);
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await question(page).waitFor();
    expect(await wrongWith(page)).toEqual([]);
    await stay(page);
    expect([await box(page, 'name').inputValue(), new URL(page.url()).pathname]).toEqual([
      ...['Sal', `${groups}/new`],
    ]);
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await leave(page);
    await page.waitForURL(`${here.on.url}/admin/campaigns`);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('Back asks first, and goes back when one leaves', async () => {
    const { page } = await personsPage(here.browser);
    await halfTyped(page);
    await page.evaluate('history.back()');
    await question(page).waitFor();
    await stay(page);
    await page.waitForURL(`${here.on.url}${groups}/new`);
    expect(await box(page, 'name').inputValue()).toBe('Sal');
    await page.evaluate('history.back()');
    await leave(page);
    await page.waitForURL(here.on.url + groups);
    await page.getByRole('link', { name: 'New group' }).waitFor();
    await page.evaluate('history.forward()');
    await page.waitForURL(`${here.on.url}${groups}/new`);
    expect(await box(page, 'name').inputValue()).toBe('');
    await page.context().close();
  });

  test('the browser asks before the page is closed', async () => {
    const { page } = await personsPage(here.browser);
    await halfTyped(page);
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    const closed = page.waitForEvent('close');
    await dialog.accept();
    await closed;
  });

  test('nothing is asked where nothing is typed any more, or all is saved', async () => {
    const { page } = await personsPage(here.browser);
    await halfTyped(page);
    await box(page, 'name').fill('');
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await page.waitForURL(`${here.on.url}/admin/campaigns`);

    await halfTyped(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sal' }).waitFor();
    await box(page, 'name').fill('Sales');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor();
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await page.waitForURL(`${here.on.url}/admin/campaigns`);
    await page.context().close();
  });

  test('a file that was chosen asks as well, until it is sent', async () => {
    const { page } = await here.open(`/admin/accounts/${demoAccount}/blocklist`);
    const upload = page.getByRole('region', { name: 'Block the numbers of a file', exact: true });
    const buffer = Buffer.from('phone\n11987654321\n');
    await upload.locator('input[type=file]').setInputFiles({ name: 'out.csv', mimeType: 'text/csv', buffer });
    const campaigns = page.getByRole('link', { name: 'Campaigns', exact: true }).first();
    await campaigns.click();
    await stay(page);
    await upload.locator('button[type=submit]').click();
    await page.getByText('11987654321').first().waitFor();
    await campaigns.click();
    await page.waitForURL(`${here.on.url}/admin/campaigns`);
    await page.context().close();
  });

  test('a new campaign asks as well, also when one leaves by the keyboard', async () => {
    const { page } = await here.open('/admin/campaigns/new');
    await page.getByLabel('Name of the campaign').fill('December');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await stay(page);
    expect(await page.getByLabel('Name of the campaign').inputValue()).toBe('December');
    await page.getByLabel('Name of the campaign').fill('');
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await page.waitForURL(`${here.on.url}/admin/campaigns`);
    await page.context().close();
  });
});
