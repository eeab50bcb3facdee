/** Nothing of the service stands in English, or as programs write it, where a person reads the console in Portuguese. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../helpers/console.ts';
import { adminToken, demoAccount } from '../helpers/service.ts';
import { insertStandingMachines } from '../helpers/standingMachines.ts';

describeInBrowser('in a browser', {}, (here) => {
  const inPortuguese = async (path: string): Promise<Page> => {
    const { page } = await here.open(path, { locale: 'pt-BR' });
    return page;
  };

  /** A list of a CSV file; answers its id. */
  const aListOf = async (text: string): Promise<number> => {
    const answer = await fetch(`${here.on.url}/admin/api/accounts/${demoAccount}/lists?file=people.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'text/csv' },
      body: text,
    });
    return ((await answer.json()) as { cdlc_id: number }).cdlc_id;
  };

  test('the reasons of refused rows are said in Portuguese in Settings too', async () => {
    const list = await aListOf(`phone;name\n11987650000;Ana\nx;Bia\n11987650000;${'x'.repeat(300)}\n`);
    const page = await inPortuguese(`/admin/accounts/${demoAccount}/lists/${list}/rejects`);
    await page.getByText('Não é um número de telefone.', { exact: true }).waitFor();
    await page.getByText('name: tem mais de 200 caracteres', { exact: true }).waitFor();
    await page.context().close();
  });

  test('the kinds of the audit log are said in Portuguese, and named as the API does on hover', async () => {
    await here.on.admin('POST', `/accounts/${demoAccount}/groups`, { name: 'Vendas' });
    const page = await inPortuguese('/admin/audit?kind=change');
    const row = page.getByRole('row').filter({ hasText: 'POST /accounts/3/groups' }).first();
    const kind = row.getByText('mudança', { exact: true });
    await kind.waitFor();
    expect(await kind.getAttribute('title')).toBe('change');
    await page.context().close();
  });

  test('Now says in Portuguese why a machine needs a look, and why letters are dead', async () => {
    await insertStandingMachines(here.on.database, [
      {
        account: demoAccount,
        id: 990,
        kind: 'call',
        state: 'closing',
        attention: 'hangUp: a trunk said "no"',
      },
      { account: demoAccount, id: 991, kind: 'delivery', state: 'deadLetter' },
    ]);
    await here.on.database.pool.query(
      `INSERT INTO deliveries (account_id, id, created_at, purpose, subject, target, about_id, state, attempts, last_error)
        VALUES ($1, 991, $2, 'callback', 'call', 'https://loja.example', 990, 'deadLetter', 3, $3)`,
      [demoAccount, Date.now(), 'gone: it says that it is gone for good (HTTP 410)'],
    );
    const page = await inPortuguese('/admin');
    const row = (text: string) => page.locator('ul.attention li').filter({ hasText: text });
    await row('Pede atenção: ligação a_990').getByText('foi abandonado: “a trunk said').waitFor();
    await row('loja.example').getByText('informa que saiu do ar em definitivo').waitFor();
    expect(await row('loja.example').textContent()).not.toContain('gone');
    await page.goto(`${here.on.url}/admin/find?attention=1`);
    await page.getByText('foi abandonado: “a trunk said').waitFor();
    await page.context().close();
  });

  test('the days of a campaign stand as Portuguese writes days', async () => {
    await here.on.database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state, phase,
        date_start, date_end, time_start, time_end, destinations, made)
        VALUES ($1, 811, $2, 'play', 1, '{}', 'Natal', true, 'active', 'draining', '2026-11-20', '2090-12-24',
          '09:00:00', '18:00:00', 10, 10)`,
      [demoAccount, Date.now()],
    );
    const page = await inPortuguese('/admin');
    const alert = page.locator('ul.attention li').filter({ hasText: 'A campanha Natal' });
    await alert.getByText('o último dia é 24/12/2090').waitFor();
    const table = page.locator('section[aria-labelledby="campaigns"]');
    await table.getByText('24/12/2090', { exact: true }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('2090-12-24');
    await page.goto(`${here.on.url}/admin/campaigns/811`);
    await page.getByText('20/11/2026 – 24/12/2090').waitFor();
    await page.context().close();
  });

  test('rows that were refused stand with their line of the file, and the header is line 1', async () => {
    const list = await aListOf('phone;name\n11987650000;Ana\nx;Bia\n');
    const page = await inPortuguese(`/admin/campaigns/new?account=${demoAccount}&list=${list}`);
    const row = page.locator('[data-reject="2"]');
    await row.getByRole('cell', { name: '3', exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Linha do arquivo', exact: true }).waitFor();
    await page.getByText('A linha 1 é o cabeçalho; linhas vazias não contam.', { exact: true }).waitFor();
    await page.context().close();
  });

  test('the attempts of a call are told in words, with their times on the clock of the account', async () => {
    const { cd_id: call } = (await here.on.post('MakeTTSCall', { dest: '11987650001', text: 'Oi' })).body
      .return;
    await here.on.ended(call);
    const page = await inPortuguese(`/admin/machines/${call}`);
    const attempts = page.locator('section:has(#record) .attempts');
    await attempts.getByText('Tentativa 1: ocupado', { exact: true }).waitFor();
    await attempts.getByText('Discada').waitFor();
    const record = await page.locator('section:has(#record)').textContent();
    expect(record).not.toMatch(/"attempt"|dialedAt|BUSY","/);
    await page.context().close();
  });

  test('what an audited request sent is told by its fields', async () => {
    await here.on.admin('POST', `/accounts/${demoAccount}/groups`, { name: 'Vendas do Sul' });
    const page = await inPortuguese('/admin/audit?kind=change');
    const row = page.getByRole('row').filter({ hasText: 'Vendas do Sul' });
    await row.locator('dt').getByText('nome', { exact: true }).waitFor();
    await row.locator('dd').getByText('Vendas do Sul', { exact: true }).waitFor();
    expect(await row.textContent()).not.toContain('{');
    await page.context().close();
  });

  test.each([
    ['pt-BR', /^Resultados/, ';'],
    ['en-US', /^Results/, null],
  ])('in %s the results of a campaign open in columns', async (locale, name, delimiter) => {
    await here.on.database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state, phase,
        date_start, date_end, time_start, time_end, destinations, made, ended)
        VALUES ($1, 812, $2, 'play', 1, '{}', 'Verão', true, 'completed', '', '2026-11-20', '2026-11-20',
          '09:00:00', '18:00:00', 1, 1, 1) ON CONFLICT DO NOTHING`,
      [demoAccount, Date.now()],
    );
    const { page } = await here.open('/admin/campaigns/812', { locale });
    const href = await page.getByRole('link', { name }).getAttribute('href');
    expect(new URL(href!, here.on.url).searchParams.get('delimiter')).toBe(delimiter);
    await page.context().close();
  });

  test('at 360 pixels what was just done is said above the tabs', async () => {
    const { page } = await here.open('/admin', { locale: 'pt-BR', width: 360 });
    await page.locator('.tabs').waitFor();
    const [said, tabs] = await page.evaluate<[number, number]>(
      `[document.querySelector('.toast').getBoundingClientRect().bottom, document.querySelector('.tabs').getBoundingClientRect().top]`,
    );
    expect(said).toBeLessThanOrEqual(tabs);
    await page.context().close();
  });
});
