/**
 * `npm run docs:pictures`: pictures of the console for README and guide, taken of a running page. It wants Chromium; the
 * service is one of its own, with calls of the sandbox under way. It runs as a test, for it uses what tests use.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser } from '../../test/helpers/browser.ts';
import { aList } from '../../test/helpers/campaigns.ts';
import { personsPage, signInAt, startWithConsole } from '../../test/helpers/console.ts';
import { demoAccount, type TestService } from '../../test/helpers/service.ts';

const folder = join(import.meta.dirname, '../pictures');
const people = 400;

/** A campaign under way: some are busy, some do not answer, most listen. */
const runCampaign = async (on: TestService): Promise<number> => {
  const numbers = Array.from(
    { length: people },
    (_, n) => `55119${87_600_000 + n * 100 + [0, 30, 12, 1, 2, 7][n % 6]!}`,
  );
  const { body } = await on.admin('POST', `/accounts/${demoAccount}/campaigns`, {
    ...{ cdlc_id: await aList(on, { numbers }), name: 'Reminders of November', vel: 100, cp_ativo: 1 },
    ...{ text: 'Good morning. You have an appointment tomorrow at nine.', time_end: '23:59:59' },
  });
  if (body.cp_id === undefined) throw new Error(`the campaign was refused: ${JSON.stringify(body)}`);
  return body.cp_id;
};

const take = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`${name}.png`);
};

test('pictures are taken', async () => {
  const on = await startWithConsole({ SANDBOX_SPEED: '1' });
  const browser = await openBrowser();
  try {
    mkdirSync(folder, { recursive: true });
    const campaign = await runCampaign(on);
    const menu = {
      dest: '11987650012',
      type: '3',
      text: 'Press 2 to hear more',
      text2: 'More',
      dtmf2: 'text2',
    };
    const { cd_id: call } = (await on.post('MakeTTSCall', menu)).body.return;
    await on.ended(call);
    const { page } = await personsPage(browser, { width: 1280, height: 800 });
    await signInAt(on, page);
    await page.locator('.flow .fig').first().waitFor();
    const speaking = page.locator('[data-step="message"] .fig');
    await expect.poll(async () => Number(await speaking.textContent())).toBeGreaterThan(3);
    await take(page, 'now');
    await page.goto(`${on.url}/admin/machines/${call}`);
    await page.locator('.chart').waitFor();
    await take(page, 'machine');
    await page.goto(`${on.url}/admin/campaigns/${campaign}`);
    await page.locator('.fleet').waitFor();
    await page.locator('.hero[data-estimate]').waitFor();
    await take(page, 'campaign');
    await page.goto(`${on.url}/admin/why/11987650012`);
    await page.getByText('Loading').waitFor({ state: 'detached' });
    await take(page, 'why');
    await page.goto(`${on.url}/admin/try`);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.locator('.path code').filter({ hasText: 'answered' }).first().waitFor();
    await take(page, 'try');
  } finally {
    await browser.close();
    await on.stop();
  }
}, 180_000);
