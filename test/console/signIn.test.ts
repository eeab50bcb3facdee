/** The door of the console, in a real browser. */
import { expect, test } from 'vitest';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';

describeInBrowser('in a browser', {}, (here) => {
  test('the printed link signs in, leaves no code in the address, and asks no other origin', async () => {
    const { page, errors, asked } = await personsPage(here.browser);
    const link = await here.on.service.signInLink();
    await page.goto(link.replace('http://localhost:8080', here.on.url));
    await page.locator('.app').waitFor();
    expect(page.url()).toBe(`${here.on.url}/admin`);
    await page.reload();
    await page.locator('.app').waitFor();
    expect(errors).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(`${here.on.url}/`))).toEqual([]);
    await page.context().close();
  });

  test('an address asked for without a session is shown after signing in with a key', async () => {
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
    const { page } = await personsPage(here.browser, { locale: 'pt-BR' });
    await page.goto(`${here.on.url}/admin/machines/a_1#rev=3`);
    await page.getByLabel('Chave de operador').fill('wrong');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Esta chave não abre nada aqui.').waitFor();
    await page.getByLabel('Chave de operador').fill(key);
    await page.keyboard.press('Enter');
    await page.locator('.app').waitFor();
    expect(page.url()).toBe(`${here.on.url}/admin/machines/a_1#rev=3`);
    expect(await page.locator('.rail .foot').textContent()).toContain('Ana');
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await page.context().close();
  });

  test('an address asked for without a session is shown after signing in by a link in the same tab', async () => {
    const { page, errors } = await personsPage(here.browser);
    const id = (await here.on.post('MakeTTSCall', { dest: '11987650012', text: 'Oi' })).body.return.cd_id;
    await here.on.ended(id);
    await page.goto(`${here.on.url}/admin/machines/${id}#rev=1`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const link = async () =>
      (await here.on.service.signInLink()).replace('http://localhost:8080', here.on.url);
    await page.goto(await link());
    await page.locator('.travelled').waitFor();
    expect(page.url()).toBe(`${here.on.url}/admin/machines/${id}#rev=1`);
    // What was asked for once is not gone to by a later link.
    await page.goto('about:blank');
    await page.goto(await link());
    await page.locator('.app').waitFor();
    expect(page.url()).toBe(`${here.on.url}/admin`);
    expect(errors.filter((error) => !error.includes('401 (Unauthorized)'))).toEqual([]);
    await page.context().close();
  });

  test('a link that was used says so', async () => {
    const link = (await here.on.service.signInLink()).replace('http://localhost:8080', here.on.url);
    const first = await personsPage(here.browser);
    await first.page.goto(link);
    await first.page.locator('.app').waitFor();
    const second = await personsPage(here.browser);
    await second.page.goto(link);
    await second.page.getByText('This link was used').waitFor();
    await first.page.context().close();
    await second.page.context().close();
  });

  test('who signs out in one page is signed out in the others of the browser', async () => {
    const { page } = await here.open();
    const other = await page.context().newPage();
    // A page without a stream, which hears nothing of the service.
    await other.goto(`${here.on.url}/admin/find?q=demo`);
    await other.getByRole('cell', { name: 'token', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('Your session has ended. Sign in to go on.').waitFor();
    expect(await other.getByRole('cell').count()).toBe(0);
    await page.context().close();
  });

  test('a telephone has a way out as well: in Settings, and among the commands', async () => {
    const { page } = await here.open('/admin/settings', { width: 360, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await signInAt(here.on, page);
    await page.getByRole('button', { name: /^Buscar ou comandar/ }).click();
    await page.getByRole('combobox').fill('sair');
    await page.getByRole('option', { name: 'Sair', exact: true }).click();
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await page.context().close();
  });

  test('a telephone leads to all pages: those without a tab stand in Settings', async () => {
    const { page, errors } = await here.open('/admin/settings', { width: 360 });
    for (const name of ['Conversations', 'Deliveries']) {
      await page.locator('main').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page
        .getByRole('navigation', { name: 'Main pages' })
        .getByRole('link', { name: 'Settings' })
        .click();
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('language, theme, palette and keyboard map are a key away, and single keys can be switched off', async () => {
    const { page, errors } = await here.open();
    await page.keyboard.press('p');
    await page.getByRole('navigation', { name: 'Páginas', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    await page.keyboard.press('d');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('a_123');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${here.on.url}/admin/machines/a_123`);
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.waitForURL(`${here.on.url}/admin`);
    await page.keyboard.press('?');
    await page.getByRole('button', { name: /Teclas simples ativas/ }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    await page.reload();
    await page.locator('.app').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    // There is no machine a_123, and the page says so.
    expect(errors.filter((error) => !error.includes('404 (Not Found)'))).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)(
    'the door and what floats have no fault that axe-core knows: %s, %i pixels',
    async (theme, width) => {
      const { page } = await personsPage(here.browser, { theme, width });
      await page.goto(`${here.on.url}/admin`);
      await page.getByRole('heading').waitFor();
      expect(await wrongWith(page)).toEqual([]);
      await signInAt(here.on, page);
      await page.keyboard.press('/');
      await page.getByRole('combobox').waitFor();
      expect(await wrongWith(page)).toEqual([]);
      await page.keyboard.press('Escape');
      // The very next key is heard.
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard map' }).waitFor();
      expect(await wrongWith(page)).toEqual([]);
      await page.context().close();
    },
  );
});
