/** What the declarations say is shown in both languages: each text that a page takes from them has a Portuguese one. */
import { describe, expect, test } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import { describeOperatorEvents } from '../../src/admin/machines/operatorEventSchemas.ts';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import {
  type FieldShape,
  formFieldsFromSchema,
} from '../../src/console/app/pages/settings/formFieldsFromSchema.ts';
import {
  type AdminApiResource,
  declaredOperations,
  type OpenApiDescription,
  resourcesFromOpenApi,
} from '../../src/console/app/pages/settings/resourcesFromOpenApi.ts';
import { declaredPt } from '../../src/console/app/portuguese/apiDescriptions/pt.ts';
import { describeInBrowser, isSideways } from '../helpers/console.ts';

const document = JSON.parse(JSON.stringify(adminOpenApi('http://localhost', '1'))) as OpenApiDescription;

interface Named {
  name: string;
  description: string;
  shape: FieldShape;
}

const sentences = new Set<string>();
const names = new Set<string>();
const choices = new Set<string>();

const takeShape = (shape: FieldShape): void => {
  if (shape.kind === 'choice') for (const option of shape.options) choices.add(option);
  if (shape.kind === 'object') takeFields(shape.fields);
  if (shape.kind === 'list' || shape.kind === 'map') takeShape(shape.of);
  if (shape.kind === 'byKind') Object.values(shape.kinds).forEach(takeShape);
};

const takeFields = (fields: readonly Named[] = []): void => {
  for (const { name, description, shape } of fields) {
    names.add(name);
    if (description !== '') sentences.add(description);
    takeShape(shape);
  }
};

const takeResource = (of: AdminApiResource): void => {
  takeFields(of.columns);
  takeFields(of.beside);
  takeFields(of.list.query);
  takeFields(of.change?.body);
  for (const operation of [of.create, of.remove, ...of.actions, ...of.actionsOfOne]) {
    if (!operation) continue;
    sentences.add(operation.summary);
    for (const fields of [operation.query, operation.body, operation.answer]) takeFields(fields);
  }
};

[...resourcesFromOpenApi(document).values()].forEach(takeResource);
// The audit log says each change by its sentence, and so each private read.
const privateReads = /\/(results|recording|sounds\/\{sound\}|conversations\/\{line\}\/\{contact\})$/;
for (const { method, path, summary } of declaredOperations(document))
  if (method !== 'GET' || privateReads.test(path)) sentences.add(summary);
// What operators tell machines is written into forms as well.
for (const { name, operatorEvents } of machineKinds)
  for (const { schema } of describeOperatorEvents(name, operatorEvents, undefined))
    takeFields(formFieldsFromSchema(schema));
const campaign = document.paths['/accounts/{account}/campaigns']!['post']!.requestBody!;
takeFields(formFieldsFromSchema(campaign.content['application/json']!.schema));

const lackingIn = (words: Readonly<Record<string, string>>, shown: Iterable<string>): string[] =>
  [...shown].filter((one) => !words[one]?.trim());

describe('what the declarations say has Portuguese words', () => {
  test('of every sentence', () => {
    expect(sentences.size).toBeGreaterThan(300);
    expect(lackingIn(declaredPt.sentences, sentences)).toEqual([]);
  });

  test('of every name of a field', () => {
    expect(names.size).toBeGreaterThan(400);
    expect(lackingIn(declaredPt.names, names)).toEqual([]);
  });

  test('of every choice that is a word, not a code', () => {
    const isCode =
      /^(.?|\d+|[A-Z]{3,}|json|sms|msgapp|pagechat|photodm|sip|websocket|e164|udp|tcp|ulaw|alaw|g722|gsm|cod_cli|extra\d)$/;
    // Or the same in both languages.
    const isNameOfTechnology = /^(normal|chat|sandbox|smpp|http|cloud|sftp|ftps|s3)$/;
    const words = [...choices].filter((one) => !isNameOfTechnology.test(one));
    expect(lackingIn(declaredPt.choices, words).filter((one) => !isCode.test(one))).toEqual([]);
  });

  test('and none is kept of a sentence that is said no more', () => {
    expect(Object.keys(declaredPt.sentences).filter((one) => !sentences.has(one))).toEqual([]);
  });
});

describeInBrowser('a person who reads Portuguese', {}, (here) => {
  test.each(['/admin/accounts/new', '/admin/campaigns/new', '/admin/trunks/new', '/admin/operators'])(
    'reads %s in Portuguese, on a telephone without scrolling sideways',
    async (path) => {
      const { page, errors } = await here.open(path, { locale: 'pt-BR', width: 360 });
      await page.locator('h1').waitFor();
      if (path.endsWith('campaigns/new')) {
        await page.getByText('Todos os outros parâmetros').click();
        await page.getByText('cp_type 4: a tecla que repete a mensagem principal.').waitFor();
      }
      await expect.poll(() => page.locator('main [lang=en]').count()).toBe(0);
      expect(await isSideways(page)).toBe(false);
      expect(errors).toEqual([]);
      await page.context().close();
    },
  );

  test('has the words at once when the language is switched', async () => {
    const { page } = await here.open('/admin/accounts/new');
    await page.getByText('The account that pays with it; null: none.').waitFor();
    await page.getByRole('button', { name: 'PT' }).click();
    await page.getByText('A conta que paga com o saldo dela; nulo: nenhuma.').waitFor();
    await page.getByLabel('fuso horário time_zone').waitFor();
    await page.context().close();
  });
});
