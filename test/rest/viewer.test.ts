/** `/` and `/docs` as a person has them: in a real browser, tried out against the service. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { markdownToHtml } from '../../src/rest/guides/markdown.ts';
import { noBrowser, openBrowser, watchedPage } from '../helpers/browser.ts';
import { sendRaw } from '../helpers/raw.ts';
import { demoAccount, demoToken, startTestService, type TestService } from '../helpers/service.ts';

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
  expect(seen.size).toBeGreaterThan(100);
  expect(seen.get('/docs/guides/README.md')).toContain('<h1 id="ramal">Ramal</h1>');
  expect(seen.get('/docs/guides/first-call.md')).toContain('<pre><code>TOKEN=$(cat data/demo-token)');
  const others = ['tools/generate.ts', 'guides/..%2f..%2fpackage.json', 'guides/nothing.md'];
  for (const path of others) expect((await fetch(`${on.url}/docs/${path}`)).status).toBe(404);
  expect((await fetch(`${on.url}/docs/guides/`, { redirect: 'manual' })).status).toBe(302);
});

test('what stands in a page is text, never markup', () => {
  const html = (text: string) => markdownToHtml(text, (href) => (href.startsWith('x') ? undefined : href));
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

describe('the page at /', () => {
  const get = async (path: string, headers: readonly string[] = [`Host: ${new URL(on.url).host}`]) => {
    const lines = [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close'];
    const { text } = await sendRaw(on.url, `${lines.join('\r\n')}\r\n\r\n`);
    return Buffer.from(text, 'latin1').toString('utf8');
  };

  test('shows at the machine of the service what runs, and the token by the address of its script only', async () => {
    const page = await get('/');
    expect(page).toContain('<form id="place">');
    expect(page).toMatch(/script-src 'self'; style-src 'self';/);
    expect(page).not.toMatch(/unsafe-inline|https?:|<style|style=|\son[a-z]+=/);
    expect(page).not.toContain(demoToken);
    const now = await get('/home/now.json');
    expect(now).toContain(`"token":"${demoToken}"`);
    expect(now).toContain('{"name":"database","ok":true');
    for (const name of ['localhost', '[::1]'])
      expect(await get('/home/now.json', [`Host: ${name}:${new URL(on.url).port}`])).toContain(demoToken);
  });

  test('shows everybody else links: a proxy, another name or port, a page of another origin', async () => {
    const { host, port } = new URL(on.url);
    const strangers = [
      ...['X-Forwarded-For: 10.0.0.1', 'X-Forwarded-Prefix: /x', 'Forwarded: for=1', 'Via: 1.1 a'].map(
        (one) => [`Host: ${host}`, one],
      ),
      ...[`rebound.example:${port}`, '127.0.0.1', 'localhost:1', '127.0.0.2:1', ''].map((name) => [
        `Host: ${name}`,
      ]),
      [`Host: ${host}`, 'Origin: https://elsewhere.example'],
      [`Host: ${host}`, 'Origin: null'],
      [`Host: ${host}`, 'Sec-Fetch-Site: cross-site'],
    ];
    for (const headers of strangers) {
      const now = await get('/home/now.json', headers);
      expect([headers, now.slice(9, 12), now.includes(demoToken)]).toEqual([headers, '403', false]);
      const page = await get('/', headers);
      expect([headers, page.includes('href="docs"'), /<form|<script/.test(page)]).toEqual([
        headers,
        true,
        false,
      ]);
    }
  });

  test('shows everybody links once the demo account has a route that reaches people', async () => {
    const { body } = await on.admin('POST', `/accounts/${demoAccount}/sms-routes`, {
      ...{ name: 'gateway', kind: 'http', settings: { url: 'https://gateway.example/send' } },
    });
    const now = await get('/home/now.json');
    await on.admin('PATCH', `/accounts/${demoAccount}/sms-routes/${body.route_id}`, { active: false });
    expect(now).toContain(' 403 ');
    expect(await get('/home/now.json')).toContain(demoToken);
  });

  test('speaks the language that the browser asks for, and tells a story in it', async () => {
    const host = `Host: ${new URL(on.url).host}`;
    const asked = 'Accept-Language: pt-BR,pt;q=0.9,en;q=0.5';
    expect(await get('/', [host, asked])).toContain('<html lang="pt-BR">');
    expect(await get('/', [host, 'Accept-Language: de'])).toContain('<html lang="en">');
    const { cd_id } = (await on.post('MakeTTSCall', { dest: '11987650001', text: 'Oi' })).body.return;
    await on.ended(cd_id);
    const story = await get(`/home/now.json?open=${cd_id}`, [host, asked]);
    expect(story).toContain('O resultado é BUSY na tentativa 1');
    expect(story).toContain('{"name":"operadora","ok":true,"detail":"a operadora simulada está no ar"}');
    expect(await get('/home/now.json?open=a_999999999999999')).not.toContain('"story"');
  });

  test('has its files and no other', async () => {
    for (const name of ['home.css', 'home.js', 'icon.svg'])
      expect((await fetch(`${on.url}/home/${name}`)).status).toBe(200);
    for (const name of ['', 'constructor', 'page.ts'])
      expect((await fetch(`${on.url}/home/${name}`)).status).toBe(404);
    expect((await fetch(on.url, { method: 'POST' })).status).toBe(404);
  });
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

  test('a test call is placed from the page at /, and what becomes of it is told', async () => {
    const { page, errors, asked } = await watchedPage(browser);
    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto(on.url);
    await page.locator('input[value="11987650001"]').check();
    await page.locator('#place button').click();
    const told = page.locator('#told');
    await told.filter({ hasText: 'BUSY: was busy' }).waitFor();
    const id = (await told.textContent())!.split(' ')[0]!;
    const row = page.locator(`#last li[data-id="${id}"]`);
    expect(await row.locator('.story').textContent()).toContain('Its outcome is BUSY at attempt 1');
    expect(page.url()).toBe(`${on.url}/#${id}`);
    expect((await on.ended(id)).cd_status).toBe('BUSY');
    expect(await page.locator('#command').textContent()).toContain(
      `"tsid":"${demoToken}","dest":"11987650001"`,
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await row.locator('a').click();
    await row.locator('.story').waitFor({ state: 'hidden' });

    expect(errors).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(`${on.url}/`))).toEqual([]);
    await page.close();
  });
});
