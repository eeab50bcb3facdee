/** Fields that name other records: forms offer those that there are by what they are called, and take a typed name where they cannot. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import {
  type FieldShape,
  type FormField,
  type NamedRecords,
} from '../../src/console/app/pages/settings/formFieldsFromSchema.ts';
import {
  type OpenApiDescription,
  resourcesFromOpenApi,
} from '../../src/console/app/pages/settings/resourcesFromOpenApi.ts';
import { describeInBrowser, personsPage, signInAt } from '../helpers/console.ts';
import { demoAccount } from '../helpers/service.ts';

const resources = resourcesFromOpenApi(
  JSON.parse(JSON.stringify(adminOpenApi('http://localhost', '1'))) as OpenApiDescription,
);

const referencesIn = (shape: FieldShape): NamedRecords[] => {
  if (shape.kind === 'reference') return [shape.records];
  if (shape.kind === 'list' || shape.kind === 'map') return referencesIn(shape.of);
  return shape.kind === 'object' ? shape.fields.flatMap((field) => referencesIn(field.shape)) : [];
};
const inFields = (fields: readonly FormField[] = []): NamedRecords[] =>
  fields.flatMap(({ shape }) => referencesIn(shape));

test('what a field names is listed, with the value by which it is named, in a path that the form knows', () => {
  const operations = [...resources.values()].flatMap(({ list, create, change }) => [list, create, change]);
  const found = operations.flatMap((operation) =>
    operation
      ? inFields([...operation.query, ...(operation.body ?? [])]).map((one) => [operation, one] as const)
      : [],
  );
  expect(found.length).toBeGreaterThan(8);
  for (const [{ path }, { list, value, only = {} }] of found) {
    const listed = resources.get(list);
    expect(listed?.many).toBeDefined();
    const columns = listed!.columns.map(({ name }) => name);
    expect(columns).toEqual(expect.arrayContaining([value, ...Object.keys(only)]));
    for (const [parameter] of list.matchAll(/\{\w+\}/g)) expect(path).toContain(parameter);
  }
});

describeInBrowser('in a browser', {}, (here) => {
  const field = (page: Page, path: string) => page.locator(`[data-path="${path}"]`);
  const options = (page: Page, path: string) => field(page, path).locator('option').allTextContents();
  const create = (page: Page) => page.getByRole('button', { name: 'Create', exact: true }).click();
  const account = `/accounts/${demoAccount}`;

  test('the line of a template is chosen among those that carry templates', async () => {
    const given = { v8l_class: 'msgapp', v8l_wa_number: '5511900001234' };
    const { v8l_id: line } = (await here.on.admin('POST', `${account}/lines`, given)).body;
    const { v8l_id: other } = (await here.on.admin('POST', `${account}/lines`, { v8l_class: 'pagechat' }))
      .body;
    const { page, errors } = await here.open(`/admin${account}/templates/new`);
    const text = `${line}: msgapp, 5511900001234`;
    await expect.poll(() => options(page, 'v8l_id')).toContain(text);
    expect((await options(page, 'v8l_id')).filter((one) => one.startsWith(`${other}:`))).toEqual([]);
    await field(page, 'v8l_id').locator('select').selectOption(text);
    await field(page, 'cwt_name').locator('input, textarea').fill('order_ready');
    await create(page);
    await page.getByRole('heading', { level: 1, name: 'order_ready' }).waitFor();
    const [made] = (await here.on.admin('GET', `${account}/templates`)).body.templates;
    expect(made).toMatchObject({ cwt_name: 'order_ready', v8l_id: line });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('what is named by its name is offered too, within a list as well', async () => {
    const { page } = await here.open('/admin/trunk-routes/new');
    await page.getByRole('button', { name: 'Add trunk' }).click();
    const [trunk] = (await here.on.admin('GET', '/trunks')).body.trunks;
    await expect.poll(() => options(page, 'trunks.0.trunk')).toContain(trunk.name);
    await expect.poll(() => options(page, 'cdcs_id')).toContain('Demo (3)');
    await page.goto(`${here.on.url}/admin/trunks/new`);
    await expect.poll(() => options(page, 'server')).toContain(trunk.server);
    await page.context().close();
  });

  test('where the list cannot be read, the id is typed as before', async () => {
    const { page } = await personsPage(here.browser);
    await page.route('**/admin/api/accounts/*/lines*', (route) =>
      route.fulfill({ status: 500, json: { error: 'the database is away' } }),
    );
    await signInAt(here.on, page, `/admin${account}/templates/new`);
    await field(page, 'v8l_id').locator('input[type=number]').fill('999999');
    await field(page, 'cwt_name').locator('input, textarea').fill('order_lost');
    await create(page);
    await field(page, 'v8l_id').getByText('999999 is not a Msgapp line of this account').waitFor();
    await page.context().close();
  });
});
