/** Campaigns in a real browser: from a dropped file to its results, with the pace throttled on the way; counts are those of the database. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aList, anAsset } from '../helpers/campaigns.ts';
import { describeInBrowser, keepPicture, personsPage, signInAt, wrongWith } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

const hostile = `<img src=x onerror="document.title='broken'"><script>alert(1)</script>\u202Eabc ${'long'.repeat(30)}`;

/** A thousand rows, every fiftieth of which has no number. Some are busy (01), some do not answer (02). */
const aFile = (): string => {
  const rows = Array.from({ length: 1_000 }, (_, n) => {
    const isBad = n % 50 === 49;
    const end = n % 5 === 0 ? 1 : n % 7 === 0 ? 2 : 0;
    return `${isBad ? `none ${n}` : `119${String(87_600_000 + n * 100 + end)}`};Person ${n};${n}`;
  });
  return `telefone;nome;extra1\n${rows.join('\n')}\n`;
};

const drop = async (page: Page, name: string, text: string): Promise<void> => {
  const data = await page.evaluateHandle(`(() => {
    const moved = new DataTransfer();
    moved.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
    return moved;
  })()`);
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
};

describeInBrowser('in a browser', { SANDBOX_SPEED: '20' }, (here) => {
  const count = async (text: string, id: string): Promise<Record<string, number>> => {
    const { rows } = await here.on.database.pool.query<{ name: string; count: number }>(text, [Number(id)]);
    return Object.fromEntries(rows.map(({ name, count: many }) => [name, many]));
  };
  const livingStates = (id: string) =>
    count(
      `SELECT m.state AS name, count(*)::int AS count FROM machines m JOIN calls c ON c.account_id = m.account_id
        AND c.id = m.id WHERE c.campaign_id = $1 AND m.ended_at IS NULL GROUP BY 1`,
      id,
    );
  /** Counts on the chart, of states that hold no other one. */
  const drawnStates = (page: Page) =>
    page.evaluate<Record<string, number>>(`(() => {
      const drawn = [...document.querySelectorAll('.fleet [data-state]')];
      const names = drawn.map(({ dataset }) => dataset.state);
      const innermost = drawn.filter(({ dataset }) => !names.some((name) => name.startsWith(dataset.state + '.')));
      return Object.fromEntries(innermost.map(({ dataset }) => [dataset.state, Number(dataset.count)]));
    })()`);
  const newCampaign = async (given: object): Promise<number> => {
    const { http, body } = await here.on.admin('POST', `/accounts/${demoAccount}/campaigns`, given);
    expect([http, body.error]).toEqual([201, undefined]);
    return body.cp_id;
  };
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const hero = (page: Page) => page.locator('.hero[data-estimate]');

  // One of the two has another day than São Paulo at any hour.
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'a campaign begins today by the clock of its account, also for one who sits in %s',
    async (zone) => {
      const { page } = await here.open(`/admin/campaigns/new?account=${demoAccount}`, { zone });
      const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' });
      await expect.poll(() => page.getByLabel('First day').inputValue()).toBe(today);
    },
  );

  test('a file of a thousand rows is dropped, mended, forecast, started, throttled, paused, ended, and its results taken', async () => {
    const { page, errors, asked } = await here.open();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Account').selectOption(String(demoAccount));

    await drop(page, 'people.csv', aFile());
    await page.locator('.taken[data-taken="980"][data-rejected="20"]').waitFor();
    await page.getByText('20 of 1,000 rows were refused.').waitFor();
    await expect.poll(() => page.locator('[data-reject]').count()).toBe(20);
    await keepPicture(page, 'campaign-new');
    await page.locator('[data-reject="50"]').getByLabel('Phone').fill('(11) 98899-0000');
    await page.locator('[data-reject="100"]').getByLabel('Phone').fill('still none');
    await page.getByRole('button', { name: 'Take 2 corrected rows' }).click();
    await page.getByText('Taken: 1. Still refused: 19.', { exact: true }).waitFor();
    await page.locator('.taken[data-taken="981"][data-rejected="19"]').waitFor();

    // One text for all is spoken once: a thousand names would keep the processor busy for minutes.
    await page.getByLabel('Text', { exact: true }).fill('Olá');
    await page.getByLabel('From').fill('00:00');
    await page.getByLabel('Until').fill('23:59');
    // A quarter of an hour of calls may reach beyond midnight.
    await page.getByLabel('Last day').fill(inTwoDays);
    await page.getByLabel('Name of the campaign').fill('December');
    await page.getByLabel('Calls a minute, 1 to 100').fill('60');
    await page.getByRole('button', { name: 'Make the campaign' }).click();

    await page.getByRole('heading', { name: 'December' }).waitFor();
    await page.getByText('not started').waitFor();
    await hero(page).getByText('At 60 a minute it ends').waitFor();
    await expect.poll(() => page.locator('[data-reason="rejected"] b').textContent()).toBe('19');
    await expect.poll(() => page.locator('.peel-words .kept b').textContent()).toBe('981');
    await keepPicture(page, 'campaign-before');
    const before = await hero(page).textContent();
    await page.getByRole('slider').focus();
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowLeft');
    await hero(page).getByText('At 55 a minute').waitFor();
    await page.locator('.hero[data-estimate="false"]').getByText('At 55 a minute').waitFor();
    await expect.poll(() => hero(page).textContent()).not.toBe(before);
    await page.getByText('Only tried so far. It is called at 60 a minute until you set this pace.').waitFor();
    await page.getByRole('button', { name: 'Back to 60' }).click();
    await page.getByText('Only tried so far.').waitFor({ state: 'detached' });

    const id = page.url().split('/').at(-1)!;
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start and call 981' }).click();
    await page.locator('.campaign[data-state="dialing"]').waitFor();
    await page.locator('.fleet [data-state]').first().waitFor();
    await page.locator('[data-outcome="answered"]').waitFor();
    await keepPicture(page, 'campaign-live');

    const slow = await hero(page).textContent();
    await page.getByRole('slider').press('End');
    await hero(page).getByText('Without a limit it ends').waitFor();
    await expect.poll(() => hero(page).textContent()).not.toBe(slow);
    await page.getByRole('button', { name: 'Set this pace' }).click();
    await page.getByText('Pace: no limit.').waitFor();
    await expect
      .poll(async () => (await here.on.admin('GET', `/campaigns/${id}`)).body.calls_per_minute)
      .toBeNull();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause it' }).click();
    await page.locator('.campaign[data-state="paused"]').waitFor();
    await page.locator('.hero').getByText('If it goes on now:').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();

    await page.locator('.campaign[data-state="completed"]').waitFor();
    const outcomes = await count(
      `SELECT CASE status WHEN 'OK' THEN 'answered' WHEN 'BUSY' THEN 'busy' WHEN 'NOANSWER' THEN 'noAnswer'
        ELSE 'failed' END AS name, count(*)::int AS count FROM calls WHERE campaign_id = $1 GROUP BY 1`,
      id,
    );
    await expect
      .poll(() =>
        page.evaluate<Record<string, number>>(
          `Object.fromEntries([...document.querySelectorAll('[data-outcome]')].map((row) =>
            [row.dataset.outcome, Number(row.querySelector('.num').textContent.replaceAll(',', ''))]))`,
        ),
      )
      .toEqual(outcomes);
    await keepPicture(page, 'campaign-over');

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Results' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`campaign-${id}-december.csv`);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(982);
    const { entries } = (await here.on.admin('GET', '/audit?kind=change')).body;
    expect(entries.map(({ action }: { action: string }) => action)).toContain(
      `GET /accounts/${demoAccount}/campaigns/${id}/results`,
    );
    expect(errors).toEqual([]);
    expect(asked.filter((address) => !/^(blob:)?http:\/\/127\.0\.0\.1/.test(address))).toEqual([]);
    await page.context().close();
  }, 240_000);

  test('the chart counts what the database counts, and a state leads to its calls', async () => {
    // 02: nobody answers, and a retry waits for hours.
    const numbers = ['02', '02', '02'].map((end, n) => `55119876${n}00${end}`);
    const id = await newCampaign({
      ...{ cdlc_id: await aList(here.on, { numbers }), text: 'Oi', name: 'Counted' },
      ...{ resends: 1, time_resends: 200, cp_ativo: 1, time_end: '23:59:59' },
    });
    const { page } = await here.open(`/admin/campaigns/${id}`);
    await page.locator('.fleet [data-state="retrying"][data-count="3"]').waitFor();
    expect(await drawnStates(page)).toEqual(await livingStates(String(id)));
    await page.locator('.fleet a', { hasText: '3 calls in retrying' }).click();
    await page.waitForURL(/\/admin\/find\?kind=call&account=3&campaign=\d+&state=retrying$/);
    await page.locator('a[href^="/admin/machines/a_"]').nth(2).waitFor();

    await page.goto(`${here.on.url}/admin/campaigns/${id}`);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await page.locator('.campaign[data-state="expired"]').waitFor();
    await page.locator('.fleet').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Retry who did not answer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make the campaign' }).click();
    await page.getByRole('heading', { name: 'Counted 2' }).waitFor();
    expect(await page.locator('.peel-words .kept b').textContent()).toBe('3');
    await page.context().close();
  });

  test('a forecast that takes longer than it is believed is shown when it comes, while calls go on', async () => {
    const numbers = Array.from({ length: 300 }, (_, nth) => `551198765${2_000 + nth}`);
    const id = await newCampaign({
      ...{ cdlc_id: await aList(here.on, { numbers }), text: 'Oi', name: 'Slow forecast' },
      ...{ vel: 60, cp_ativo: 1, date_end: inTwoDays, time_end: '23:59:59' },
    });
    const { page } = await personsPage(here.browser);
    await page.clock.install();
    let asked = 0;
    let dropped = 0;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    page.on('requestfailed', (request) => void (dropped += Number(request.url().includes('/forecast'))));
    await page.route('**/forecast*', async (route) => {
      asked += 1;
      await released;
      await route.continue().catch(() => {});
    });
    await signInAt(here.on, page, `/admin/campaigns/${id}`);
    await expect.poll(() => asked).toBe(1);
    const made = () =>
      count(`SELECT 'made' AS name, count(*)::int AS count FROM calls WHERE campaign_id = $1`, `${id}`);
    for (let round = 0; round < 2; round += 1) {
      await page.clock.fastForward(16_000);
      const { made: before = 0 } = await made();
      await expect.poll(async () => (await made())['made']).toBeGreaterThan(before + 1);
    }
    expect([asked, dropped]).toEqual([1, 0]);
    release();
    await hero(page).waitFor();
    await page.context().close();
  });

  test('numbers that no trunk carries are not said to be called', async () => {
    const id = await newCampaign({ cdlc_id: await aList(here.on), text: 'Oi', name: 'Closed' });
    const close = (closed: string[]) =>
      here.on.admin('PATCH', '/trunks/1', { closed_prefixes: { open: [], closed } });
    await close(['55']);
    const { page } = await here.open(`/admin/campaigns/${id}`);
    await hero(page).getByText('numbers are not called.').waitFor();
    await page.getByText('no trunk carries them (sandbox:closedPrefix)').waitFor();
    await close([]);
    await page.context().close();
  });

  test('an audio is heard in the page', async () => {
    const audio = await anAsset(here.on);
    const id = await newCampaign({ cdlc_id: await aList(here.on), content: audio, name: 'Heard' });
    const { page, errors } = await here.open('/admin/campaigns/new');
    await page.getByLabel('An audio').check();
    await page.locator('select').filter({ hasText: audio }).selectOption(audio);
    await page.locator('audio[src^="/media/"]').waitFor();
    await page.goto(`${here.on.url}/admin/campaigns/${id}`);
    await page.locator('audio[src^="/media/"]').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('an operator watches, and is told what only an administrator may', async () => {
    const id = await newCampaign({ cdlc_id: await aList(here.on), text: 'Oi', name: hostile.slice(0, 200) });
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
    const { page, errors } = await personsPage(here.browser);
    await signInAt(here.on, page, `/admin/campaigns/${id}`, key);
    await page.getByRole('button', { name: 'Start' }).waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Set this pace' }).isDisabled()).toBe(true);
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.goto(`${here.on.url}/admin/campaigns`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: 'New campaign' }).count()).toBe(0);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['light', 'en-US', 1280],
    ['dark', 'pt-BR', 1280],
    ['light', 'pt-BR', 360],
    ['dark', 'en-US', 360],
  ] as const)(
    'no page of campaigns has a fault that axe-core knows, nor scrolls sideways: %s, %s, %i pixels',
    async (theme, locale, width) => {
      const numbers = ['02', '00', '01', '00', '00'].map((end, n) => `55119876${n % 4}00${end}`);
      const given = { cdlc_id: await aList(here.on, { numbers }), text: 'Oi', time_end: '23:59:59' };
      const before = await newCampaign({ ...given, name: `Before ${theme} ${width}` });
      const live = await newCampaign({
        ...{ ...given, name: `Live ${theme} ${width}` },
        ...{ resends: 1, time_resends: 200, cp_ativo: 1 },
      });
      const { page } = await here.open('/admin', { theme, locale, width });
      for (const path of [
        '/admin/campaigns',
        '/admin/campaigns/new',
        `/admin/campaigns/${before}`,
        `/admin/campaigns/${live}`,
      ]) {
        await page.goto('about:blank');
        await page.goto(here.on.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText(/^(Loading|Carregando)$/).waitFor({ state: 'detached' });
        if (/\d$/.test(path)) await page.locator('.figs').waitFor();
        if (path.endsWith(String(live))) await page.locator('.fleet [data-state]').first().waitFor();
        expect([path, await wrongWith(page)]).toEqual([path, []]);
        expect([
          path,
          (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width,
        ]).toEqual([path, true]);
        const name = path.replace(String(live), 'live').replace(String(before), 'before').split('/').at(-1)!;
        await keepPicture(page, `campaign-${name}-${theme}-${width}`);
      }
      await page.context().close();
    },
  );
});
