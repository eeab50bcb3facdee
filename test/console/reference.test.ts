/** Every operation is one click away in the reference, with what authorizes and what the page knows filled in. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import { pageReferenceHref, referencedOperations } from '../../src/console/app/referenceLinks.ts';
import { operations } from '../../src/operations/index.ts';
import { openApi } from '../../src/rest/openapi/document.ts';
import { describeInBrowser, personsPage } from '../helpers/console.ts';
import { demoToken } from '../helpers/service.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
}

const namesIn = (document: unknown): string[] =>
  Object.values((document as Document).paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId, tags }) => `${tags[0]}/${operationId}`);

test('what the pages lead to is declared, under this subject', () => {
  const known = {
    admin: namesIn(adminOpenApi('http://localhost', '1')),
    open: namesIn(openApi(operations, 'http://localhost', '1')),
  };
  for (const { isAdmin, subject, id } of Object.values(referencedOperations))
    expect(isAdmin ? known.admin : known.open).toContain(`${subject}/${id}`);
});

test.each([
  ['/admin', '/docs?api=admin#/What%20the%20console%20shows/get_now'],
  ['/admin/campaigns/new', '/docs#/Campaigns/CreateCampaign'],
  ['/admin/campaigns/7', '/docs?api=admin&campaign=7#/Campaigns/get_campaigns_campaign'],
  [
    '/admin/machines/a_17?account=3',
    '/docs?api=admin&id=a_17&account=3#/Machines%20and%20nodes/get_machines_id',
  ],
  [
    '/admin/why/5511987650001',
    '/docs?api=admin&number=5511987650001#/What%20the%20console%20shows/get_why_number',
  ],
  ['/admin/find?q=secret', '/docs?api=admin#/What%20the%20console%20shows/get_find'],
  [
    '/admin/conversations?account=3',
    '/docs?api=admin&account=3#/Chat%20lines/get_accounts_account_conversations',
  ],
  ['/admin/deliveries', '/docs?api=admin#/Callbacks%20and%20deliveries/get_delivery_receivers'],
  ['/admin/accounts/3', undefined],
])('%s leads to %s', (address, href) => {
  const { pathname: path, searchParams: query } = new URL(address, 'http://localhost');
  expect(pageReferenceHref({ path, query })).toBe(href);
});

describeInBrowser('the reference that the console opens', {}, (here) => {
  /** Follows the link of a page to the tab that it opens. */
  const follow = async (page: Page): Promise<Page> => {
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'In the reference' }).last().click();
    const reference = await opened;
    await reference.locator('.opblock').first().waitFor();
    return reference;
  };

  const execute = async (reference: Page, id: string, body?: string): Promise<string> => {
    const block = reference.locator(`[id$="-${id}"]`);
    if (body !== undefined) await block.locator('textarea').fill(body);
    await block.locator('button.execute').click();
    const row = block.locator('.live-responses-table tbody tr.response').first();
    await row.waitFor();
    return (await row.textContent()) ?? '';
  };

  test('has the token that was made in this tab, and no address holds it', async () => {
    const { page, asked } = await here.open('/admin/accounts/3/tokens/new');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const token = await page.locator('.once input').inputValue();
    await page.goto(`${here.on.url}/admin/campaigns/new`);
    await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor();
    const reference = await follow(page);
    await reference.getByText('The account token of this tab is filled in.').waitFor();
    await reference.locator('.btn.authorize.locked').waitFor();
    const [sent] = await Promise.all([
      reference.waitForRequest(/CreateCampaign/),
      execute(reference, 'CreateCampaign', '{}'),
    ]);
    expect(sent.headers()['authorization']).toBe(`Bearer ${token}`);
    expect(asked.filter((address) => address.includes(token))).toEqual([]);
    expect(reference.url()).not.toContain(token);

    await page.goto(`${here.on.url}/admin`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // What stays is the address that was asked for, for the next sign-in.
    const kept = String(await page.evaluate('JSON.stringify(sessionStorage)'));
    expect(kept).not.toContain('ramal.reference');
    expect(kept).not.toContain(token);
    await page.context().close();
  });

  test('has the token of the demo account at the machine of the service', async () => {
    const { page } = await here.open('/admin/campaigns/new');
    const reference = await follow(page);
    await reference.getByText('The token of the demo account is filled in.').waitFor();
    const [sent] = await Promise.all([
      reference.waitForRequest(/CreateCampaign/),
      execute(reference, 'CreateCampaign', '{}'),
    ]);
    expect(sent.headers()['authorization']).toBe(`Bearer ${demoToken}`);
    await page.context().close();
  });

  test('asks the admin API in the session of the console, for the account of the page', async () => {
    const { page } = await here.open('/admin/accounts/3/groups');
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
    const reference = await follow(page);
    await reference.getByText(/Signed in to the console as admin, role admin/).waitFor();
    expect(reference.url()).toContain('?api=admin&account=3#');
    expect(await execute(reference, 'get_accounts_account_groups')).toContain('200');

    await reference.goto(`${here.on.url}/docs?api=admin&account=3#/Campaigns/post_accounts_account_groups`);
    await reference.reload();
    const made = await execute(reference, 'post_accounts_account_groups', '{"name":"spring"}');
    expect(made).toContain('201');
    const { groups } = (await here.on.admin('GET', '/accounts/3/groups')).body;
    expect(groups.map(({ name }: { name: string }) => name)).toContain('spring');
    await page.context().close();
  });

  test('is handed nothing where no page of the console was', async () => {
    const { page, errors, asked } = await personsPage(here.browser);
    await page.goto(`${here.on.url}/docs?api=admin`);
    await page.locator('.btn.authorize.unlocked').waitFor();
    await page.goto(`${here.on.url}/docs`);
    await page.locator('.btn.authorize.unlocked').waitFor();
    expect(errors).toEqual([]);
    expect(asked.filter((address) => /sessions|now\.json/.test(address))).toEqual([]);
    await page.context().close();
  });
});
