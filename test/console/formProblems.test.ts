/** A form with several wrong fields says all that is wrong at once, each beside its field, and begins with the first. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, wrongWith } from '../helpers/console.ts';

describeInBrowser('in a browser', {}, (here) => {
  const field = (page: Page, path: string) => page.locator(`[data-path="${path}"]`);
  const box = (page: Page, path: string) => field(page, path).locator('input, select, textarea');
  const said = (page: Page, path: string) => field(page, path).locator('p.bad');
  const focused = (page: Page, path: string) => field(page, path).locator(':focus').count();
  const create = (page: Page) => page.getByRole('button', { name: 'Create', exact: true }).click();

  test('all that the service finds wrong stands beside its field, what was left out too', async () => {
    const { page } = await here.open('/admin/accounts/new');
    await box(page, 'time_zone').fill('Nowhere/City');
    await box(page, 'concurrent_calls').fill('-1');
    await create(page);
    await said(page, 'time_zone').getByText('must be an IANA time zone').waitFor();
    await said(page, 'concurrent_calls').getByText('must be at least').waitFor();
    await said(page, 'name').getByText('is missing').waitFor();
    await page.getByRole('alert').getByText('3 fields are wrong').waitFor();
    expect(await focused(page, 'name')).toBe(1);
    expect(await wrongWith(page)).toEqual([]);

    await box(page, 'name').fill('Loja');
    await create(page);
    await said(page, 'name').waitFor({ state: 'hidden' });
    await page.getByRole('alert').getByText('2 fields are wrong').waitFor();
    expect(await focused(page, 'time_zone')).toBe(1);
    await page.context().close();
  });

  test('all that cannot be read as it is typed stands beside its field', async () => {
    const { page } = await here.open('/admin/accounts/new');
    await box(page, 'name').fill('Loja');
    await box(page, 'calling_windows').fill('{');
    await box(page, 'concurrent_calls').pressSequentially('1e');
    await create(page);
    await said(page, 'calling_windows').getByText('This is no JSON.').waitFor();
    await said(page, 'concurrent_calls').getByText('This is no number.').waitFor();
    await page.context().close();
  });

  test('in Portuguese each is said in Portuguese', async () => {
    const { page } = await here.open('/admin/accounts/new', { locale: 'pt-BR' });
    await box(page, 'time_zone').fill('Nowhere/City');
    await page.getByRole('button', { name: 'Criar', exact: true }).click();
    await said(page, 'time_zone').getByText('precisa ser um fuso horário').waitFor();
    await said(page, 'name').getByText('name: falta').waitFor();
    await page.context().close();
  });
});
