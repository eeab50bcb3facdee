/** The console as it is served: its files, their headers, their size, and who is let in by a link. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '../../src/console/app/words/en.ts';
import { pt } from '../../src/console/app/words/pt.ts';
import { en as conversationsEn } from '../../src/console/app/words/conversations/en.ts';
import { pt as conversationsPt } from '../../src/console/app/words/conversations/pt.ts';
import { en as deliveriesEn } from '../../src/console/app/words/deliveries/en.ts';
import { pt as deliveriesPt } from '../../src/console/app/words/deliveries/pt.ts';
import { en as settingsEn } from '../../src/console/app/words/settings/en.ts';
import { pt as settingsPt } from '../../src/console/app/words/settings/pt.ts';
import { en as machineEn } from '../../src/console/app/words/machine/en.ts';
import { pt as machinePt } from '../../src/console/app/words/machine/pt.ts';
import { en as whyEn } from '../../src/console/app/words/why/en.ts';
import { pt as whyPt } from '../../src/console/app/words/why/pt.ts';
import { startWithConsole } from '../helpers/console.ts';
import { adminToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startWithConsole({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => on.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${on.url}${path}`, { headers, redirect: 'manual' });

describe('the pages', () => {
  test('every address below /admin is the page, which allows nothing from elsewhere and no script within it', async () => {
    for (const path of [
      '/admin',
      '/admin/machines/a_1',
      '/admin/campaigns/7',
      '/admin/why/11987650000',
      '/admin/wall',
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await answer.text()).not.toMatch(/<script>|<style|style=|https?:|\son[a-z]+=/);
    }
    expect((await get('/admin/')).headers.get('location')).toBe('/admin');
  });

  test('files carry a digest in their names, and may be kept for good', async () => {
    const page = await (await get('/admin')).text();
    const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const path of files) {
      expect(path).toMatch(/^\/admin\/assets\/[\w.-]+-[\w-]{8}\.\w+$/);
      const answer = await get(path, { 'Accept-Encoding': 'gzip' });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(answer.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    }
  });

  test('there is no other file, and nothing is posted to', async () => {
    const paths = ['nothing.js', '..%2f..%2fpackage.json', '../index.html', 'constructor', ''];
    for (const path of paths)
      expect([path, (await get(`/admin/assets/${path}`)).status]).toEqual([
        path,
        path === '../index.html' ? 200 : 404,
      ]);
    expect((await fetch(`${on.url}/admin`, { method: 'POST' })).status).toBe(404);
    expect((await get('/administrator')).status).toBe(404);
    expect((await get('/admin/api/nothing')).status).toBe(401);
  });

  test('a first view is under 120 kB compressed, fonts included', async () => {
    const page = await (await get('/admin')).text();
    const first = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
    const css = await (await get(first.find((path) => path.endsWith('.css'))!)).text();
    const fonts = [...css.matchAll(/url\(([^)]+)\)/g)].map(([, path]) => path!);
    const sizes = await Promise.all(
      [...first, ...fonts].map(async (path) => {
        const bytes = Buffer.from(await (await get(path)).arrayBuffer());
        return path.endsWith('.woff2') ? bytes.length : gzipSync(bytes).length;
      }),
    );
    const total = sizes.reduce((sum, size) => sum + size, gzipSync(page).length);
    expect(total).toBeLessThan(120_000);
  });

  test('says so where nothing is built', async () => {
    const bare = await startTestService({}, undefined, { consolePages: '/nowhere' });
    const answer = await fetch(`${bare.url}/admin`);
    expect([answer.status, await answer.text()]).toEqual([
      503,
      'The console is not built here: npm run build\n',
    ]);
    await bare.stop();
  });
});

describe('a sign-in link', () => {
  const codeOf = async (headers?: Record<string, string>) =>
    (await on.admin('POST', '/sign-in-codes', {}, headers)).body as {
      code: string;
      address: string;
      expires: number;
    };
  const open = (code: string, headers: Record<string, string> = {}) =>
    on.admin('POST', '/sessions', { code }, headers);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  test('opens one session, once, as who made it; neither it nor the address holds the admin token', async () => {
    const { code, address, expires } = await codeOf();
    expect(address).toBe(`http://localhost:8080/admin#code=${code}`);
    expect(address).not.toContain(adminToken);
    expect(expires - Date.now()).toBeGreaterThan(9.9 * 60_000);
    expect(expires - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    const both = await Promise.all([open(code), open(code)]);
    expect(both.map(({ http }) => String(http)).toSorted()).toEqual(['201', '401']);
    expect(both.find(({ http }) => http === 201)!.body).toMatchObject({ role: 'admin', name: 'admin' });
    expect((await open(code)).body.error).toBe('this sign-in link was used, or is older than ten minutes');

    const { key } = (await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
    const own = await open((await codeOf(bearer(key))).code);
    expect(own.body).toMatchObject({ role: 'operator', name: 'Ana' });
  });

  test('is kept as a digest, and made, used and refused in the audit log', async () => {
    const { code } = await codeOf();
    await open(code);
    await open(code);
    const { rows } = await on.database.pool.query('SELECT * FROM sign_in_codes');
    const { entries } = (await on.admin('GET', '/audit?kind=session')).body;
    expect(JSON.stringify([rows, entries])).not.toContain(code.slice(0, 43));
    const actions = entries.map(
      ({ action, actor }: { action: string; actor: string }) => `${actor} ${action}`,
    );
    for (const one of ['admin sign-in link made', 'admin opened by a sign-in link', 'unknown refused'])
      expect(actions).toContain(one);
  });

  test('opens nothing when it is late, is not one, was made before twenty others, or its operator is revoked', async () => {
    const late = await codeOf();
    await on.database.pool.query('UPDATE sign_in_codes SET expires_at = $1', [Date.now() - 1]);
    const { operator_id: id, key } = (await on.admin('POST', '/operators', { name: 'Eva', role: 'admin' }))
      .body;
    const revoked = await codeOf(bearer(key));
    await on.admin('DELETE', `/operators/${id}`);
    const first = await codeOf();
    for (let more = 0; more < 20; more += 1) await codeOf();
    const codes = [
      late.code,
      revoked.code,
      first.code,
      'x',
      'x'.repeat(43),
      `${'x'.repeat(43)}.${'y'.repeat(43)}`,
    ];
    for (const code of codes) expect([code, (await open(code)).http]).toEqual([code, 401]);
    expect((await open('x'.repeat(201))).http).toBe(400);
  });

  test('is not made within a session, nor opened from another site', async () => {
    const answer = await open((await codeOf()).code);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const own = { cookie, 'Sec-Fetch-Site': 'same-origin' };
    expect((await on.admin('POST', '/sign-in-codes', {}, own)).http).toBe(403);
    expect((await on.admin('POST', '/sign-in-codes', {}, {})).http).toBe(401);
    const { code } = await codeOf();
    expect((await open(code, { Origin: 'https://evil.example' })).http).toBe(403);
    expect((await open(code)).http).toBe(201);
  });

  test('is what the service prints at its start', async () => {
    const link = await on.service.signInLink();
    expect((await open(link.split('#code=')[1]!)).body).toMatchObject({ role: 'admin' });
  });
});

describe('words', () => {
  const books: [string, Record<string, string>, Record<string, string>][] = [
    ['all pages', en, pt],
    ['settings', settingsEn, settingsPt],
    ['deliveries', deliveriesEn, deliveriesPt],
    ['conversations', conversationsEn, conversationsPt],
    ['why', whyEn, whyPt],
    ['machine', machineEn, machinePt],
  ];
  test.each(books)('are the same in both languages, and leave nothing out: %s', (_, one, other) => {
    expect(Object.keys(other).toSorted()).toEqual(Object.keys(one).toSorted());
    const filled = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [word, text] of Object.entries(one))
      expect([word, other[word]!.length > 0, filled(other[word]!)]).toEqual([word, true, filled(text)]);
  });

  test('have a book here for each room that has one', () => {
    const rooms = readdirSync(join(import.meta.dirname, '../../src/console/app/words'), {
      withFileTypes: true,
    })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(books.map(([name]) => name)).toEqual(expect.arrayContaining(rooms));
  });

  test('stand in the books only: no component says a sentence of its own', () => {
    const app = join(import.meta.dirname, '../../src/console/app');
    const components = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.tsx'),
    );
    const own = components.flatMap((path) =>
      // Text between tags, of two letters or more; names that are the same everywhere may stand.
      [
        ...readFileSync(join(app, path), 'utf8').matchAll(
          /<(?:h\d|p|span|button|a|td|th|dt|dd|li|label)[^<>{}]*>\s*([^<>{}\s][^<>{}]+)</g,
        ),
      ]
        .map(([, text]) => text!.trim())
        .filter(
          (text) => /\p{L}{2}/u.test(text) && !['Ramal', 'Enter', 'Esc', 'npx ramal console'].includes(text),
        )
        .map((text) => `${path}: ${text}`),
    );
    expect(own).toEqual([]);
  });
});
