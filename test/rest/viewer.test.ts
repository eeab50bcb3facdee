/** `/docs` as a person has it: in a real browser, tried out against the service. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { htmlOf } from '../../src/rest/guides/markdown.ts';
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

test('the guides are served as pages, and their links lead to pages', async () => {
  const seen = new Map<string, string>();
  const broken: string[] = [];
  const visit = async (address: URL): Promise<void> => {
    if (seen.has(address.pathname)) return;
    seen.set(address.pathname, '');
    const answer = await fetch(address);
    const text = await answer.text();
    seen.set(address.pathname, text);
    if (!answer.ok) broken.push(address.pathname);
    if (!text.includes('<title>') || address.pathname === '/docs') return;
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const links = [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link]) => new URL(link!, address));
    for (const link of links) if (link.origin === address.origin) await visit(link);
  };
  await visit(new URL('/docs/guides', on.url));
  expect(broken).toEqual([]);
  expect(seen.size).toBeGreaterThan(120);
  expect(seen.get('/docs/guides/README.md')).toContain('<h1 id="ramal">Ramal</h1>');
  expect(seen.get('/docs/guides/first-call.md')).toContain('<pre><code>TOKEN=$(cat data/demo-token)');
  const others = ['tools/generate.ts', 'guides/..%2f..%2fpackage.json', 'guides/nothing.md'];
  for (const path of others) expect((await fetch(`${on.url}/docs/${path}`)).status).toBe(404);
  expect((await fetch(`${on.url}/docs/guides/`, { redirect: 'manual' })).status).toBe(302);
});

test('what stands in a page is text, never markup', () => {
  const html = (text: string) => htmlOf(text, (href) => (href.startsWith('x') ? undefined : href));
  expect(html('# A `<b>` & c')).toBe('<h1 id="a-b--c">A <code>&lt;b&gt;</code> &amp; c</h1>');
  expect(html('<script>1</script> [a](x:y) [`[b](c)`](d#e)')).toBe(
    '<p>&lt;script&gt;1&lt;/script&gt; a <a href="d#e"><code>[b](c)</code></a></p>',
  );
  expect(html('- a\n  b\n\n  ```sh\n  c\n  ```\n- **d** *e*')).toBe(
    '<ul><li>a\nb\n<pre><code>c</code></pre></li><li><strong>d</strong> <em>e</em></li></ul>',
  );
  expect(html('| a | b |\n|---|---|\n| 1 \\| 2 | `x` |')).toBe(
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1 | 2</td><td><code>x</code></td></tr></tbody></table>',
  );
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
