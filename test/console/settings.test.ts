/** Settings in a real browser: records are made, changed, listed and removed by forms; what may not be done says why. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import {
  type OpenApiDescription,
  resourcesFromOpenApi,
} from '../../src/console/app/pages/settings/resourcesFromOpenApi.ts';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';

const resources = resourcesFromOpenApi(
  JSON.parse(JSON.stringify(adminOpenApi('http://localhost', '1'))) as OpenApiDescription,
);

const hostile = `<img src=x onerror="document.title='broken'">\u202Eabc`;

describeInBrowser('in a browser', {}, (here) => {
  const box = (page: Page, name: string) =>
    page.locator(`[data-path="${name}"]`).locator('input, select, textarea');
  const settle = (page: Page) => page.getByText(/^(Loading|Carregando)$/).waitFor({ state: 'detached' });

  test('an account is made, changed and left with a token that is shown once', async () => {
    const { page, errors } = await here.open('/admin/accounts');
    await page.getByRole('link', { name: 'New account' }).click();
    await box(page, 'name').fill('Loja <b>Sul</b>');
    await box(page, 'time_zone').fill('America/Manaus');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Loja <b>Sul</b>' }).waitFor();
    await page.waitForURL(/\/admin\/accounts\/\d+$/);

    await box(page, 'concurrent_calls').fill('20');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    const id = Number(/\d+$/.exec(page.url())![0]);
    expect((await here.on.admin('GET', `/accounts/${id}`)).body).toMatchObject({
      ...{ name: 'Loja <b>Sul</b>', time_zone: 'America/Manaus', concurrent_calls: 20 },
    });

    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    await page.getByText('Make a token: it is shown once').waitFor();
    await page.getByRole('link', { name: 'New token' }).click();
    await box(page, 'label').fill('shop');
    await box(page, 'allowed_ips').fill('127.0.0.0/8\n10.0.0.0/8');
    await box(page, 'expires').fill('2027-01-02T03:04:05');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await page.locator('.once input').inputValue();
    expect(secret).toMatch(/^\w{30}$/);
    await page.getByRole('link', { name: 'Go on to shop' }).click();
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    expect(await page.locator('main').innerHTML()).not.toContain(secret);
    const [token] = (await here.on.admin('GET', `/accounts/${id}/tokens`)).body.tokens;
    // At 03:04 in Manaus it is 07:04 in Greenwich.
    expect(token).toMatchObject({
      allowed_ips: ['127.0.0.0/8', '10.0.0.0/8'],
      expires: Date.UTC(2027, 0, 2, 7, 4, 5),
    });
    const { entries } = (await here.on.admin('GET', `/audit?kind=change&account=${id}`)).body;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining([`PATCH /accounts/${id}`, `POST /accounts/${id}/tokens`]),
    );
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('what is wrong stands beside its field, which takes the focus', async () => {
    const { page } = await here.open('/admin/accounts/3/queues/new');
    await box(page, 'name').fill('Sales');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.locator('[data-path="members.0.target"] input').fill('nobody');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const place = page.locator('[data-path="members.0.target"]');
    await place.getByText(/must be a telephone number or a SIP URI/).waitFor();
    expect(await place.locator(':focus').count()).toBe(1);
    await page.locator('[data-path="members.0.target"] input').fill('5511987650009');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor();
    await page.getByText('1 of 1 free.').waitFor();
    await page.getByText('The queue is empty.').waitFor();

    await page.goto(`${here.on.url}/admin/accounts/new`);
    await box(page, 'name').fill('Windows');
    await box(page, 'calling_windows').fill('{');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('[data-path="calling_windows"]').getByText('This is no JSON.').waitFor();

    await page.goto(`${here.on.url}/admin/accounts/3/tokens/new`);
    await box(page, 'label').fill('no messages');
    await page.locator('[data-path="permissions.apis.sms"] select').selectOption('false');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const made = async () => (await here.on.admin('GET', '/accounts/3/tokens')).body.tokens.at(-1);
    await expect.poll(made).toMatchObject({ label: 'no messages', permissions: { apis: { sms: false } } });
    await page.context().close();
  });

  test('a route gets the settings of its kind, and its secret is never shown', async () => {
    const { page } = await here.open('/admin/accounts/3/sms-routes/new');
    await box(page, 'name').fill('carrier');
    await box(page, 'kind').selectOption('smpp');
    await page.locator('[data-path="settings.host"] input').fill('smpp.example.com');
    await page.locator('[data-path="settings.system_id"] input').fill('ramal');
    const password = page.locator('[data-path="secret.password"] input');
    expect(await password.getAttribute('type')).toBe('password');
    await password.fill('hunter22');
    await box(page, 'active').selectOption('false');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'carrier' }).waitFor();
    await page.locator('[data-path="settings.port"] input').fill('2776');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.locator('main').innerHTML()).not.toContain('hunter22');
    const { sms_routes: routes } = (await here.on.admin('GET', '/accounts/3/sms-routes')).body;
    expect(routes.at(-1)).toMatchObject({
      has_secret: true,
      settings: { host: 'smpp.example.com', port: 2776 },
    });
    await page.context().close();
  });

  test('a file of numbers is put on the block list, and one is taken off after a question', async () => {
    const { page } = await here.open('/admin/accounts/3/blocklist', { locale: 'pt-BR' });
    const section = page.getByRole('region', { name: 'Bloquear os números de um arquivo', exact: true });
    await section.locator('input[type=file]').setInputFiles({
      ...{
        name: 'numbers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('11987650071\n11987650072\nnobody\n'),
      },
    });
    await section.locator('[data-path="reason"] input').fill(hostile);
    await section.getByRole('button', { name: 'Pôr na lista' }).click();
    await section.getByRole('status').getByText('refusals').waitFor();
    await page.getByRole('link', { name: '5511987650071' }).click();
    await page.getByRole('heading', { level: 1, name: '5511987650071' }).waitFor();
    expect(await box(page, 'reason').inputValue()).toBe(hostile);
    await page.getByRole('button', { name: /^Remover/ }).click();
    await page
      .locator('dialog')
      .getByRole('button', { name: /^Remover/ })
      .click();
    await page.waitForURL(`${here.on.url}/admin/accounts/3/blocklist`);
    await page.getByRole('link', { name: '5511987650072' }).waitFor();
    expect(await page.getByRole('link', { name: '5511987650071' }).count()).toBe(0);
    await page.context().close();
  });

  test('a template is written beside what the phone shows, and its page tells of its review', async () => {
    const { page, errors } = await here.open('/admin/accounts/3/templates/new');
    await box(page, 'v8l_id').selectOption('1');
    await box(page, 'cwt_name').fill('pedido_pronto');
    await box(page, 'cwt_category').fill('UTILITY');
    await box(page, 'cwt_language').fill('pt_BR');
    await box(page, 'cwt_body_text').fill('Olá {{1}}, <b>pronto</b>');
    const phone = page.locator('.phone');
    await phone.getByText('Olá {{1}}, <b>pronto</b>').waitFor();
    const lacks = page.getByText('Still empty: the review asks for an example of each gap.', { exact: true });
    await lacks.waitFor();
    await page.getByLabel('Example for {{1}} of the text', { exact: true }).fill('Ana');
    await lacks.waitFor({ state: 'hidden' });
    await box(page, 'cwt_header_text').fill('Loja {{1}}');
    await page.getByLabel('Example for {{1}} of the header', { exact: true }).waitFor();
    await box(page, 'cwt_header_text').fill('');
    await page.getByLabel('Example for {{1}} of the header', { exact: true }).waitFor({ state: 'detached' });
    await phone.getByText('Olá Ana, <b>pronto</b>').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'pedido_pronto' }).waitFor();
    await page.getByText('It was not submitted for review yet.').waitFor();
    await phone.getByText('Olá Ana, <b>pronto</b>').waitFor();
    await box(page, 'cwt_footer_text').fill('Loja Sul');
    await phone.getByText('Loja Sul').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    const id = Number(/\d+$/.exec(page.url())![0]);
    expect((await here.on.admin('GET', `/accounts/3/templates/${id}`)).body).toMatchObject({
      ...{ cwt_footer_text: 'Loja Sul', cwt_variables_examples: '{"body_text":["Ana"]}' },
    });

    const asked = page.getByRole('region', { name: 'Review', exact: true });
    await asked.getByRole('button', { name: 'Submit for review' }).click();
    const history = page.getByRole('region', { name: 'How it came to stand as it does' });
    await history.getByText('PENDING').first().waitFor();
    // The review ends while one looks, and what is being typed stays.
    await box(page, 'cwt_footer_text').fill('Loja Norte');
    await history.getByText('APPROVED').waitFor();
    await page
      .getByRole('region', { name: 'What it holds' })
      .getByText('APPROVED', { exact: true })
      .waitFor();
    expect(await box(page, 'cwt_footer_text').inputValue()).toBe('Loja Norte');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a template that its review rejects says so and why, while one looks', async () => {
    const given = { v8l_id: 1, cwt_name: 'reject_promo', cwt_category: 'MARKETING', cwt_language: 'pt_BR' };
    const { body } = await here.on.admin('POST', '/accounts/3/templates', { ...given, cwt_body_text: 'Oi' });
    const { page, errors } = await here.open(`/admin/accounts/3/templates/${body.cwt_id}`);
    const asked = page.getByRole('region', { name: 'Review', exact: true });
    await asked.getByRole('button', { name: 'Submit for review' }).click();
    await page
      .getByText(/INVALID_FORMAT/)
      .first()
      .waitFor();
    const history = page.getByRole('region', { name: 'How it came to stand as it does' });
    await history.getByText('REJECTED').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a text is tried aloud with a voice, and what was spoken is heard in the page', async () => {
    const { page, errors } = await here.open('/admin/accounts/3/voices');
    const section = page.getByRole('region', { name: 'Try a text aloud' });
    await section.locator('[data-path="voice"] input').fill('nobody');
    await section.locator('[data-path="text"] :is(textarea, input)').fill('Olá, isto é um teste.');
    await section.getByRole('button', { name: 'Speak it' }).click();
    await section
      .locator('[data-path="voice"]')
      .getByText(/may name none called nobody/)
      .waitFor();
    await section.locator('[data-path="voice"] input').fill('');
    await section.getByRole('button', { name: 'Speak it' }).click();
    const player = section.locator('audio');
    await player.waitFor();
    const heard = await page.evaluate<number>(`new Promise((resolve) => {
      const audio = document.querySelector('audio');
      audio.addEventListener('loadedmetadata', () => resolve(audio.duration));
      audio.addEventListener('error', () => resolve(-1));
      audio.preload = 'auto';
      audio.load();
    })`);
    expect(heard).toBeGreaterThan(0.5);
    expect(errors.filter((error) => !error.includes('409 (Conflict)'))).toEqual([]);
    await page.context().close();
  });

  test('the audit log is narrowed by its form, and the address says by what', async () => {
    const { page } = await here.open('/admin/audit');
    await box(page, 'kind').selectOption('session');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL(`${here.on.url}/admin/audit?kind=session`);
    await page.getByText('opened by a sign-in link').first().waitFor();
    await page.reload();
    await page.getByText('opened by a sign-in link').first().waitFor();
    expect(await box(page, 'kind').inputValue()).toBe('session');
    await page.goBack();
    await page.waitForURL(`${here.on.url}/admin/audit`);
    await expect.poll(() => box(page, 'kind').inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => box(page, 'kind').inputValue()).toBe('session');
    await page.context().close();
  });

  test('an operator sees what it may not do, and why', async () => {
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Bia', role: 'operator' })).body;
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, '/admin/accounts/3', key);
    await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor();
    expect(await box(page, 'name').isDisabled()).toBe(true);
    const save = page.getByRole('button', { name: 'Save changes' });
    expect([await save.isDisabled(), await save.getAttribute('title')]).toEqual([
      ...[true, 'Only an administrator may do this.'],
    ]);
    await page.goto(`${here.on.url}/admin/accounts`);
    expect(await page.getByRole('button', { name: 'New account' }).isDisabled()).toBe(true);
    await page.goto(`${here.on.url}/admin/sessions`);
    await page.getByText(/it needs role admin/).waitFor();
    await page.context().close();
  });

  test('every resource has its page, in which what is hostile is text', async () => {
    await here.on.admin('POST', '/accounts/3/groups', { name: hostile });
    await here.on.admin('POST', '/accounts/3/approved-models', { name: hostile, text: hostile });
    const { page, errors } = await here.open();
    for (const { at } of resources.values()) {
      const path = at
        .replace('{account}', '3')
        .replace('{line}', '1')
        .replaceAll(/\{\w+\}/g, '1');
      await page.goto(`${here.on.url}/admin${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settle(page);
      const failed = await page.getByText('This could not be read').count();
      expect([
        path,
        failed,
        (await page.title()) === 'broken',
        await page.locator('main img').count(),
      ]).toEqual([...[path, /\/(campaigns|lists|caller-id-pools)\/1\//.test(path) ? failed : 0, false, 0]]);
    }
    expect(errors.filter((error) => !error.includes('404 (Not Found)'))).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['light', 'en-US', 1280],
    ['dark', 'pt-BR', 360],
  ] as const)(
    'no page has a fault that axe-core knows, nor scrolls sideways: %s, %s, %i pixels',
    async (theme, locale, width) => {
      const { page } = await here.open('/admin', { theme, locale, width });
      for (const path of [
        ...[
          '/settings',
          '/accounts',
          '/accounts/3',
          '/accounts/new',
          '/accounts/3/tokens',
          '/audit',
          '/operators',
        ],
        ...[
          '/accounts/3/queues/new',
          '/accounts/3/sms-routes/new',
          '/accounts/3/blocklist',
          '/accounts/3/credits',
        ],
      ]) {
        await page.goto(`${here.on.url}/admin${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settle(page);
        expect([path, await wrongWith(page)]).toEqual([path, []]);
        expect([
          path,
          (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width,
        ]).toEqual([...[path, true]]);
      }
      await page.context().close();
    },
  );

  test('a record is come to and changed by the keyboard alone', async () => {
    const { page } = await here.open();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.waitForURL(`${here.on.url}/admin/accounts`);
    await page.getByRole('link', { name: 'Demo', exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/accounts\/\d+$/);
    await box(page, 'sms_night_cap').waitFor();
    await box(page, 'sms_night_cap').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('250');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    const id = /\d+$/.exec(page.url())![0];
    expect((await here.on.admin('GET', `/accounts/${id}`)).body.sms_night_cap).toBe(250);
    await page.context().close();
  });
});
