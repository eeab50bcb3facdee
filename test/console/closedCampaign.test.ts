/** What the page of a campaign claims: that it is over, who is called, and who was called again. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aList } from '../helpers/campaigns.ts';
import { describeInBrowser } from '../helpers/console.ts';
import { until } from '../helpers/patience.ts';
import { demoAccount } from '../helpers/service.ts';

/** A telephone rings for minutes: no call ends before the test ends it. */
const slowly = { SANDBOX_SPEED: '0.2' };

describeInBrowser('in a browser', slowly, (here) => {
  const ringing = async (campaign: number): Promise<number[]> => {
    const { rows } = await here.on.database.pool.query<{ id: string }>(
      `SELECT m.id FROM machines m JOIN calls c ON c.account_id = m.account_id AND c.id = m.id
        WHERE c.campaign_id = $1 AND m.state = 'dialing.ringing' ORDER BY 1`,
      [campaign],
    );
    return rows.map(({ id }) => Number(id));
  };
  const hangUp = async (id: number): Promise<void> => {
    const sent = await here.on.admin('POST', `/machines/${id}/events?account=${demoAccount}`, {
      type: 'cancel',
    });
    expect([sent.http, sent.body.error]).toEqual([200, undefined]);
  };
  const lead = (page: Page, text: string) => page.locator('.progress').getByText(text, { exact: true });

  test('says that it is over and how many calls are under way, and counts until the last has ended', async () => {
    const numbers = ['5511987650002', '5511987660002'];
    const { body } = await here.on.admin('POST', `/accounts/${demoAccount}/campaigns`, {
      ...{ cdlc_id: await aList(here.on, { numbers }), text: 'Oi', name: 'Rings', cp_ativo: 1 },
      ...{ time_start: '00:00:00', time_end: '23:59:59', resends: 0 },
    });
    const id: number = body.cp_id;
    const calls = await until(async () => {
      const found = await ringing(id);
      return found.length === 2 && found;
    });
    const { page } = await here.open(`/admin/campaigns/${id}`);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close it', exact: true }).click();

    await lead(page, 'It is over: 2 of 2 were called, 0 answered. 2 calls are still under way.').waitFor();
    await hangUp(calls[0]!);
    await lead(page, 'It is over: 2 of 2 were called, 0 answered. 1 call is still under way.').waitFor();
    await page.getByRole('heading', { name: 'What became of 1', exact: true }).waitFor();
    await hangUp(calls[1]!);
    await lead(page, 'It is over: 2 of 2 were called, 0 answered.').waitFor();
    await page.getByRole('heading', { name: 'What became of 2', exact: true }).waitFor();

    const retry = page.getByRole('button', { name: 'Retry who did not answer', exact: true });
    await retry.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make the campaign', exact: true }).click();
    await page.getByRole('heading', { name: 'Rings 2', exact: true }).waitFor();
    await page.goto(`${here.on.url}/admin/campaigns/${id}`);
    await retry.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A campaign was made for them already.').waitFor();
    await dialog.getByRole('button', { name: 'Make another campaign', exact: true }).waitFor();
    await dialog.getByRole('link', { name: 'Rings 2', exact: true }).click();
    await page.getByRole('heading', { name: 'Rings 2', exact: true }).waitFor();
    await page.context().close();
  });

  test.each([
    ['en-US', 'All numbers are called but the 1 left out.', 'All numbers are called.'],
    ['pt-BR', 'Todos os números são chamados, menos o 1 deixado de fora.', 'Todos os números são chamados.'],
  ])('a forecast does not say that those who are left out are called: %s', async (locale, but, all) => {
    const create = async (numbers: string[]): Promise<number> => {
      const { body } = await here.on.admin('POST', `/accounts/${demoAccount}/campaigns`, {
        ...{ cdlc_id: await aList(here.on, { numbers }), text: 'Oi', name: `${locale} ${numbers.length}` },
        ...{ time_start: '00:00:00', time_end: '23:59:59' },
      });
      return body.cp_id;
    };
    const { page } = await here.open(`/admin/campaigns/${await create(['5511987650100', '5511987650100'])}`, {
      locale,
    });
    await page.locator('.hero').getByText(but).waitFor();
    await page.goto(`${here.on.url}/admin/campaigns/${await create(['5511987650101'])}`);
    await page.locator('.hero').getByText(all).waitFor();
    await page.context().close();
  });
});
