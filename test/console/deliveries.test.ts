/** The page of deliveries: who does not take what is sent, and dead letters that are sent again. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeliveryInput } from '../../machines/delivery/input.ts';
import {
  brokenWords,
  describeInBrowser,
  isSideways,
  keepPicture,
  personsPage,
  signInAt,
  wrongWith,
} from '../helpers/console.ts';
import { aDataDir } from '../service/service.ts';
import { demoAccount } from '../helpers/service.ts';
import { patienceMs } from '../helpers/patience.ts';

const profiles = `/accounts/${demoAccount}/delivery-profiles`;
const campaign = 73;

const folder = aDataDir();

describeInBrowser('in a browser', { DELIVERY_DIR: folder.path }, (here) => {
  beforeAll(async () => {
    await here.on.database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
        date_start, date_end, time_start, time_end)
        VALUES ($1, $2, 0, 'play', 1, '{}', 'Natal', true, 'completed',
          '2026-11-20', '2026-11-20', '09:00:00', '18:00:00')`,
      [demoAccount, campaign],
    );
  });
  afterAll(() => folder.remove());

  const switchProfile = async (profile: number, active: boolean): Promise<void> => {
    expect((await here.on.admin('PATCH', `${profiles}/${profile}`, { active })).http).toBe(200);
  };

  /** A place that takes nothing until it is switched on. */
  const aClosedProfile = async (): Promise<number> => {
    const { body } = await here.on.admin('POST', profiles, { name: 'Office', kind: 'folder', active: false });
    return body.profile_id;
  };

  const reaches = (id: number, milestone: string) =>
    here.on.service.engine.waitFor({ shard: 'a', account: demoAccount, id }, milestone, patienceMs);

  /** A file of results that its place refuses: a dead letter at once. */
  const aDeadLetter = async (profile: number, file: string, target: string): Promise<number> => {
    const input: DeliveryInput = {
      ...{ purpose: 'results', subject: { campaign, profile, file }, about: `campaign ${campaign}`, target },
    };
    const begun = await here.on.service.engine.start({
      kind: 'delivery',
      shard: 'a',
      account: demoAccount,
      input,
    });
    if (begun.outcome !== 'started') throw new Error('not started');
    expect(await reaches(begun.ref.id, 'deadLetter')).toBe('reached');
    return begun.ref.id;
  };

  test('a receiver that does not take them stands with the last answer, and one is sent again, or all of them', async () => {
    const profile = await aClosedProfile();
    const target = 'folder <b>Office</b>';
    const letters = [];
    for (const file of ['one.csv', 'two.csv', 'three.csv'])
      letters.push(await aDeadLetter(profile, file, target));
    const { page, errors } = await here.open('/admin/deliveries');
    const row = page.getByRole('row').filter({ hasText: target });
    await row.getByText(`the delivery profile ${profile} is not active`, { exact: true }).waitFor();
    await page.getByText('One receiver has not taken 3.').waitFor();
    await row.getByText('has not taken 3', { exact: true }).waitFor();
    await row.getByRole('link', { name: `Open ${target}` }).click();
    await page.getByRole('heading', { level: 2, name: `Dead letters for ${target}` }).waitFor();
    expect(await page.locator('main b').count()).toBe(0);

    await switchProfile(profile, true);
    await page.getByLabel(`Choose a_${letters[0]}`).check();
    await page.getByRole('button', { name: 'Replay the chosen 1' }).click();
    await page.locator('dialog').getByText('1 chosen dead letter is sent again.').waitFor();
    await page.getByRole('button', { name: 'Replay now' }).click();
    await page.getByText('1 is on its way again.').waitFor();
    expect(await reaches(letters[0]!, 'delivered')).toBe('reached');

    await page.getByRole('button', { name: 'Replay 2' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Leave as it is' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    const stateOf = async (id: number) => (await here.on.admin('GET', `/machines/a_${id}`)).body.state;
    expect(await stateOf(letters[1]!)).toBe('deadLetter');
    await page.getByRole('button', { name: 'Replay 2' }).click();
    await page.locator('dialog').getByText(`All 2 dead letters for ${target} are sent again`).waitFor();
    expect(await wrongWith(page)).toEqual([]);
    await keepPicture(page, 'replay question');
    await page.getByRole('button', { name: 'Replay now' }).click();
    await page.getByText('2 are on their way again.').waitFor();
    for (const letter of letters) expect(await reaches(letter, 'delivered')).toBe('reached');
    expect(
      readdirSync(folder.path, { recursive: true }).filter((file) => String(file).endsWith('.csv')),
    ).toHaveLength(3);
    const { entries } = (await here.on.admin('GET', '/audit?kind=change')).body;
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions).toContain(`POST /machines/a_${letters[0]}/events`);
    expect(actions).toContain(`POST /accounts/${demoAccount}/deliveries/replay`);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['en-US', 'No news since', 'Every receiver takes what is sent.'],
    ['pt-BR', 'Sem notícias desde', 'Todo destino recebe o que se envia.'],
  ])('while the stream is cut, it is not claimed that all is taken: %s', async (locale, cut, taken) => {
    const { page } = await personsPage(here.browser, { locale });
    await page.route('**/admin/api/delivery-receivers', (route) =>
      route.fulfill({ json: { receivers: [] } }),
    );
    await page.route('**/admin/api/stream*', (route) => route.abort());
    await signInAt(here.on, page, '/admin/deliveries');
    const lead = page.locator('.head .lead');
    await lead.filter({ hasText: cut }).waitFor();
    expect([await lead.locator('.s-good').count(), await lead.getByText(taken).count()]).toEqual([0, 0]);
    await page.context().close();
  });

  test('how fast a receiver refuses is no health: what it has not taken comes first', async () => {
    const one = {
      ...{ cdcs_id: demoAccount, account: 'Demo', target: 'https://gone.example/', attempting: 0 },
      ...{ retrying: 0, waiting: 0, dead: 2, dead_since: 0, last_error: '410 Gone', next_at: null },
      last_error_in_words: { en: '410 Gone', pt: '410 Gone' },
      health: { state: 'closed', failures: 0, usual_ms: 446, next_at: null },
    };
    const well = {
      ...one,
      target: 'https://well.example/',
      dead: 0,
      last_error: '',
      last_error_in_words: { en: '', pt: '' },
    };
    const again = { ...well, target: 'https://again.example/', retrying: 3 };
    const { page } = await personsPage(here.browser);
    await page.route('**/admin/api/delivery-receivers', (route) =>
      route.fulfill({ json: { receivers: [one, well, again] } }),
    );
    await page.route('**/admin/api/stream*', (route) => route.abort());
    await signInAt(here.on, page, '/admin/deliveries');
    const health = (target: string) =>
      page.getByRole('row').filter({ hasText: target }).locator('[data-l="Health"]').innerText();
    await page.getByText('gone.example').waitFor();
    expect(await health('gone.example')).toBe('has not taken 2');
    expect(await health('again.example')).toBe('3 to be sent once more');
    expect(await health('well.example')).toBe('takes them in 446 ms');
    await page.context().close();
  });

  test('no short word of the table is broken, however long an address or an answer is', async () => {
    const answer = 'recusou: HTTP 410 Gone, e disse https://gone.example/' + 'moved/'.repeat(20);
    const receiver = {
      ...{
        cdcs_id: demoAccount,
        account: 'Demo',
        target: `https://gone.example/${'hook-of-ours/'.repeat(20)}`,
      },
      ...{
        attempting: 0,
        retrying: 0,
        waiting: 0,
        dead: 3,
        dead_since: 0,
        next_at: null,
        last_error: answer,
      },
      last_error_in_words: { en: answer, pt: answer },
      health: { state: 'closed', failures: 0, usual_ms: 446, next_at: null },
    };
    const { page } = await personsPage(here.browser, { locale: 'pt-BR' });
    await page.route('**/admin/api/delivery-receivers', (route) =>
      route.fulfill({ json: { receivers: [receiver] } }),
    );
    await page.route('**/admin/api/stream*', (route) => route.abort());
    await signInAt(here.on, page, '/admin/deliveries');
    await page.getByRole('button', { name: 'Reenviar 3' }).waitFor();
    const broken = await brokenWords(page, 'td');
    expect(broken.filter((word) => word.length < 20)).toEqual([]);
    const box = await page.getByRole('button', { name: 'Reenviar 3' }).boundingBox();
    expect(box!.height).toBeLessThan(32);
    expect(await isSideways(page)).toBe(false);
    await page.context().close();
  });

  test('who does not answer as it should is told at the top, in the language of the page', async () => {
    const failing = {
      ...{ cdcs_id: demoAccount, account: 'Demo', target: 'the callback address of the account' },
      ...{ attempting: 0, retrying: 1, waiting: 0, dead: 0, dead_since: null, next_at: null },
      last_error: 'notNow: it answered HTTP 503',
      last_error_in_words: { en: 'it answered HTTP 503', pt: 'respondeu HTTP 503' },
      health: { state: 'closed', failures: 2, usual_ms: 446, next_at: null },
    };
    const { page } = await personsPage(here.browser, { locale: 'pt-BR' });
    await page.route('**/admin/api/delivery-receivers', (route) =>
      route.fulfill({ json: { receivers: [failing] } }),
    );
    await page.route('**/admin/api/stream*', (route) => route.abort());
    await signInAt(here.on, page, '/admin/deliveries');
    await page.getByText('1 destino não responde como deveria. O envio se repete sozinho.').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'o endereço de retorno da conta' });
    await expect.poll(() => row.innerText()).toMatch(/respondeu HTTP 503/);
    expect(await row.innerText()).not.toContain('notNow');
    await page.context().close();
  });

  test('a letter that dies while the page is shown stands there at once', async () => {
    const profile = await aClosedProfile();
    const target = 'folder of now';
    await aDeadLetter(profile, 'first.csv', target);
    const { page, errors } = await here.open(`/admin/deliveries?account=${demoAccount}&target=folder+of+now`);
    await page.getByRole('button', { name: 'Replay all of them' }).waitFor();
    const second = await aDeadLetter(profile, 'second.csv', target);
    await page.getByLabel(`Choose a_${second}`).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: target })
      .getByRole('button', { name: 'Replay 2' })
      .waitFor();
    await switchProfile(profile, true);
    await here.on.admin('POST', `/machines/a_${second}/events`, { type: 'replay' });
    await page.getByLabel(`Choose a_${second}`).waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('Now sends again those of one receiver only, after a question', async () => {
    const profile = await aClosedProfile();
    const one = await aDeadLetter(profile, 'here.csv', 'the folder here');
    const other = await aDeadLetter(profile, 'there.csv', 'the folder there');
    await switchProfile(profile, true);
    const { page, errors } = await here.open();
    const stateOf = async (id: number) => (await here.on.admin('GET', `/machines/a_${id}`)).body.state;
    const row = page.locator('ul.attention li').filter({ hasText: 'the folder here' });
    await row.getByRole('button', { name: /^Replay ?: the folder here/ }).click();
    await page.locator('dialog').getByRole('button', { name: 'Leave as it is' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await stateOf(one)).toBe('deadLetter');
    await row.getByRole('button', { name: /^Replay ?: the folder here/ }).click();
    await page.locator('dialog').getByText('The dead letter for the folder here is sent again.').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    await page.getByRole('button', { name: 'Replay now' }).click();
    await page.getByText('1 is on its way again.').waitFor();
    expect(await reaches(one, 'delivered')).toBe('reached');
    expect(await stateOf(other)).toBe('deadLetter');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('only those of one receiver, that began since a moment, are sent again', async () => {
    const profile = await aClosedProfile();
    const old = await aDeadLetter(profile, 'old.csv', 'folder of before');
    await here.on.database.pool.query('UPDATE machines SET created_at = 0 WHERE id = $1', [old]);
    const recent = await aDeadLetter(profile, 'recent.csv', 'folder of before');
    const other = await aDeadLetter(profile, 'other.csv', 'another folder');
    await switchProfile(profile, true);
    const { page } = await here.open(`/admin/deliveries?account=${demoAccount}&target=folder+of+before`, {
      locale: 'pt-BR',
    });
    await page.getByLabel('Começaram desde').fill('2026-01-01T00:00:00');
    await page.getByRole('button', { name: 'Mostrar' }).click();
    await page.getByRole('button', { name: 'Reenviar todas desde então' }).click();
    await page.getByRole('button', { name: 'Reenviar agora' }).click();
    expect(await reaches(recent, 'delivered')).toBe('reached');
    const stateOf = async (id: number) => (await here.on.admin('GET', `/machines/a_${id}`)).body.state;
    expect([await stateOf(old), await stateOf(other)]).toEqual(['deadLetter', 'deadLetter']);
    await page.context().close();
  });

  test('an operator may send again, page by page, and goes on where the page before ended', async () => {
    const profile = await aClosedProfile();
    for (const file of ['a.csv', 'b.csv', 'c.csv']) await aDeadLetter(profile, file, 'paged');
    const path = `/accounts/${demoAccount}/deliveries/replay`;
    const first = (await here.on.admin('POST', path, { target: 'paged', most: 2 })).body;
    expect(first).toMatchObject({ replayed: 2, more: true });
    const second = (await here.on.admin('POST', path, { target: 'paged', most: 2, after: first.after })).body;
    expect(second).toEqual({ replayed: 1, more: false, after: null });
    expect((await here.on.admin('POST', path, { after: 'x' })).http).toBe(400);
  });

  test.each([
    ['light', 'en-US', 1280],
    ['dark', 'pt-BR', 360],
  ] as const)(
    'has no fault that axe-core knows, and does not scroll sideways: %s, %s, %i pixels',
    async (theme, locale, width) => {
      await aDeadLetter(await aClosedProfile(), `${theme}.csv`, `folder ${'long'.repeat(30)} \u202Eabc`);
      const { page } = await here.open(`/admin/deliveries?account=${demoAccount}`, { theme, locale, width });
      await page.getByRole('heading', { level: 2 }).nth(1).waitFor();
      await page.getByText(/^(Loading|Carregando)$/).waitFor({ state: 'detached' });
      expect(await wrongWith(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.context().close();
    },
  );
});
