/** What the page of a machine asks for when it is opened, and when. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser, personsPage } from '../helpers/console.ts';
import { adminToken } from '../helpers/service.ts';

describeInBrowser('in a browser', {}, (here) => {
  let id: string;
  beforeAll(async () => {
    ({ cd_id: id } = (await here.on.post('MakeTTSCall', { dest: '11987650012', text: 'Oi' })).body.return);
    await here.on.ended(id);
  });

  /** A signed-in page, and the questions it asks of machines from now on: `moment`, and '' for the machine. */
  const signedIn = async (): Promise<{ page: Page; asked: string[] }> => {
    const { page } = await here.open();
    await page.locator('.flow .fig').first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const [, question] = /\/admin\/api\/machines\/[^/?]+\/?(\w*)/.exec(request.url()) ?? [];
      if (question !== undefined) asked.push(question);
    });
    return { page, asked };
  };
  const isDrawn = async (page: Page): Promise<void> => {
    await page.locator('[id="state:ended"].active').waitFor();
    await page.locator('.timeline tbody tr[aria-selected=true] .rev').waitFor();
    await page.locator('.lead.sentence:not(:empty)').waitFor();
    await page.waitForLoadState('networkidle');
  };
  const once = ['', 'explain', 'moment'];

  test('by its address it is asked for before it is known who reads it, and each thing once', async () => {
    const { page, asked } = await signedIn();
    let wasAsked = (): void => {};
    const machine = new Promise<void>((resolve) => (wasAsked = resolve));
    page.on('request', (request) => request.url().includes(`/machines/${id}?`) && wasAsked());
    await page.route('**/sessions/current', async (route) => {
      await machine;
      await route.continue();
    });
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await isDrawn(page);
    expect(asked.toSorted()).toEqual(once);
  });

  test('by a link each thing is asked for once', async () => {
    const { page, asked } = await signedIn();
    await page.evaluate(`{
      const link = document.body.appendChild(document.createElement('a'));
      link.href = '/admin/machines/${id}';
      link.click();
    }`);
    await isDrawn(page);
    expect(asked.toSorted()).toEqual(once);
  });

  test('a moment that is older than the machine is asked for once more', async () => {
    const { page, asked } = await signedIn();
    await page.route('**/moment?**', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), machineRevision: 0 } });
    });
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await isDrawn(page);
    await expect.poll(() => asked.filter((one) => one === 'moment').length).toBe(2);
    await page.waitForLoadState('networkidle');
    expect(asked.filter((one) => one === 'moment').length).toBe(2);
  });

  test('a moment that failed before the page was there is asked for again', async () => {
    const { page, asked } = await signedIn();
    let answers = 0;
    await page.route('**/moment?**', (route) =>
      (answers += 1) === 1 ? route.fulfill({ status: 409, json: { error: 'ask again' } }) : route.continue(),
    );
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await isDrawn(page);
    expect(asked.filter((one) => one === 'moment').length).toBe(2);
  });

  test('after a cut of the stream its history is read again, though its revision is known', async () => {
    const { page, asked } = await signedIn();
    const machine: unknown = (await here.on.admin('GET', `/machines/${id}`)).body;
    const told = `retry: 50\n\nevent: machine\ndata: ${JSON.stringify({ machine, history: [] })}\n\n`;
    // Each answer ends, so that the page comes back.
    await page.route('**/stream?**', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: told }),
    );
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await expect.poll(() => asked.filter((one) => one === 'moment').length).toBeGreaterThan(2);
  });

  test('events of a state that is chosen, given up and chosen again are shown', async () => {
    const { page, asked } = await signedIn();
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await isDrawn(page);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/timeline?**state=**', async (route) => {
      await held;
      await route.continue();
    });
    const ended = page.locator('[id="state:ended"]');
    const before = asked.length;
    await ended.press('Enter');
    await expect.poll(() => asked.length).toBe(before + 1);
    await ended.press('Enter');
    await page.locator('.timeline tbody tr[aria-selected=true] .rev').waitFor();
    release();
    await page.waitForLoadState('networkidle');
    await ended.press('Enter');
    await page.locator('.sh .right .btn').waitFor();
    await page.locator('.timeline tbody tr .rev').first().waitFor();
  });

  test('who signs in on its page sees it', async () => {
    const { page } = await personsPage(here.browser);
    await page.goto(`${here.on.url}/admin/machines/${id}`);
    await page.locator('input[type=password]').fill(adminToken);
    await page.keyboard.press('Enter');
    await isDrawn(page);
  });
});
