/** A machine's page in a real browser: its chart, its past, and what remains fast however long its history is. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, personsPage, signInAt } from '../helpers/console.ts';

const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString();

describeInBrowser('in a browser', {}, (here) => {
  // The same text to the same number would be refused as a repetition.
  let texts = 0;
  const endedCall = async (): Promise<string> => {
    const text = `Oi ${(texts += 1)}`;
    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650012', text })).body.return;
    await here.on.ended(id);
    return id;
  };
  const historyOf = async (id: string) =>
    (await here.on.admin('GET', `/machines/${id}`)).body.history as {
      revision: number;
      at: number;
      event: string;
      state: string;
      taken: number[];
    }[];
  const agendaOf = async (id: string) =>
    (await here.on.admin('GET', `/machines/${id}`)).body.agenda as { what: string; dueAt: number }[];
  /** A scheduled call with events that its chart does not know: as many as are wanted. */
  const longHistory = async (entries: number): Promise<string> => {
    const { cd_id: id } = (
      await here.on.post('MakeTTSCall', { dest: '11987650012', text: `Oi ${entries}`, block: inThreeDays })
    ).body.return;
    const [machine, at] = [id.split('_')[1], Date.now()];
    const { state } = (await here.on.admin('GET', `/machines/${id}`)).body;
    await here.on.database.pool.query(
      `INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state, asked)
       SELECT 3, $1, 10 + nth, $2::bigint / 86400000, $2::bigint + nth, 'noted', '{"type":"noted"}', $3, ''
       FROM generate_series(1, $4::int) nth`,
      [machine, at, state, entries],
    );
    return id;
  };
  const state = (page: Page, name: string) => page.locator(`[data-state="${name}"]`);
  const rows = (page: Page) => page.locator('.timeline tbody tr .rev');
  /** Place of the first row that is mounted. */
  const firstRow = (page: Page): Promise<number> =>
    page.evaluate('Number(document.querySelector(".timeline tbody tr[aria-rowindex]").ariaRowIndex)');
  /** Rows that are mounted and on their way. */
  const missing = (page: Page): Promise<number> =>
    page.evaluate('document.querySelectorAll(".timeline tbody tr[aria-rowindex]:has(.rev[hidden])").length');
  const mounted = (page: Page): Promise<number> =>
    page.evaluate('document.querySelectorAll(".timeline tbody tr").length');

  test('the chart shows the way that was written down, where the machine is, and folds', async () => {
    const id = await endedCall();
    const { page, errors, asked } = await here.open(`/admin/machines/${id}`);
    await page.locator('[id="state:ended"].active').waitFor();
    const history = await historyOf(id);
    const taken = [...new Set(history.flatMap((entry) => entry.taken))];
    expect(taken.length).toBeGreaterThan(5);
    // What is folded away is not drawn; what is drawn and was taken is lit, and nothing of it is a guess.
    const drawn = await page.evaluate<number[]>(
      '[...document.querySelectorAll(".transition")].map((one) => Number(one.dataset.transition))',
    );
    const lit = await page.evaluate<number[]>(
      '[...document.querySelectorAll(".transition.taken")].map((one) => Number(one.dataset.transition))',
    );
    expect(new Set(lit)).toEqual(new Set(taken.filter((transition) => drawn.includes(transition))));
    expect(await page.locator('.guessed').count()).toBe(0);

    expect(await page.locator('[id="level:answered"]').count()).toBe(0);
    await state(page, 'answered').click();
    await page.locator('[id="level:answered"]').waitFor();
    expect(await state(page, 'answered').getAttribute('aria-expanded')).toBe('true');
    await state(page, 'answered.speaking').waitFor();
    await state(page, 'answered').click();
    await page.locator('[id="level:answered"]').waitFor({ state: 'detached' });
    const layouts = asked.filter((address) => /\/assets\/call[\w.]*-[\w-]{8}\.js$/.test(address));
    expect(layouts.length).toBe(1);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a state that is chosen leaves its events in the timeline', async () => {
    const id = await endedCall();
    const history = await historyOf(id);
    const { page } = await here.open(`/admin/machines/${id}`);
    await state(page, 'preparing').click();
    const own = history.filter((entry) => entry.state === 'preparing').length;
    await page.getByText(`${own} event that has to do with preparing`).waitFor();
    await expect.poll(() => rows(page).count()).toBe(own);
    expect(await state(page, 'preparing').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Show all events' }).click();
    await expect.poll(() => rows(page).count()).toBe(history.length);
    await page.context().close();
  });

  test('chart, changes and what was owed follow through time, by keys, slider and rows', async () => {
    const id = await endedCall();
    const history = await historyOf(id);
    const { page, errors } = await here.open(`/admin/machines/${id}`, { locale: 'pt-BR' });
    await page.locator('[id="state:ended"].active').waitFor();
    await page.keyboard.press('Home');
    await state(page, history[0]!.state).and(page.locator('.active')).waitFor();
    await page.getByRole('heading', { name: 'O que estava pendente então' }).waitFor();
    await page.getByText(`Após started estava em ${history[0]!.state}.`).waitFor();
    await page.locator('svg.chart .heading', { hasText: 'call, versão' }).waitFor();
    expect(await page.locator('svg.chart').textContent()).not.toMatch(
      /[Ii]n any state|From any state|from outside/,
    );
    await expect.poll(() => page.locator('.diff ins').count()).toBeGreaterThan(3);
    expect(await page.locator('[id="state:ended"].entered').count()).toBe(0);

    const speaking = history.findIndex((entry) => entry.state === 'answered.speaking');
    await page.getByRole('button', { name: `Mostrar a revisão ${history[speaking]!.revision}` }).click();
    await page.locator('[id="state:answered.speaking"].active').waitFor();
    expect(page.url()).toContain(`#rev=${history[speaking]!.revision}`);
    await page.getByRole('slider').fill(String(speaking - 1));
    await page.locator(`[id="state:${history[speaking - 1]!.state}"].active`).waitFor();
    await page.keyboard.press('End');
    await page.locator('[id="state:ended"].active').waitFor();
    expect(page.url()).not.toContain('#');
    const { at } = history.at(-1)!;
    const clock = new Intl.DateTimeFormat('en', {
      ...{ timeStyle: 'medium', hour12: false, timeZone: 'America/Sao_Paulo' },
    }).format(at);
    const ends = page.locator('.diff dt', { hasText: 'dial.endedAt' }).locator('+ dd ins');
    await ends.getByText(`${clock}.${String(at % 1000).padStart(3, '0')}`).waitFor();
    expect(await page.locator('.diff').textContent()).not.toContain(String(at));
    await page.goBack();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('the whole context of the past is the one that it had', async () => {
    const id = await endedCall();
    const { page } = await here.open(`/admin/machines/${id}#rev=1`);
    await page.locator('.travelled').waitFor();
    await page.getByText('Whole context, as it was').click();
    const { body } = await here.on.admin('GET', `/machines/${id}/moment?revision=1&whole=1`);
    await expect.poll(() => page.locator('details pre').textContent()).toMatch(/^\{/);
    expect(JSON.parse((await page.locator('details pre').textContent())!)).toEqual(body.context);
    await page.context().close();
  });

  test('entries of an older release are lit as guesses, and the page says so', async () => {
    const id = await endedCall();
    await here.on.database.pool.query(`UPDATE history SET taken = '' WHERE machine_id = $1`, [
      id.split('_')[1],
    ]);
    const { page } = await here.open(`/admin/machines/${id}`);
    await page.getByText('a guess: not written down then').waitFor();
    // The chart's layout is loaded when it is asked for, and may come after the words.
    await page.locator('.line.guessed').first().waitFor({ state: 'attached' });
    await page.context().close();
  });

  test('states are reached and chosen by keys', async () => {
    const id = await endedCall();
    const { page } = await here.open(`/admin/machines/${id}`);
    await page.locator('[id="state:ended"].active').waitFor();
    // One stop for the whole chart.
    expect(await page.locator('.chart [tabindex="0"]').count()).toBe(1);
    await page.locator('.chart [tabindex="0"]').focus();
    await page.keyboard.press('ArrowUp');
    const focused = await page.evaluate<string>('document.activeElement.dataset.state');
    expect(focused).not.toBe('ended');
    await page.keyboard.press('Enter');
    await state(page, focused).and(page.locator('[aria-pressed="true"]')).waitFor();
    await page.context().close();
  });

  test('a long history is shown in part: at most a hundred rows are mounted, and asked for, at a time', async () => {
    const id = await longHistory(30_000);
    const { page, errors, asked } = await here.open(`/admin/machines/${id}`);
    await page.getByText(/^30,\d{3} events$/).waitFor();
    expect(await mounted(page)).toBeLessThanOrEqual(100);
    const count = (await here.on.admin('GET', `/machines/${id}/moment`)).body.count as number;
    // From the end to the middle to the beginning.
    for (const place of [0.5, 0]) {
      await page.evaluate(
        `{ const box = document.querySelector('.timeline'); box.scrollTop = box.scrollHeight * ${place}; }`,
      );
      const middle = Math.floor(count * place);
      await expect.poll(() => firstRow(page)).toBeGreaterThan(middle - 60);
      await expect.poll(() => firstRow(page)).toBeLessThan(middle + 60);
      await expect.poll(() => missing(page)).toBe(0);
      expect(await mounted(page)).toBeLessThanOrEqual(100);
    }
    await page.keyboard.press('Home');
    await expect.poll(() => page.url()).toMatch(/#rev=1$/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).toMatch(/#rev=([2-9]|\d\d+)$/);
    const pages = asked.filter((address) => address.includes('/timeline?')).length;
    // Of three hundred; the last one may be asked for again whenever the page hears of the machine.
    expect(pages).toBeLessThan(30);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('of a state that is chosen the timeline stays where it was scrolled when one travels', async () => {
    const id = await longHistory(200);
    const { page } = await here.open(`/admin/machines/${id}`);
    await page.locator('.chart .active').press('Enter');
    await page.locator('.sh .right .btn').waitFor();
    await page.evaluate(`document.querySelector('.timeline').scrollTop = 3000`);
    await expect.poll(() => firstRow(page)).toBeGreaterThan(80);
    await expect.poll(() => missing(page)).toBe(0);
    const row = page.locator('.timeline tbody tr[aria-rowindex="105"]');
    await row.click();
    await page.locator('.timeline tbody tr[aria-selected="true"]').waitFor();
    expect(await row.getAttribute('aria-selected')).toBe('true');
    expect(await page.evaluate(`document.querySelector('.timeline').scrollTop`)).toBe(3000);
    await page.context().close();
  });

  test('all times are those of the account, with the day and the viewer’s own on hover', async () => {
    const id = await endedCall();
    const [first] = (await here.on.admin('GET', `/machines/${id}`)).body.history as { at: number }[];
    const { page } = await here.open(`/admin/machines/${id}#rev=1`, { zone: 'Asia/Tokyo' });
    const clock = clockIn('America/Sao_Paulo', first!.at);
    const own = clockIn('Asia/Tokyo', first!.at);
    await page.locator('.timeline').getByText(clock).first().waitFor();
    await page.locator('.travelbar').getByText(clock).waitFor();
    await page.locator('section:has(#moment)').getByText(clock).first().waitFor();
    const hover = await page.locator('.timeline td', { hasText: clock }).first().getAttribute('title');
    expect(hover).toContain(`Your time: `);
    expect(hover).toContain(own);
    const record = page.locator('section:has(#record)');
    expect(await record.locator('time').count()).toBeGreaterThan(2);
    const times = await record.locator('time').allTextContents();
    const hours = [clock, clockIn('America/Sao_Paulo', first!.at + 60_000)].map((text) => text.slice(0, 2));
    expect(times.filter((text) => !hours.some((hour) => text.includes(` ${hour}:`)))).toEqual([]);
    await page.context().close();
  });

  test('what is owed is told by the account’s clock as well', async () => {
    const { cd_id: id } = (
      await here.on.post('MakeTTSCall', { dest: '11987650012', text: 'Até já', block: inThreeDays })
    ).body.return;
    await expect.poll(() => agendaOf(id)).toMatchObject([{ what: 'timer' }]);
    const [timer] = await agendaOf(id);
    const { page } = await here.open(`/admin/machines/${id}`, { zone: 'Asia/Tokyo' });
    const due = page.locator('.agenda time');
    expect(await due.textContent()).toContain(clockIn('America/Sao_Paulo', timer!.dueAt));
    expect(await due.getAttribute('title')).toContain(clockIn('Asia/Tokyo', timer!.dueAt));
    await page.context().close();
  });

  test('a machine that is not there leads on to Find', async () => {
    const { page } = await here.open('/admin/machines/a_17');
    await page.getByRole('heading', { name: 'There is no machine of this number here' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'Find' }).click();
    await page.waitForURL(/\/admin\/find\?q=a_17$/);
    await page.context().close();
  });

  test('an address without a machine shows Find, one that cannot be read says so, and neither asks for machines', async () => {
    const { page, errors, asked } = await here.open('/admin/machines');
    await page.getByRole('heading', { name: 'Find' }).waitFor();
    await page.goto(`${here.on.url}/admin/machines/`);
    await page.getByRole('heading', { name: 'Find' }).waitFor();
    await page.goto(`${here.on.url}/admin/machines/%E0%A4%A`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(asked.filter((address) => address.includes('/api/machines'))).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a page that breaks says so once, and asks for nothing more', async () => {
    const id = await endedCall();
    const { page, errors, asked } = await personsPage(here.browser);
    await page.route(`**/machines/${id}?**`, (route) => route.fulfill({ json: { id } }));
    await signInAt(here.on, page, `/admin/machines/${id}`);
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    const before = asked.length;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    expect(asked.length - before).toBeLessThan(10);
    // Each part that is drawn twice breaks by itself.
    expect(errors.length).toBeLessThan(20);
    await page.context().close();
  });
});

/** 14:07:12 on the clock of a zone. */
const clockIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeStyle: 'medium', hourCycle: 'h23' }).format(at);
