/** What the forms of campaigns offer: all lists and audios, to those who may use them, and times by the account's clock. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { aList, anAsset } from '../helpers/campaigns.ts';
import { describeInBrowser, personsPage, signInAt } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

describeInBrowser('in a browser', {}, (here) => {
  const path = `/admin/campaigns/new?account=${demoAccount}`;

  test('every list and audio of the account is offered, also beyond the first page of them', async () => {
    await here.on.database.pool.query(
      `INSERT INTO lists (account_id, id, name, active, records, created_at)
        SELECT $1, 20000 + n, 'many ' || n, true, 1, 0 FROM generate_series(1, 525) AS n`,
      [demoAccount],
    );
    await here.on.database.pool.query(
      `INSERT INTO audios (account_id, id, type, text, voice, wav, seconds, created_at, expires_at)
        SELECT $1, 20000 + n, 'upload', '', '', 'wav', 2, 0, 8e15 FROM generate_series(1, 525) AS n`,
      [demoAccount],
    );
    const { page } = await here.open(path);
    const lists = page.getByLabel('Or a list that is there').locator('option');
    await expect.poll(() => lists.filter({ hasText: 'many' }).count()).toBe(525);
    await page.getByRole('radio', { name: 'An audio' }).check();
    const audios = page.locator('section[aria-labelledby="h-heard"] select option');
    await expect.poll(() => audios.count()).toBeGreaterThanOrEqual(526);
    await page.context().close();
  });

  test('a list of audios or files that cannot be read is said to be, and is not left out', async () => {
    const { page } = await personsPage(here.browser);
    await page.route('**/admin/api/accounts/*/lists*', (route) =>
      route.fulfill({ status: 500, json: { error: 'the database is away' } }),
    );
    await signInAt(here.on, page, path);
    await page.getByText('the database is away').waitFor();
    await page.context().close();
  });

  test('an operator is told who may make a campaign or a call, before anything is filled in', async () => {
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Lia', role: 'operator' })).body;
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, path, key);
    const why = page.getByText('Only an administrator may do this.');
    await why.waitFor();
    expect(await page.getByRole('button', { name: 'Make the campaign' }).isDisabled()).toBe(true);
    await page.goto(`${here.on.url}/admin/try`);
    await why.waitFor();
    expect(await page.getByRole('button', { name: 'Call', exact: true }).isDisabled()).toBe(true);
    await page.context().close();
  });

  const madeAtPace = async (vel: number): Promise<number> => {
    const given = {
      name: 'Paced',
      cdlc_id: await aList(here.on),
      content: await anAsset(here.on),
      cp_ativo: 0,
      vel,
    };
    return (await here.on.admin('POST', `/accounts/${demoAccount}/campaigns`, given)).body.cp_id;
  };
  const bound = (box: Locator, name: string) => box.getAttribute(name);

  test('the slider takes the paces that the form takes, each by the keyboard, and after them no limit', async () => {
    const { page } = await here.open(path);
    const typed = page.getByLabel('Calls a minute');
    const [least, most] = [await bound(typed, 'min'), await bound(typed, 'max')];
    expect([least, most]).toEqual(['1', '100']);
    await page.goto(`${here.on.url}/admin/campaigns/${await madeAtPace(60)}`);
    const slider = page.getByRole('slider');
    const value = page.locator('.pace-value');
    await slider.press('ArrowRight');
    expect(await value.textContent()).toBe('61');
    await slider.press('Home');
    expect(await value.textContent()).toBe(least);
    await slider.press('ArrowRight');
    expect(await value.textContent()).toBe('2');
    await slider.press('End');
    expect(await value.textContent()).toBe('no limit');
    await slider.press('ArrowLeft');
    expect(await value.textContent()).toBe(most);
    await page.getByRole('button', { name: 'Set this pace' }).click();
    await page.getByText('Pace: 100.').waitFor();
    await page.context().close();
  });

  test.each([0, 250])('a pace of %i that a program has set stands on the slider as it is', async (set) => {
    const id = await madeAtPace(60);
    await here.on.admin('PATCH', `/accounts/${demoAccount}/campaigns/${id}`, { calls_per_minute: set });
    const { page } = await here.open(`/admin/campaigns/${id}`);
    const slider = page.getByRole('slider');
    expect(await slider.inputValue()).toBe(String(set));
    await slider.press('ArrowRight');
    expect(await page.locator('.pace-value').textContent()).toBe(set === 0 ? '1' : 'no limit');
    await page.context().close();
  });

  test('when a campaign was made stands by the clock of its account, the viewer’s on hover', async () => {
    const list = await aList(here.on);
    const content = await anAsset(here.on);
    const given = { name: 'Clock', cdlc_id: list, content, cp_ativo: 0 };
    const { cp_id: id } = (await here.on.admin('POST', `/accounts/${demoAccount}/campaigns`, given)).body;
    await here.on.database.pool.query('UPDATE campaigns SET created_at = $1 WHERE id = $2', [
      ...[Date.parse('2026-11-30T02:30:00Z'), id],
    ]);
    const { page } = await here.open('/admin/campaigns', { zone: 'Asia/Tokyo' });
    const made = page.getByRole('row').filter({ hasText: 'Clock' }).locator('time');
    await made.waitFor();
    expect(await made.textContent()).toContain('23:30');
    expect(await made.getAttribute('title')).toContain('11:30');
    await page.context().close();
  });

  test('a file of which one row can be called says so in the singular', async () => {
    const { page } = await here.open(path);
    const buffer = Buffer.from('phone;name\n11987650000;Ana\nnone;Bia\n');
    await page.locator('.drop input').setInputFiles({ name: 'one.csv', mimeType: 'text/csv', buffer });
    await page.getByText('one.csv: 1 row can be called.').waitFor();
    await page.getByText('1 of 2 rows was refused. Mend it here, or go on without it.').waitFor();
    await page.locator('[data-reject="2"]').getByLabel('Phone').fill('11987650001');
    await page.getByRole('button', { name: 'Take 1 corrected row', exact: true }).click();
    await page.getByText('one.csv: 2 rows can be called.').waitFor();
    await page.context().close();
  });

  test('columns of a file that are none of a list are named, until another file is chosen', async () => {
    const { page } = await here.open(path);
    const choose = (name: string, text: string) =>
      page.locator('.drop input').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('odd.csv', 'Nome;Telefone;Código;Observação\nAna;11987650000;7;às 9h\n');
    await page.getByText('odd.csv: 1 row can be called.').waitFor();
    await page
      .getByText(/^These columns are not read: .*Código.*, .*Observação.*\. A list has phone/)
      .waitFor();
    await page.getByRole('button', { name: 'Another file' }).click();
    await choose('plain.csv', 'nome;cod_cli;telefone\nAna;7;11987650000\n');
    await page.getByText('plain.csv: 1 row can be called.').waitFor();
    expect(await page.getByText('not read').count()).toBe(0);
    await page.context().close();
  });

  test('a file of which no row can be called is mended in the page before a campaign is made of it', async () => {
    const { page } = await here.open(path, { width: 360 });
    const buffer = Buffer.from('phone;name\nnone;Ana\n-;Bia\n');
    await page.locator('.drop input').setInputFiles({ name: 'odd.csv', mimeType: 'text/csv', buffer });
    await page.getByText('None of 2 rows can be called.').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('Olá');
    await page.getByRole('button', { name: 'Make the campaign' }).click();
    await page.getByText('No row of the list can be called yet').waitFor();
    await page.locator('[data-reject="2"]').getByLabel('Phone').fill('11987650001');
    await page.getByRole('button', { name: 'Take 1 corrected row', exact: true }).click();
    await page.getByText('odd.csv: 1 row can be called.').waitFor();
    await page.getByRole('button', { name: 'Make the campaign' }).click();
    await page.waitForURL(/\/admin\/campaigns\/\d+$/);
    await page.context().close();
  });

  test('a row that is refused once more stands in its columns, in whatever order the file had them', async () => {
    const { page } = await here.open(path);
    const buffer = Buffer.from('name,phone\nCaio,11987650000\n"Souza; ""Ana""",none\n');
    await page.locator('.drop input').setInputFiles({ name: 'two.csv', mimeType: 'text/csv', buffer });
    const row = page.locator('[data-reject="2"]');
    await row.getByLabel('Phone').fill('1198');
    await page.getByRole('button', { name: 'Take 1 corrected row', exact: true }).click();
    await page.getByText('Taken: 0. Still refused: 1.').waitFor();
    await row.getByText('1198;"Souza; ""Ana"""', { exact: true }).waitFor();
    expect(await row.getByLabel('Phone').inputValue()).toBe('1198');
    expect(await row.getByLabel('Name').inputValue()).toBe('Souza; "Ana"');
    await page.context().close();
  });

  test('what a new campaign lacks is said beside its box, in the words of the form', async () => {
    const list = await aList(here.on, { name: 'said beside' });
    const { page } = await here.open(`${path}&list=${list}`);
    await page.getByText('can be called').first().waitFor();
    const make = page.getByRole('button', { name: 'Make the campaign' });
    const text = page.locator('textarea').first();
    await make.click();
    await page.getByText('Write what is spoken, or choose an audio.').waitFor();
    await text.and(page.locator(':focus')).waitFor();
    await text.fill('Olá');

    const field = (name: string) => page.locator('label.f').filter({ hasText: name }).locator('input');
    await field('First day').fill('2026-02-03');
    await field('Last day').fill('2026-02-01');
    await make.click();
    await page.getByText('This is before the first day.').waitFor();
    await field('Last day').fill('2026-02-04');
    await make.click();
    await page.getByText('This day is over: no number would be called.').waitFor();
    await page.context().close();
  });

  test('a campaign or an account that is not there leads on to the search, and is not asked for again', async () => {
    const { page } = await here.open('/admin/campaigns/987654');
    await page.locator('.empty').getByRole('link', { name: 'Find' }).waitFor();
    await page.goto(`${here.on.url}/admin/accounts/98765`);
    await page.locator('.empty').getByRole('link', { name: 'Find' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.context().close();
  });
});
