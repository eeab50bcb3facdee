/** Names that would turn the text around them: our own words and figures stand as they are, from left to right. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { isolateBidi } from '../../src/console/app/words/isolateBidi.ts';
import { saveInboundMessages } from '../../src/store/inboundMessages.ts';
import { aList, anAsset } from '../helpers/campaigns.ts';
import { describeInBrowser, isSideways, personsPage, signInAt } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

const [first, end, override] = ['\u2068', '\u2069', '\u202E'];
/** It ends an isolation that is not its own, and then turns what follows. */
const turning = `evil${end}${override}`;

describe('text from outside in a sentence', () => {
  test('stays as it is where it turns nothing', () => {
    for (const plain of ['', 'people.csv', 'João & Cia. – “ótimo”', '日本', '5511987650000'])
      expect(isolateBidi(plain)).toBe(plain);
  });

  test('keeps its direction to itself, whatever signs it brings', () => {
    expect(isolateBidi(`a${override}b`)).toBe(`${first}a${override}b${end}`);
    expect(isolateBidi('שלום')).toBe(`${first}שלום${end}`);
    // One that ends more than it begins, and one that begins more than it ends.
    expect(isolateBidi(turning)).toBe(`${first}evil${override}${end}`);
    expect(isolateBidi(`a${first}b`)).toBe(`${first}a${first}b${end}${end}`);
    expect(isolateBidi(`${first}a${end}`)).toBe(`${first}${first}a${end}${end}`);
  });
});

describeInBrowser('in a browser', { SANDBOX_SPEED: '20' }, (here) => {
  beforeAll(async () => {
    await here.on.admin('PATCH', `/accounts/${demoAccount}`, { name: `Demo${override}` });
  });

  /** Whether letters of ours stand from left to right where they are drawn: `text` as an element holds it. */
  const isForward = (page: Page, selector: string, text: string): Promise<boolean | string> =>
    page.evaluate(`(() => {
      const [selector, text] = ${JSON.stringify([selector, text])};
      for (const element of document.querySelectorAll(selector)) {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.data.indexOf(text);
          if (at < 0) continue;
          const lefts = [...text].map((sign, nth) => {
            const range = document.createRange();
            range.setStart(node, at + nth);
            range.setEnd(node, at + nth + 1);
            return range.getBoundingClientRect().left;
          });
          return lefts.every((left, nth) => nth === 0 || left >= lefts[nth - 1]);
        }
      }
      return 'is not there';
    })()`);
  const forward = async (page: Page, selector: string, text: string): Promise<void> => {
    await expect.poll(async () => [text, await isForward(page, selector, text)]).toEqual([text, true]);
  };

  test('words and figures beside the names of accounts, campaigns and files are not turned', async () => {
    const content = await anAsset(here.on);
    const list = await aList(here.on, { name: `list${override}abc` });
    const given = {
      name: `Natal${override}`,
      cdlc_id: list,
      content,
      date_end: '2090-12-31',
      time_start: '09:00',
      time_end: '20:31',
    };
    const { body } = await here.on.admin('POST', `/accounts/${demoAccount}/campaigns`, {
      ...given,
      cp_ativo: 0,
    });
    const { page, errors } = await here.open(`/admin/campaigns/${body.cp_id}`);
    await forward(page, '.facts', '09:00–20:31');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await forward(page, 'dialog h2, [role=dialog] h2', '?');
    expect(await page.locator('dialog h2, [role=dialog] h2').textContent()).toBe(
      `Start ${first}Natal${override}${end}?`,
    );
    await page.goto(`${here.on.url}/admin/campaigns`);
    await forward(page, 'td .sub', ' · ');
    await forward(page, 'td .sub code', String(body.cp_id));
    await page.goto(`${here.on.url}/admin/campaigns/new?account=${demoAccount}&list=${list}`);
    await forward(page, '.taken p.strong', ' rows can be called.');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('nor are those beside the names of people who wrote', async () => {
    const at = Date.now();
    const message = { upstreamId: 'wamid.turned', sentAt: at, contact: '5511987650031', type: 'text' };
    await saveInboundMessages(here.on.database.pool, {
      ...{ account: demoAccount, line: 1, at, conversations: new Map([['5511987650031', at]]) },
      messages: [{ ...message, name: turning, body: `Oi${override}`, payload: '{}' }],
    });
    const { page } = await personsPage(here.browser);
    const query = `account=${demoAccount}&line=1&contact=5511987650031`;
    await signInAt(here.on, page, `/admin/conversations?${query}`);
    await forward(page, '.messages .hint', ' wrote');
    await forward(page, '.people .hint', ' · ');
    await page.context().close();
  });

  test('a name without an end makes no page of a record wider than the screen', async () => {
    const name = 'W'.repeat(60);
    const { body } = await here.on.admin('POST', `/accounts/${demoAccount}/queues`, { name });
    const id = Object.values(body).find((value) => typeof value === 'number');
    for (const width of [360, 640]) {
      const { page } = await here.open(`/admin/accounts/${demoAccount}/queues`, { width });
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('button', { name: /^Remove/ }).waitFor();
      expect([id, await isSideways(page)]).toEqual([id, false]);
      await page.context().close();
    }
  });
});
