/** `/docs` as a person has it: in a real browser, tried out against the service. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { noBrowser, openBrowser, watchedPage } from '../helpers/browser.ts';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ PUBLIC_URL: 'https://ramal.example/behind/a/proxy' });
});
afterAll(() => on.stop());

test('the page allows nothing from elsewhere and no script within it', async () => {
  const answer = await fetch(`${on.url}/docs`);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
  expect(await answer.text()).not.toMatch(/<script>|https?:|onload=/);
});

test('serves what the viewer needs and no other file', async () => {
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(`${on.url}${path}`, { method, redirect: 'manual' })).status;
  const paths = ['swagger-ui.css', 'swagger-ui-bundle.js', 'viewer.js', 'favicon-32x32.png'];
  for (const path of paths) expect(await statusOf(`/docs/${path}`)).toBe(200);
  expect(await statusOf('/docs/swagger-ui.css', 'HEAD')).toBe(200);
  expect(await statusOf('/docs/')).toBe(302);
  const others = ['package.json', '..%2fpackage.json', 'constructor'];
  for (const path of others) expect(await statusOf(`/docs/${path}`)).toBe(404);
});

describe.skipIf(noBrowser)(`in a browser${noBrowser ? `, skipped: ${noBrowser}` : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('every operation is shown, and one that is tried out answers', async () => {
    const { page, errors, asked } = await watchedPage(browser);
    await page.goto(`${on.url}/docs`);
    await page.waitForSelector('.opblock');
    expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(operations.length);

    await page.locator('.btn.authorize').click();
    await page.locator('.auth-container input').fill(demoToken);
    await page.locator('.auth-container button[type=submit]').click();
    await page.locator('.btn-done').click();
    const block = page.locator('#operations-Audio_and_voices-GetTTSVoices');
    await block.locator('.opblock-summary-control').click();
    await block.locator('textarea').fill('{}');
    await block.locator('button.execute').click();
    const row = block.locator('.live-responses-table tbody tr.response').first();
    await row.waitFor();
    expect(await row.locator('.response-col_status').textContent()).toContain('200');
    expect(await row.locator('.response-col_description').textContent()).toContain('Espeak|pt-br');

    expect(errors).toEqual([]);
    expect(
      asked.filter((address) => !address.startsWith(`${on.url}/`) && !address.startsWith('data:')),
    ).toEqual([]);
    await page.close();
  });
});
