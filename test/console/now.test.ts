/** The page Now in a real browser: its figures lead to the machines that they count, and what needs attention is acted on. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { numbersEnding, putList } from '../campaigns/lists.ts';
import { describeInBrowser, isSideways, keepPicture, personsPage, signInAt } from '../helpers/console.ts';
import { anId } from '../helpers/campaigns.ts';
import { patienceMs } from '../helpers/patience.ts';
import { demoAccount } from '../helpers/service.ts';
import { insertStandingMachines } from '../helpers/standingMachines.ts';
import { anInput } from '../machines/campaigns.ts';

describeInBrowser('in a browser', {}, (here) => {
  /** Follows the link, and expects so many rows as its figure says. */
  const leadsToAsMany = async (page: Page, link: string, figure = link): Promise<void> => {
    const count = Number(/\d+/.exec((await page.locator(figure).textContent()) ?? '')?.[0]);
    await page.locator(link).click();
    await page.waitForURL(/\/admin\/find\?/);
    const rows = page.locator('table.stack tbody tr');
    await expect.poll(async () => [link, await rows.count()]).toEqual([link, count]);
    await page.goBack();
    await page.locator(link).waitFor();
  };

  test('every figure of the live calls leads to as many machines as it says', async () => {
    const standing: Readonly<Record<string, readonly string[]>> = {
      awaitTurn: ['pending', 'preparing', 'awaitingTurn', 'awaitingTurn', 'clearing'],
      later: ['scheduled', 'postponed', 'retrying', 'retrying'],
      dialing: ['dialing.placing', 'rerouting'],
      ringing: ['dialing.ringing', 'checking', 'checking'],
      message: ['answered.speaking'],
      transferring: ['answered.transferring', 'answered.transferring'],
      talking: ['answered.talking', 'answered.talking', 'answered.talking'],
    };
    const states = Object.values(standing).flat();
    await insertStandingMachines(
      here.on.database,
      states.map((state, nth) => ({ account: demoAccount, id: 900 + nth, kind: 'call', state })),
    );
    const { page, errors } = await here.open();
    for (const [step, those] of Object.entries(standing)) {
      const figure = `[data-step="${step}"] .fig`;
      await page
        .locator(figure)
        .filter({ hasText: String(those.length) })
        .waitFor();
      await leadsToAsMany(page, `[data-step="${step}"]`, figure);
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });

  /** Each call of now has an attempt in each minute from the last one on: whichever minute is looked at, as many were made. */
  const tryInEachMinute = (): Promise<unknown> =>
    here.on.database.pool.query(
      `UPDATE calls SET attempt = 31, dialed_at = $1::bigint + 1800000, answered_at = $1::bigint + 1800000,
        ended_at = $1::bigint + 1800000,
        attempts = (SELECT json_agg(json_build_object('attempt', nth, 'dialedAt', at, 'answeredAt', at, 'endedAt', at,
            'status', 'OK', 'reason', 'completed'))
          FROM generate_series(1, 30) nth, LATERAL (SELECT $1::bigint + (nth - 2) * 60000 AS at) moment)`,
      [Date.now()],
    );

  test('figures of the last minute, and of messages, lead to as many machines as they say', async () => {
    for (const dest of ['11987650100', '11987650200'])
      await here.on.ended(
        (await here.on.post('MakeTTSCall', { dest, text: 'Oi', ringtime: 5 })).body.return.cd_id,
      );
    await tryInEachMinute();
    await here.on.post('MakeSMS', { dest: '11987650001', text: 'Oi' });
    const { page, errors } = await here.open();
    await page.locator('[data-happened="attempts"]').filter({ hasText: /^2/ }).waitFor();
    for (const what of ['attempts', 'answers']) await leadsToAsMany(page, `[data-happened="${what}"]`);
    await leadsToAsMany(page, '[data-outcome="sms arrived"]');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a dry list, a balance near its end and a rejected template stand there, by account and age', async () => {
    const { cdcs_id: other } = (await here.on.admin('POST', '/accounts', { name: 'Loja <b>Sul</b>' })).body;
    await here.on.admin('POST', `/accounts/${other}/credits`, { amount: 10 });
    await here.on.admin('POST', `/accounts/${other}/credits`, { amount: -8 });
    await here.on.database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state, phase,
        date_start, date_end, time_start, time_end, destinations, made)
        VALUES ($1, 801, $2, 'play', 1, '{}', 'Natal', true, 'active', 'draining', '2026-11-20', '2090-12-24',
          '09:00:00', '18:00:00', 10, 10)`,
      [demoAccount, Date.now()],
    );
    await here.on.database.pool.query(
      `INSERT INTO templates (account_id, id, created_at, line_id, name, updated_at, state, status, rejection_reason)
        VALUES ($1, 802, 0, 1, 'promo', $2, 'idle', 'REJECTED', 'INVALID_FORMAT')`,
      [demoAccount, Date.now() - 3 * 86_400_000],
    );
    const { page, errors } = await here.open();
    const rows = page.locator('ul.attention li');
    const row = (text: string) => rows.filter({ hasText: text });
    await expect.poll(() => row('Campaign Natal has no more numbers to call').count()).toBe(1);
    await row('The balance of Loja <b>Sul</b> is near its end')
      .getByText('2.00 are left; 8.00 were spent')
      .waitFor();
    await row('Template promo was rejected').getByText('INVALID_FORMAT').waitFor();
    await page.locator('.alert-choices select').first().selectOption({ label: 'Loja <b>Sul</b>' });
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('balance of Loja')]);
    await page.locator('.alert-choices select').first().selectOption('all');
    await page.locator('.alert-choices select').last().selectOption('older');
    await expect.poll(() => row('Template promo').count()).toBe(1);
    await page.locator('.alert-choices select').last().selectOption('hour');
    await expect.poll(() => row('Template promo').count()).toBe(0);
    await page.locator('.alert-choices select').last().selectOption('all');
    for (const [text, path] of [
      ['Campaign Natal', '/admin/campaigns/801'],
      ['balance of Loja', `/admin/accounts/${other}/credits`],
      ['Template promo', `/admin/accounts/${demoAccount}/templates/802`],
    ])
      expect(await row(text!).getByRole('link').getAttribute('href')).toBe(path);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  /** Answers the page with an overview in which all is well, whatever other tests left behind. */
  const answerAllIsWell = (page: Page): Promise<unknown> =>
    page.route('**/admin/api/now', async (route) => {
      const overview = await (await route.fetch()).json();
      const none = { shards: [], deadLetters: [], troubled: [], balances: [], rejected: [], campaigns: [] };
      const checks = overview.checks.map((check: object) => ({ ...check, ok: true }));
      await route.fulfill({ json: { ...overview, ...none, checks } });
    });

  test.each([
    ['en-US', 'No news since', 'Nothing needs your attention.', 'Nothing needed your attention at'],
    ['pt-BR', 'Sem notícias desde', 'Nada pede a sua atenção.', 'Nada pedia a sua atenção às'],
  ])('while the stream is cut, it is not claimed that all is well: %s', async (locale, cut, now, then) => {
    const { page } = await personsPage(here.browser, { locale });
    await answerAllIsWell(page);
    await page.route('**/admin/api/stream*', (route) => route.abort());
    await signInAt(here.on, page);
    await page.locator('.now .lead').filter({ hasText: cut }).waitFor();
    const attention = page.locator('section[aria-labelledby="attention"]');
    await attention.getByText(then).waitFor();
    expect(await attention.getByText(now).count()).toBe(0);
    const lights = page.locator('section[aria-labelledby="attention"], .checks').locator('.s-good');
    expect(await lights.count()).toBe(0);
    await keepPicture(page, `cut ${locale}`);
    await page.unroute('**/admin/api/stream*');
    await page.locator('.now:not(.stale) .lead').waitFor();
    await lights.first().waitFor();
    expect(await page.locator('.lead').textContent()).not.toContain(cut);
    await page.context().close();
  });

  test('a stream that is refused is asked for again, from where it was', async () => {
    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650077', text: 'Oi' })).body
      .return;
    await here.on.ended(id);
    const { page } = await here.open();
    const answers: string[] = [];
    await page.route('**/admin/api/stream*machine*', async (route) => {
      const url = new URL(route.request().url());
      answers.push(url.searchParams.get('last_event_id') ?? '');
      if (answers.length === 1)
        return route.fulfill({
          contentType: 'text/event-stream',
          body: `retry: 10\n\nid: ${id}=7\nevent: machine\ndata: ${JSON.stringify({ machine: (await here.on.admin('GET', `/machines/${id}`)).body, history: [] })}\n\n`,
        });
      // The browser itself comes back after the cut, and gives up at this.
      if (answers.length === 2)
        return route.fulfill({ status: 503, json: { error: 'the database is away' } });
      return route.continue();
    });
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await page.locator('.stream', { hasText: 'No news since' }).waitFor();
    await page.locator('.stream', { hasText: 'Live' }).waitFor();
    expect(answers.slice(0, 3)).toEqual(['', '', `${id}=7`]);
    await page.context().close();
  });

  test('a wall claims nothing while the stream is cut', async () => {
    const { page } = await personsPage(here.browser);
    await answerAllIsWell(page);
    await page.route('**/admin/api/stream*', (route) => route.abort());
    await signInAt(here.on, page, '/admin/wall');
    const attention = page.locator('.wall-attention');
    await attention.filter({ hasText: 'No news since' }).waitFor();
    await page.unroute('**/admin/api/stream*');
    // What the stream tells then is what other tests left behind; that it is told is what matters.
    await attention.filter({ hasNotText: 'No news since' }).waitFor();
    await page.context().close();
  });

  test('each series of the last hour has a line that is seen', async () => {
    const { page } = await here.open();
    await page.locator('.spark .line').first().waitFor({ state: 'attached' });
    const strokes = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.spark .line')].map((line) => getComputedStyle(line).stroke)`,
    );
    expect(strokes.length).toBe(4);
    expect(strokes.filter((stroke) => stroke === 'none')).toEqual([]);
    await page.context().close();
  });

  test('a series of zeros has no figure at its axis, and any other says what its figure is', async () => {
    const { page } = await personsPage(here.browser);
    await page.route('**/admin/api/now', async (route) => {
      const overview = await (await route.fetch()).json();
      const zeros = overview.hour.attempts.map(() => 0);
      const series = { attempts: zeros.with(30, 7), answers: zeros.with(31, 5), drops: zeros, failed: zeros };
      await route.fulfill({ json: { ...overview, hour: { ...overview.hour, ...series } } });
    });
    await page.route('**/admin/api/stream*', (route) => route.abort());
    await signInAt(here.on, page);
    await page.locator('.quartet').waitFor();
    expect(await page.locator('.quartet > div').allTextContents()).toEqual([
      'Attempts0 Attempts in the last whole minute Most in one minute: 7',
      'Answers0 Answers in the last whole minute Most in one minute: 5',
      'Drops0 Drops in the last whole minute',
      'No way through0 No way through in the last whole minute',
    ]);
    await page.context().close();
  });

  test('queues show how many callers wait, and lead to their machines', async () => {
    const asked = { name: 'Vendas', members: [{ number: '11987650000' }] };
    const { queue_id: id } = (await here.on.admin('POST', `/accounts/${demoAccount}/queues`, asked)).body;
    const caller = { call: 1, joinedAt: 0, waits: true };
    await here.on.database.pool.query(
      `UPDATE machines SET snapshot = jsonb_set(snapshot::jsonb, '{c,waiting}', $2::jsonb, false)::json
        WHERE kind = 'line' AND id = $1`,
      [id, JSON.stringify([caller, caller, caller])],
    );
    const { page } = await here.open();
    const row = page.getByRole('row').filter({ hasText: 'Vendas' });
    await expect.poll(() => row.locator('td.num').allTextContents()).toEqual(['3', '0']);
    expect(await row.getByRole('link').getAttribute('href')).toBe(
      `/admin/machines/${id}?account=${demoAccount}`,
    );
    await page.context().close();
  });

  test('a running campaign says when it will end, and says it anew when its pace changes', async () => {
    const start = async (pace: number): Promise<number> => {
      const id = anId();
      await putList(here.on.database.pool, demoAccount, id, numbersEnding(40, ['00']));
      const hours = {
        dateStart: '2020-01-01',
        dateEnd: '2035-01-01',
        timeStart: '00:00:00',
        timeEnd: '23:59:59',
      };
      const input = anInput({ list: id, hours, pace: { callsPerMinute: pace, maxTransfers: null } });
      await here.on.service.engine.start({ kind: 'campaign', shard: 'a', account: demoAccount, id, input });
      return id;
    };
    const id = await start(1);
    const told = async () => {
      const { campaigns, at } = (await here.on.admin('GET', '/now')).body;
      const { forecast } = campaigns.find((one: { id: number }) => one.id === id);
      return forecast && { ends: forecast.ends, minutes: Math.round((forecast.ends_at - at) / 60_000) };
    };
    const { page, errors } = await here.open();
    const row = page.locator('section[aria-labelledby="campaigns"] tbody tr');
    await row.locator('td[data-l="Will end"] time').first().waitFor();
    expect(await told()).toMatchObject({ ends: 'completed' });
    expect((await told())!.minutes).toBeGreaterThan(30);
    await here.on.service.engine.send(
      { shard: 'a', account: demoAccount, id },
      { type: 'changed', changes: { pace: { callsPerMinute: 20 } } },
    );
    await expect.poll(async () => (await told())?.minutes ?? 60, { timeout: patienceMs }).toBeLessThan(10);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    [1366, 768],
    [1920, 1080],
    [3840, 2160],
  ])(
    'a wall of %i by %i pixels is filled, and nothing of it has to be scrolled to',
    async (width, height) => {
      await here.on.database.pool.query(
        `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
          date_start, date_end, time_start, time_end, destinations, made, answered)
          SELECT $1, 7000 + nth, 0, 'play', 1, '{}', 'Campaign with a name of some length ' || nth, false, 'paused',
            '2026-11-20', '2090-12-24', '09:00:00', '18:00:00', 500, 17 * nth, nth
          FROM generate_series(1, 7) nth ON CONFLICT DO NOTHING`,
        [demoAccount],
      );
      const { page } = await here.open('/admin/wall', { width, height });
      await page
        .getByText(/^and \d+ more$/)
        .last()
        .waitFor();
      const { right, bottom } = await page.evaluate<{ right: number; bottom: number }>(`(() => {
      const ends = [...document.querySelectorAll('.wall *')].map((one) => one.getBoundingClientRect());
      return { right: Math.max(...ends.map((one) => one.right)), bottom: Math.max(...ends.map((one) => one.bottom)) };
    })()`);
      expect(right).toBeGreaterThan(0.95 * width);
      expect(Math.ceil(right - width)).toBeLessThanOrEqual(0);
      expect(Math.floor(bottom - height)).toBeLessThanOrEqual(0);
      await page.context().close();
    },
  );

  test('at 360 pixels the tabs stand inside the window, and the wall with its campaigns too', async () => {
    const { page } = await here.open('/admin', { locale: 'pt-BR', width: 360 });
    for (const path of ['/admin', '/admin/campaigns', '/admin/settings', '/admin/wall']) {
      await page.goto(here.on.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Carregando', { exact: true }).waitFor({ state: 'detached' });
      const outside = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('.tabs a, .tabs span, .wall *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
        .map((one) => one.textContent)`);
      expect([path, outside, await isSideways(page)]).toEqual([path, [], false]);
    }
    await page.context().close();
  });
});
