/** Actions of the audit log in words: each declared operation by its own sentence, the raw route beside it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import { findAuditedOperation } from '../../src/console/app/pages/settings/audit/findAuditedOperation.ts';
import {
  declaredOperations,
  type OpenApiDescription,
} from '../../src/console/app/pages/settings/resourcesFromOpenApi.ts';
import { brokenWords, describeInBrowser, isSideways } from '../helpers/console.ts';

const operations = declaredOperations(
  JSON.parse(JSON.stringify(adminOpenApi('http://localhost', '1'))) as OpenApiDescription,
);
const summaryOf = (action: string): string | undefined => findAuditedOperation(operations, action)?.summary;

describe('the operation of an audited action', () => {
  test('is found by its method and its path, with ids where the declaration has names', () => {
    expect(summaryOf('PATCH /accounts/3/campaigns/12')).toBe('Changes a campaign that is not over for good.');
    expect(summaryOf('DELETE /lockouts/2001:db8::%2F64')).toBe('Lets an address in again.');
  });

  test('is the one whose path is written so, before one with a name in that place', () => {
    expect(summaryOf('DELETE /sessions/current')).toBe('Ends the session that asks.');
    expect(summaryOf('DELETE /sessions/0f1e2d3c4b5a6978')).toBe('Ends a session.');
  });

  test('is none of what is no route, or none that is declared', () => {
    expect(
      ['MakeSMS', 'opened', 'POST /nothing', 'PATCH /accounts', 'PATCH /accounts/'].map(summaryOf),
    ).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

describeInBrowser('a person who reads the audit log', {}, (here) => {
  let route: string;
  beforeAll(async () => {
    const { id } = (await here.on.admin('POST', '/accounts/3/groups', { name: 'Sales' })).body;
    route = `PATCH /accounts/3/groups/${id}`;
    await here.on.admin('PATCH', `/accounts/3/groups/${id}`, { name: 'Support' });
  });

  test.each([
    ['en-US', 'Renames a group.', 'Sign-in link made'],
    ['pt-BR', 'Renomeia um grupo.', 'Link de entrada criado'],
  ])('in %s reads what was done, and beside it the route', async (locale, changed, made) => {
    const { page } = await here.open('/admin/audit', { locale });
    const row = page.getByRole('row').filter({ hasText: route });
    await row.getByText(changed, { exact: true }).waitFor();
    expect(await row.locator('code.raw').innerText()).toBe(route);
    await page.getByRole('row').filter({ hasText: made }).first().waitFor();
    await page.context().close();
  });

  test('at 360 pixels each name of a field stands in one line beside what was done', async () => {
    const { page } = await here.open('/admin/audit', { locale: 'pt-BR', width: 360 });
    await page.getByText('Renomeia um grupo.', { exact: true }).waitFor();
    const broken = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('td[data-l]')].filter((cell) => {
      const name = getComputedStyle(cell, '::before');
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = name.font;
      return parseFloat(name.width) < pen.measureText(cell.dataset.l).width - 1;
    }).map((cell) => cell.dataset.l)`);
    expect(broken).toEqual([]);
    expect((await brokenWords(page, 'td')).filter((word) => word.length < 12)).toEqual([]);
    expect(await isSideways(page)).toBe(false);
    await page.context().close();
  });
});
