/** What stands on the screen between one page and the next. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../helpers/console.ts';

describeInBrowser('in a browser', {}, (here) => {
  let id: string;
  beforeAll(async () => {
    ({ cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650013', text: 'Oi' })).body.return);
    await here.on.ended(id);
  });

  const now = (page: Page) => page.locator('.flow .fig').first();
  const machine = (page: Page) => page.locator('[id="state:ended"].active');
  const loading = (page: Page) => page.locator('main').getByText('Loading', { exact: false });

  /** Holds answers that match until they are released. */
  const holdAnswers = async (page: Page, address: string) => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    await page.route(address, async (route: Route) => {
      isAsked();
      await released;
      await route.continue();
    });
    return { asked, release };
  };
  const follow = (page: Page, to = id): Promise<void> =>
    page.evaluate(`{
      const link = document.body.appendChild(document.createElement('a'));
      link.href = '/admin/machines/${to}';
      link.click();
    }`);

  /** Leaves the page Now, whose clock stands, for a machine whose moment is held. */
  const leavingNow = async () => {
    const { page } = await here.open();
    await now(page).waitFor();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const { asked, release } = await holdAnswers(page, '**/moment?**');
    await follow(page);
    await asked;
    return { page, release };
  };

  test('the page that one leaves stands there until the next one is brought, under its address', async () => {
    const { page, release } = await leavingNow();
    expect(page.url()).toContain(`/admin/machines/${id}`);
    expect(await now(page).isVisible()).toBe(true);
    expect(await loading(page).count()).toBe(0);
    release();
    await machine(page).waitFor();
    expect(await now(page).count()).toBe(0);
  });

  test('a page that is brought slowly says that it is loading', async () => {
    const { page, release } = await leavingNow();
    await page.clock.runFor(299);
    expect(await now(page).isVisible()).toBe(true);
    await page.clock.runFor(1_000);
    await loading(page).first().waitFor();
    expect(await now(page).count()).toBe(0);
    release();
    await page.clock.resume();
    await machine(page).waitFor();
  });

  test('who goes on before a page is brought does not see it', async () => {
    const { page, release } = await leavingNow();
    await page.goBack();
    release();
    await page.clock.runFor(1_000);
    expect(new URL(page.url()).pathname).toBe('/admin');
    expect(await now(page).isVisible()).toBe(true);
    expect(await machine(page).count()).toBe(0);
  });

  test('a machine that one leaves for another writes no revision of its own into the address', async () => {
    const { cd_id: other } = (await here.on.post('MakeTTSCall', { dest: '11987650014', text: 'Oi' })).body
      .return;
    await here.on.ended(other);
    const { page } = await here.open(`/admin/machines/${id}`);
    await machine(page).waitFor();
    const past = await holdAnswers(page, '**/moment?**index=**');
    await page.keyboard.press('ArrowLeft');
    await past.asked;
    const next = await holdAnswers(page, `**/machines/${other}/moment?**`);
    await follow(page, other);
    await next.asked;
    const isAnswered = page.waitForResponse('**/moment?**index=**');
    past.release();
    await (await isAnswered).finished();
    next.release();
    await page.getByRole('heading', { name: '11987650014' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await machine(page).waitFor();
  });

  test('an answer that comes late takes the person nowhere', async () => {
    const { page } = await here.open('/admin/try');
    const placed = await holdAnswers(page, '**/sandbox-calls');
    const stream = page.waitForRequest('**/stream?topics=now');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await placed.asked;
    await page.getByRole('link', { name: 'Now', exact: true }).first().click();
    await now(page).waitFor();
    await stream;
    const isAnswered = page.waitForResponse('**/sandbox-calls');
    placed.release();
    await (await isAnswered).finished();
    // What follows the answer is done before the page answers this.
    await page.evaluate('new Promise((done) => setTimeout(done))');
    expect(new URL(page.url()).pathname).toBe('/admin');
  });

  test('the link past the menus goes to the content, and leaves the moment in the address', async () => {
    const { page } = await here.open(`/admin/machines/${id}#rev=1`);
    await page.locator('.travelled').waitFor();
    await page.locator('a.skip').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(new URL(page.url()).hash).toBe('#rev=1');
  });

  test('a session that could not be ended is said to last', async () => {
    const { page, errors } = await here.open();
    await page.route('**/sessions/current', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByText('You are still signed in').waitFor();
    expect(errors.filter((error) => !error.includes('Failed to load resource'))).toEqual([]);
  });
});
