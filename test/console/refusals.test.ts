/** What the service refuses is said in Portuguese: of real sentences, as the routes and their schemas say them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { AdminError, read } from '../../src/admin/adminErrorsAndRequestParsing.ts';
import { refusalInPortuguese } from '../../src/console/app/portuguese/refusals/pt.ts';
import { adminRoutes } from '../helpers/adminRoutes.ts';
import { describeInBrowser } from '../helpers/console.ts';
import { adminToken, startTestService, type TestService } from '../helpers/service.ts';

/** Each is wrong for most fields. */
const misfits: readonly unknown[] = [
  ...[undefined, null, '', 'ä\u0000', 'nothing of the kind', 'x'.repeat(30_000), -1, 0, 1.5, 99_999_999_999],
  ...[true, [], ['x'], [{}], Array.from({ length: 2000 }, () => 'x'), {}, { x: 1 }, { x: { y: [] } }],
];

const sentenceOf = (schema: z.ZodType, body: unknown): string[] => {
  try {
    read(schema, body);
    return [];
  } catch (error) {
    return error instanceof AdminError && error.status === 400 ? [error.message] : [];
  }
};

/** What the schema of a body, or of a query, says of each of its fields when it is wrong. */
const sentencesOf = (schema: z.ZodType, example: object): string[] => {
  const fields = Object.keys((schema as Partial<z.ZodObject>).shape ?? {});
  return [
    ...sentenceOf(schema, { ...example, unheardOf: 1 }),
    ...sentenceOf(schema, []),
    ...fields.flatMap((field) =>
      misfits.flatMap((misfit) => sentenceOf(schema, { ...example, [field]: misfit })),
    ),
  ];
};

describe('what a field is refused for', () => {
  const declared = adminRoutes().filter(({ declared: { body, query } }) => body || query);
  const sentences = new Set(
    declared.flatMap(({ declared: { body, query, example } }) => [
      ...(body ? sentencesOf(body as z.ZodType, example.body ?? {}) : []),
      ...(query ? sentencesOf(query as z.ZodType, example.query ?? {}) : []),
    ]),
  );

  test('has Portuguese words, in every shape that the declared schemas give it', () => {
    expect(sentences.size).toBeGreaterThan(300);
    expect([...sentences].filter((one) => refusalInPortuguese(one) === undefined)).toEqual([]);
  });
});

describe('what a route refuses', () => {
  let service: TestService;
  let operator: Record<string, string>;

  beforeAll(async () => {
    service = await startTestService();
    const { body } = await service.admin('POST', '/operators', { name: 'Ana', role: 'operator' });
    operator = { authorization: `Bearer ${body.key}` };
  });

  afterAll(() => service.stop());

  const csv = async (path: string, text: string): Promise<string> => {
    const answer = await fetch(`${service.url}/admin/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'text/csv' },
      body: text,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    return ((await answer.json()) as { error: string }).error;
  };

  const json = async (method: string, path: string, body?: object, who?: Record<string, string>) => {
    const answer = await service.admin(method, path, body, who);
    expect(answer.http).toBeGreaterThanOrEqual(400);
    return answer.body.error as string;
  };

  const account = '/accounts/3';
  const list = `${account}/lists?name=Lista&filename=lista.csv`;

  test.each<[portuguese: string, ask: () => Promise<string>]>([
    ['a conta 999 não existe', () => json('GET', '/accounts/999')],
    ['a máquina nosuch não existe', () => json('GET', '/machines/nosuch')],
    ['a rota de SMS 77 não existe', () => json('GET', `${account}/sms-routes/77`)],
    ['o modelo 8 não existe', () => json('GET', `${account}/templates/8`)],
    ['o servidor de troncos 9 não existe', () => json('DELETE', '/trunk-servers/9')],
    [
      'o papel operator não pode fazer isto: é preciso o papel admin',
      () => json('POST', '/accounts', { name: 'Loja' }, operator),
    ],
    ['name: falta informar', () => json('POST', '/accounts', {})],
    ['name: precisa ser texto', () => json('POST', '/accounts', { name: 3 })],
    [
      'time_zone: precisa ser um fuso horário IANA, por exemplo America/Sao_Paulo',
      () => json('POST', '/accounts', { name: 'Loja', time_zone: 'Marte' }),
    ],
    ['balance: não pode ser negativo', () => json('POST', '/accounts', { name: 'Loja', balance: '-1' })],
    [
      'order: precisa ser um destes: fixed, share, leastCost',
      () => json('POST', '/trunk-routes', { order: 'any', trunks: [] }),
    ],
    ['unheard: não é conhecido aqui', () => json('POST', '/accounts', { name: 'Loja', unheard: 1 })],
    [
      'a primeira linha não tem a coluna phone: escreva uma que dê nome às colunas, p. ex. phone;name',
      () => csv(list, 'nome;fone2\nAna;1\n'),
    ],
    ['o arquivo está vazio', () => csv(list, '')],
    ['não há registros', () => csv(list, 'phone\n')],
    ['o arquivo não tem números', () => csv(`${account}/blocklist/import`, '')],
    [
      'number: "abc" não é um número de telefone',
      () => json('POST', `${account}/blocklist`, { number: 'abc' }),
    ],
    [
      'cdlc_id: 77 não é uma lista desta conta',
      () => json('POST', `${account}/campaigns`, { cdlc_id: 77, text: 'Bom dia' }),
    ],
    [
      'date_end: não pode ser anterior a date_start 2030-02-02',
      () =>
        json('POST', `${account}/campaigns`, {
          ...{ cdlc_id: 77, text: 'Bom dia', date_start: '2030-02-02', date_end: '2030-02-01' },
        }),
    ],
    [
      'vel: precisa ser max ou um número inteiro, de 1 a 100',
      () => json('POST', `${account}/campaigns`, { cdlc_id: 77, text: 'Bom dia', vel: 1000 }),
    ],
    [
      'cwt_variables_examples: precisa ser um objeto JSON, {"body_text": ["…"]}',
      async () => {
        const { body: line } = await service.admin('POST', `${account}/lines`, { v8l_class: 'msgapp' });
        const { body } = await service.admin('POST', `${account}/templates`, {
          ...{ v8l_id: line.v8l_id, cwt_name: 'ola', cwt_category: 'UTILITY', cwt_language: 'pt_BR' },
          ...{ cwt_body_text: 'Bom dia, {{1}}', cwt_variables_examples: '[]' },
        });
        return json('POST', `${account}/templates/${body.cwt_id}/review`);
      },
    ],
    ['o extrato só recebe lançamentos novos: lance a diferença', () => json('PUT', `${account}/credits`)],
    [
      'amount: o saldo é menor que isso',
      () => json('POST', `${account}/credits`, { amount: '-9999999', note: 'x' }),
    ],
    [
      'já há uma tarifa para todos os prefixos',
      () => json('POST', `${account}/tariffs`, { prefix: '', price: '1' }),
    ],
  ])('is said as: %s', async (portuguese, ask) => {
    expect(refusalInPortuguese(await ask())).toBe(portuguese);
  });

  test('and names what uses a list, each in Portuguese', () => {
    const uses = 'campaign 8 (Natal, 2) is paused, campaign 9 (B) is a model, call a_7 waits';
    expect(refusalInPortuguese(`list 12 is in use: ${uses}, and others`)).toBe(
      'a lista 12 está em uso: a campanha 8 (Natal, 2) está pausada, a campanha 9 (B) é um modelo, a chamada a_7 espera e outros',
    );
  });

  test('and a sentence that is none of the service is left as it came', () => {
    expect(refusalInPortuguese('Parameter value is not valid (#100)')).toBeUndefined();
  });
});

describeInBrowser('a person who reads Portuguese', {}, (here) => {
  test('reads in a form, on a page and of a file what was refused', async () => {
    const { page } = await here.open('/admin/accounts/new', { locale: 'pt-BR' });
    await page.getByLabel('nome name').fill('Loja');
    await page.getByLabel('fuso horário time_zone').fill('Marte');
    await page.getByRole('button', { name: 'Criar', exact: true }).click();
    await page.getByText('precisa ser um fuso horário IANA').waitFor();

    await page.goto(`${here.on.url}/admin/machines/nosuch`);
    await page.goto(`${here.on.url}/admin/accounts/999`);
    await page.getByText('a conta 999 não existe').waitFor();

    await page.goto(`${here.on.url}/admin/accounts/3/blocklist`);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        ...{ name: 'n.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) },
      });
    await page.getByRole('button', { name: 'Pôr na lista' }).click();
    await page.getByText('o arquivo não tem números').waitFor();
    await page.context().close();
  });
});
