/** Trunks in a real browser: what they carry moves, what fails is told, and one is drained and let go again by a click. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';

describeInBrowser('in a browser', { SANDBOX_SPEED: '5' }, (here) => {
  beforeAll(async () => {
    const second = { name: 'sandbox-b', server: 'sandbox', simulates: 'second' };
    await here.on.admin('POST', '/trunks', { ...second, calls_per_second: 20, legs: 40 });
  });

  const line = (page: Page, trunk: string) => page.locator(`tr[data-trunk="${trunk}"]`);
  const legs = (page: Page): Promise<string> => line(page, 'sandbox-b').locator('td').nth(2).innerText();
  const call = async (dest: string): Promise<string> =>
    (await here.on.post('MakeTTSCall', { dest, text: 'Olá, bom dia. '.repeat(150), httpdup: 0 })).body.return
      .cd_id;

  test('shows live legs, who answers and what fails, as it happens', async () => {
    const { page, errors } = await here.open('/admin/trunks');
    await line(page, 'sandbox').getByText('on', { exact: true }).waitFor();
    expect(await legs(page)).toMatch(/^0\s*of 40$/);
    // The first carrier has no circuits for 03: the second carries it.
    const id = await call('11987650003');
    await expect.poll(() => legs(page)).toMatch(/^1\s*of 40$/);
    await line(page, 'sandbox').getByText('503 × 1').waitFor();
    const state = async () => (await here.on.admin('GET', `/machines/${id}`)).body.state;
    await expect.poll(state).toMatch(/^answered/);
    await here.on.admin('POST', `/machines/${id}/events`, { type: 'cancel' });
    await here.on.ended(id);
    await expect.poll(() => legs(page)).toMatch(/^0\s*of 40$/);
    await line(page, 'sandbox-b')
      .getByText(/^100(\.0)? %$/)
      .waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('is drained and let go again by a click, and says so', async () => {
    const { page } = await here.open('/admin/trunks');
    const stateOf = async () =>
      (await here.on.admin('GET', '/trunks')).body.trunks.find(
        ({ name }: { name: string }) => name === 'sandbox-b',
      ).state;
    await line(page, 'sandbox-b').getByRole('button', { name: 'Drain' }).click();
    await page.getByText('No new call goes by sandbox-b; those under way go on.').waitFor();
    await line(page, 'sandbox-b').getByText('draining').waitFor();
    expect(await stateOf()).toBe('draining');
    await line(page, 'sandbox-b').getByRole('button', { name: 'Let them go' }).click();
    await line(page, 'sandbox-b').getByText('on', { exact: true }).waitFor();
    expect(await stateOf()).toBe('on');
    await page.context().close();
  });

  test('is read by an operator, who may not change it', async () => {
    const made = await here.on.admin('POST', '/operators', { name: 'Rita', role: 'operator' });
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, '/admin/trunks', made.body.key);
    const drain = line(page, 'sandbox-b').getByRole('button', { name: 'Drain' });
    await drain.waitFor();
    expect(await drain.isDisabled()).toBe(true);
    expect(await drain.getAttribute('title')).toContain('administrator');
    await page.context().close();
  });

  test('is read by everybody: without a violation, at 360 pixels too', async () => {
    const { page } = await here.open('/admin/trunks');
    await line(page, 'sandbox').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wrongWith(page)).toEqual([]);
    await page.context().close();
  });
});
