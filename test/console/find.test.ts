/** The page Find in a real browser: what it names has a page, and its times are on the clock of the account. */
import { expect, test } from 'vitest';
import { saveInboundMessages } from '../../src/store/inboundMessages.ts';
import { aList } from '../helpers/campaigns.ts';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

describeInBrowser('in a browser', {}, (here) => {
  test('a token that is found by its label leads to its page', async () => {
    await here.on.admin('POST', `/accounts/${demoAccount}/tokens`, { label: 'shop <b>front</b>' });
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
    const { page, errors } = await personsPage(here.browser);
    await signInAt(here.on, page, '/admin/find?q=shop', key);
    await page.getByRole('link', { name: 'shop <b>front</b>' }).click();
    await page.waitForURL(new RegExp(`/admin/accounts/${demoAccount}/tokens/\\d+$`));
    await page.getByText('shop <b>front</b>').first().waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a person who wrote by chat is found by number, and leads to the conversation', async () => {
    const at = Date.now();
    const contact = '551187650044';
    await saveInboundMessages(here.on.database.pool, {
      ...{ account: demoAccount, line: 1, at, conversations: new Map([[contact, at]]) },
      messages: [
        {
          ...{ upstreamId: 'wamid.44', sentAt: at, contact, name: 'Rita', type: 'text' },
          ...{ body: 'Bom dia', payload: '{}' },
        },
      ],
    });
    const { page } = await here.open(`/admin/find?q=${encodeURIComponent('11 98765-0044')}`);
    await page.getByRole('link', { name: 'Rita' }).click();
    await page.locator('main').getByText('Bom dia').last().waitFor();
    await page.context().close();

    const made = { name: 'Masked', role: 'operator', masked_numbers: true };
    const { key } = (await here.on.admin('POST', '/operators', made)).body;
    const masked = await personsPage(here.browser);
    await signInAt(here.on, masked.page, '/admin/find?q=5511987650044', key);
    await masked.page.getByRole('link', { name: 'Rita' }).click();
    await masked.page.locator('main').getByText('Bom dia').last().waitFor();
    expect(await masked.page.content()).not.toContain(contact);
    await masked.page.context().close();
  });

  test('an account is found by a part of its name, and leads to its page', async () => {
    const { body: made } = await here.on.admin('POST', '/accounts', { name: 'Padaria São João' });
    const { page } = await here.open('/admin/find?q=sao%20joao', { locale: 'pt-BR' });
    await page.getByRole('cell', { name: 'conta', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Padaria São João' }).click();
    await page.waitForURL(`${here.on.url}/admin/accounts/${made.cdcs_id}`);
    await page.context().close();
  });

  test('signs that mean anything to a database are found as they stand only', async () => {
    await here.on.admin('POST', `/accounts/${demoAccount}/tokens`, { label: '50% off_season' });
    const found = async (text: string): Promise<string[]> =>
      (await here.on.admin('GET', `/find?q=${encodeURIComponent(text)}`)).body.found
        .filter(({ kind }: { kind: string }) => kind === 'token')
        .map(({ title }: { title: string }) => title);
    expect(await found('%')).toEqual(['50% off_season']);
    expect(await found('f_s')).toEqual(['50% off_season']);
    expect(await found('d_m')).toEqual([]);
  });

  test.each([
    ['1133445566', '3344-5566', '551133445566'],
    ['2198765-0512', '98765-0512', '5521987650512'],
    ['2198765-0612', '987650612', '5521987650612'],
    ['2187650712', '87650712', '5521987650712'],
  ])('a call to %s is found as %s, without its area code', async (dest, typed, title) => {
    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest, text: 'Oi' })).body.return;
    const { found } = (await here.on.admin('GET', `/find?q=${encodeURIComponent(typed)}`)).body;
    expect(found).toMatchObject([{ kind: 'call', id, title }]);
  });

  test('a name that nothing has is told that names in lists are not looked for', async () => {
    await aList(here.on);
    const { page } = await here.open('/admin/find?q=person%201');
    await page
      .getByText('Names of people in lists are not looked for: type the number that is called.')
      .waitFor();
    await page.context().close();
  });

  test('where nothing was asked for yet, all of a kind are a press away', async () => {
    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650412', text: 'Oi' })).body
      .return;
    const { page } = await here.open('/admin/find', { width: 360 });
    await page.getByText('Or go through all of a kind').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    await page.locator('main').getByRole('link', { name: 'Calls' }).click();
    await page.getByText('Machines: call').waitFor();
    await page.getByRole('link', { name: `5511987650412 ${id}` }).waitFor();
    await page.context().close();
  });

  test('calls of a state are listed with their numbers, kinds in the language of the page', async () => {
    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650112', text: 'Oi' })).body
      .return;
    await here.on.ended(id);
    const { page } = await here.open('/admin/find?kind=call', { locale: 'pt-BR' });
    await page.getByText('Máquinas: ligação').waitFor();
    await page.getByRole('cell', { name: 'ligação', exact: true }).first().waitFor();
    await page.getByRole('link', { name: `5511987650112 ${id}` }).click();
    await page.getByRole('heading', { name: '5511987650112' }).waitFor();
    await page.locator('.crumb').getByRole('link', { name: 'ligação' }).waitFor();
    await page.context().close();

    const operator = { name: 'Masked', role: 'operator', masked_numbers: true };
    const { key } = (await here.on.admin('POST', '/operators', operator)).body;
    const masked = await personsPage(here.browser);
    await signInAt(here.on, masked.page, '/admin/find?kind=call', key);
    await masked.page.getByRole('link', { name: id }).waitFor();
    expect(await masked.page.content()).not.toContain('987650112');
    await masked.page.context().close();
  });

  test('an id is found as a telephone writes it, with a capital letter', async () => {
    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650212', text: 'Oi' })).body
      .return;
    const typed = id.toUpperCase();
    const { page } = await here.open(`/admin/find?q=${typed}`, { width: 360 });
    await page.getByRole('link', { name: id }).waitFor();
    await page.getByRole('button', { name: /^Find or command/ }).click();
    await page.getByRole('combobox').fill(typed);
    await page.getByRole('option', { name: `Open machine ${typed}` }).click();
    await page.getByRole('heading', { name: '5511987650212' }).waitFor();
    await page.context().close();
  });

  test('a service that did not answer is asked again, by itself and by a button', async () => {
    const { page } = await here.open();
    await page.route('**/admin/api/find?*', (route) => route.abort());
    await page.goto(`${here.on.url}/admin/find?q=anything`);
    await page.getByText('The service does not answer.').waitFor();
    const [again] = await Promise.all([
      page.waitForRequest('**/admin/api/find?*'),
      page.getByRole('button', { name: 'Try again' }).click(),
    ]);
    expect(again.method()).toBe('GET');
    await page.unroute('**/admin/api/find?*');
    await page.getByText('Nothing has this name.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    const { cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650312', text: 'Oi' })).body
      .return;
    await page.route('**/admin/api/machines/**', (route) => route.abort());
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await page.getByText('The service does not answer.').waitFor();
    await page.unroute('**/admin/api/machines/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: '5511987650312' }).waitFor();
    await page.context().close();
  });

  test("times are on the account's clock, with the viewer's on hover", async () => {
    await here.on.admin('PATCH', `/accounts/${demoAccount}`, { time_zone: 'America/Noronha' });
    const id = (await here.on.post('MakeTTSCall', { dest: '11987650012', text: 'Oi' })).body.return.cd_id;
    await here.on.ended(id);
    const { page } = await here.open('/admin', { zone: 'Asia/Tokyo' });
    for (const path of ['/admin/find?q=11987650012', '/admin/find?kind=call']) {
      await page.goto(here.on.url + path);
      const time = page.locator('main time').first();
      const at = new Date((await time.getAttribute('datetime')) ?? '');
      const on_ = (timeZone: string) =>
        new Intl.DateTimeFormat('en', {
          dateStyle: 'short',
          timeStyle: 'medium',
          hourCycle: 'h23',
          timeZone,
        }).format(at);
      expect([await time.textContent(), await time.getAttribute('title')]).toEqual([
        on_('America/Noronha'),
        `Your time: ${on_('Asia/Tokyo')}`,
      ]);
    }
    await page.context().close();
  });
});
