/** A call that is placed from the page and answered there, and the view for a screen on the floor. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, personsPage, signInAt, wrongWith } from '../helpers/console.ts';

describeInBrowser('in a browser', { SANDBOX_SPEED: '20' }, (here) => {
  const state = (page: Page) => page.locator('.phone-state');
  const steps = (page: Page) => page.locator('.path code');

  test('the first page of an empty service leads to a call that is placed, answered and played by hand', async () => {
    const { page, errors } = await here.open();
    await page.getByRole('link', { name: 'Place a first call' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await state(page).getByText('Ringing', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Answer' }).click();
    await state(page).getByText('On the call').waitFor();
    await page.locator('.heard').getByText('Good morning, Ana.').waitFor();
    await steps(page).filter({ hasText: 'answered' }).first().waitFor();
    // A key of the keyboard is a key of the telephone.
    await page.keyboard.press('2');
    await page.locator('.heard').getByText('You pressed 2').waitFor();
    await page.locator('.heard').getByText('We will call you to find another day.').waitFor();
    await page.locator('.path li').filter({ hasText: 'digitReceived' }).first().waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await state(page).getByText('Call ended').waitFor();
    await page.getByRole('link', { name: 'Open the call, travel back in it' }).click();
    await page.getByRole('heading', { name: '5511987699000' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a page that is loaded again in the middle of a call has its telephone in hand', async () => {
    const { page, errors } = await here.open('/admin/try');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await state(page).getByText('Ringing', { exact: true }).waitFor();
    await page.reload();
    await state(page).getByText('Ringing', { exact: true }).waitFor();
    await steps(page).filter({ hasText: 'dialing.ringing' }).waitFor();
    await page.getByRole('button', { name: 'Answer' }).click();
    await state(page).getByText('On the call').waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await state(page).getByText('Call ended').waitFor();
    await page.getByRole('link', { name: 'Try it' }).click();
    await state(page).getByText('Not ringing').waitFor();
    expect(await steps(page).count()).toBe(0);
    expect(errors).toEqual([]);
    // What an address names and is no call leaves the page as it is without one.
    await page.goto(`${here.on.url}/admin/try?call=a_999999`);
    await page.waitForURL(`${here.on.url}/admin/try`);
    await expect.poll(() => page.getByRole('button', { name: 'Call', exact: true }).isEnabled()).toBe(true);
    await page.context().close();
  });

  test('who rejects it is busy, in the language of the browser, and what was heard can be played', async () => {
    const { page, errors, asked } = await here.open('/admin/try', { locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Ligar', exact: true }).click();
    await page.getByRole('button', { name: 'Atender' }).click();
    await page.getByRole('button', { name: 'Som desligado' }).click();
    await expect.poll(() => asked.some((address) => address.startsWith(`${here.on.url}/media/`))).toBe(true);
    await page.getByRole('button', { name: 'Desligar' }).click();
    await state(page).getByText('Ligação encerrada').waitFor();
    await page.getByRole('button', { name: 'Ligar', exact: true }).click();
    await page.getByRole('button', { name: 'Recusar' }).click();
    await steps(page)
      .filter({ hasText: /^ended$/ })
      .first()
      .waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('an operator is told who may place a call, and cannot press the button', async () => {
    const { key } = (await here.on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
    const { page } = await personsPage(here.browser);
    await signInAt(here.on, page, '/admin/try', key);
    const call = page.getByRole('button', { name: 'Call', exact: true });
    await call.waitFor();
    expect([await call.isDisabled(), await call.getAttribute('title')]).toEqual([
      true,
      'Only an administrator may do this.',
    ]);
    await page.context().close();
  });

  test('a wall shows the figures of Now without menus, and follows the language and the theme', async () => {
    const { page, errors } = await here.open('/admin/wall', { width: 1920, height: 1080 });
    await page.getByRole('heading', { name: 'Floor, now' }).waitFor();
    expect(await page.locator('nav').count()).toBe(0);
    const { hour } = (await here.on.admin('GET', '/now')).body;
    await page.getByText(`of ${hour.attempts.at(-2)} attempts`).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Central, agora' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Agora' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 360 },
  ] as const)('nothing is wrong with them for axe, $theme, $width pixels wide', async (look) => {
    const { page } = await here.open('/admin/try', look);
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
    expect(await wrongWith(page)).toEqual([]);
    await page.goto(`${here.on.url}/admin/wall`);
    await page.locator('.wall-figures').waitFor();
    expect(await wrongWith(page)).toEqual([]);
    await page.context().close();
  });
});
