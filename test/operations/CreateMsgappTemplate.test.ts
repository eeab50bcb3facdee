/** CreateMsgappTemplate (spec 4.16): what is sent, every code, and upstream's bad days. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { graphError, graphToken } from '../helpers/graphServer.ts';
import { demoAccount, type RestAnswer } from '../helpers/service.ts';
import { codeOf, openTemplateBed, type TemplateBed, wholeLine } from './templates.ts';

let bed: TemplateBed;

beforeAll(async () => {
  bed = await openTemplateBed();
});
afterAll(() => bed.stop());
afterEach(() => bed.server.check());

const failure = {
  meta_template_id: '0',
  meta_status: 'ERROR',
  json_generated: null,
};

describe('a template that upstream takes', () => {
  test('is posted to the business account as upstream wants it, and answered with HTTP 201 [4.16/template_id] [4.16/success] [2.5.1/cwt_variables_examples] [2.5.1/cwt_meta_json]', async () => {
    const id = await bed.store({ cwt_footer_text: 'Loja da Ana' });
    const answer = await bed.create(id);
    const { cwt_name: name } = await bed.row(id);
    const sent = {
      ...{ name, category: 'UTILITY', language: 'pt_BR' },
      components: [
        {
          type: 'BODY',
          text: 'Olá {{1}}, o pedido {{2}} está pronto.',
          example: { body_text: [['Ana', '17']] },
        },
        { type: 'FOOTER', text: 'Loja da Ana' },
      ],
    };
    expect(bed.server.seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', `${wholeLine.v8l_wa_business_id}/message_templates`, sent],
    ]);
    const upstreamId = bed.upstream.kept.at(-1)!.id;
    expect(answer.http).toBe(201);
    expect(answer.body).toEqual({
      return: {
        status: 'OK',
        status_code: '0',
        template_id: String(id),
        meta_template_id: upstreamId,
        meta_status: 'OK',
        json_generated: JSON.stringify(sent),
        meta_raw_response: JSON.stringify({ id: upstreamId, status: 'PENDING', category: 'UTILITY' }),
      },
    });
    expect(await bed.row(id)).toMatchObject({
      cwt_status: 'PENDING',
      cwt_template_id: upstreamId,
      cwt_rejection_reason: '',
      cwt_meta_json: JSON.stringify(sent),
      state: 'submitted',
      changes: [{ status: 'PENDING', by: 'submit', reason: '', cwt_template_id: upstreamId }],
    });
  });

  test('may have a header, buttons, examples that are nested already, or be a code’s [2.5.1/cwt_variables_examples]', async () => {
    const all = [
      { cwt_variables_examples: { body_text: [['Ana', '17']] } },
      {
        cwt_header_type: 'TEXT',
        cwt_header_text: 'Pedido {{1}}',
        cwt_variables_examples: { body_text: ['Ana', '17'], header_text: ['17'] },
        cwt_button_type: 'URL',
        cwt_button_config: [{ text: 'Ver', url: 'https://shop.example/{{1}}', example: '17' }],
      },
      { cwt_header_type: 'LOCATION', cwt_button_type: 'QUICK_REPLY', cwt_button_config: [{ text: 'Sim' }] },
      { cwt_button_type: 'PHONE_NUMBER', cwt_button_config: { text: 'Ligar', phone_number: '+551133' } },
      { cwt_button_type: 'COPY_CODE', cwt_button_config: { example: '25OFF' } },
      { cwt_category: 'AUTHENTICATION', cwt_body_text: 'Código', cwt_footer_text: '10' },
    ];
    for (const body of all) expect((await bed.create(await bed.store(body))).http).toBe(201);
  });

  test('keeps the upload handle, and shows the address of the media in its copy only [4.16/cwm_id] [2.5.1/cwt_meta_json_with_urls] [2.5.1/cwm]', async () => {
    const path = `/accounts/${demoAccount}/media`;
    const address = 'https://cdn.example/a.png';
    const media = await bed.on.admin('POST', path, { cwm_file_path: address, name: 'a' });
    expect(media).toMatchObject({ http: 201, body: { cwm_id: expect.any(Number), cwm_file_path: address } });
    const id = await bed.store({ cwt_header_type: 'IMAGE', cwt_header_text: '4::aW' });
    const answer = await bed.create(id, { cwm_id: media.body.cwm_id });
    expect(bed.server.seen[0]!.body.components[0].example).toEqual({ header_handle: ['4::aW'] });
    const { cwt_meta_json: json, cwt_meta_json_with_urls: copy } = await bed.row(id);
    expect([answer.body.return.json_generated, json.includes('4::aW')]).toEqual([json, true]);
    expect(copy).toBe(json.replace('4::aW', address));
    const wrong = await bed.on.admin('POST', path, { cwm_file_path: 'ftp://cdn.example/a.png' });
    expect([wrong.http, wrong.body.field]).toEqual([400, 'cwm_file_path']);
  });

  test('takes the line by its alias, and numbers as text [4.16/app_id] [4.16/action]', async () => {
    const id = await bed.store();
    const given = { template_id: String(id), v8l_id: String(bed.line), action: 'CREATE' };
    expect(codeOf(await bed.on.post('CreateMsgappTemplate', given))).toEqual([201, '0']);
  });

  test('is posted once however many ask at a time', async () => {
    const id = await bed.store();
    const answers = await Promise.all(Array.from({ length: 8 }, () => bed.create(id)));
    // Those that came after upstream had answered hear that it is submitted already.
    expect(answers.filter(({ http }) => http === 201).length).toBeGreaterThan(0);
    expect(new Set(answers.map(({ body }) => body.return.meta_template_id)).size).toBe(1);
    expect(bed.server.seen).toHaveLength(1);
    expect(codeOf(await bed.create(id))).toEqual([400, '260']);
    expect(await bed.row(id)).toMatchObject({ cwt_status: 'PENDING' });
  });

  test('is answered once more under the same Idempotency-Key, and not under it with others [4.16/409]', async () => {
    const id = await bed.store();
    const key = { 'Idempotency-Key': `template ${id}` };
    const first = await bed.create(id, {}, key);
    const again = await bed.create(id, {}, key);
    expect([again.http, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(bed.server.seen).toHaveLength(1);
    expect(codeOf(await bed.create(await bed.store(), {}, key))).toEqual([409, '409']);
  });

  test('may come again under its Idempotency-Key when it was refused, and is posted once more [4.16/260]', async () => {
    const id = await bed.store();
    const key = { 'Idempotency-Key': `refused ${id}` };
    bed.server.next(graphError(400, 100, 'Invalid parameter'));
    expect(codeOf(await bed.create(id, {}, key))).toEqual([400, '260']);
    bed.server.next(graphError(400, 100, 'Invalid parameter'));
    expect(codeOf(await bed.create(id, {}, key))).toEqual([400, '260']);
    const answers = await Promise.all(Array.from({ length: 4 }, () => bed.create(id, {}, key)));
    expect(answers.map(codeOf)).toEqual(Array.from({ length: 4 }, () => [201, '0']));
    expect(new Set(answers.map(({ body }) => body.return.meta_template_id)).size).toBe(1);
    expect(bed.server.seen).toHaveLength(3);
  });
});

describe('a request that is refused before anything is sent', () => {
  test.each([
    ['no template_id [4.16/230]', { template_id: '' }, '230'],
    ['a template_id that is no number [4.16/230]', { template_id: 'x' }, '230'],
    ['a template_id that can be none [4.16/230]', { template_id: 0 }, '230'],
    ['no app_id [4.16/236]', { app_id: null }, '236'],
    ['an app_id that can be none [4.16/235]', { app_id: 0 }, '235'],
    ['no action [4.16/237]', { action: '' }, '237'],
    ['another action [4.16/299]', { action: 'delete' }, '299'],
    ['a media file that is not the account’s [4.16/299]', { cwm_id: 99_999 }, '299'],
    ['a line that does not exist [4.16/235]', { app_id: 99_999 }, '235'],
    ['a template that does not exist [4.16/238]', { template_id: 9_999_999 }, '238'],
    ['neither the template nor the line exists', { template_id: 9_999_999, app_id: 99_999 }, '238'],
  ])('for %s', async (_why, body, code) => {
    const answer = await bed.create(await bed.store(), body);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body.return).toMatchObject({ ...failure, template_id: '0', meta_raw_response: '' });
    expect(bed.server.seen).toEqual([]);
  });

  test.each([
    ['another provider [4.16/231]', { v8l_wa_provider: '' }, '231'],
    ['no app name [4.16/232]', { v8l_wa_app_name: '' }, '232'],
    ['no API key [4.16/233]', { v8l_wa_api_key: '' }, '233'],
    ['no business id [4.16/234]', { v8l_wa_business_id: '' }, '234'],
    ['an inactive line [4.16/235]', { active: 0 }, '235'],
  ])('for %s', async (_why, body, code) => {
    const line = await bed.makeLine(body);
    const id = await bed.store({ v8l_id: line });
    expect(codeOf(await bed.create(id, { app_id: line }))).toEqual([400, code]);
  });

  test('for a line of another class, or of another account, and a template of another line [4.16/235] [4.16/238]', async () => {
    const id = await bed.store();
    const page = await bed.makeLine({ v8l_class: 'pagechat' });
    const other = (await bed.on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    const foreign = await bed.makeLine({}, other);
    const second = await bed.makeLine();
    for (const [line, code] of [
      [page, '235'],
      [foreign, '235'],
      [second, '238'],
    ] as const)
      expect(codeOf(await bed.create(id, { app_id: line }))).toEqual([400, code]);
  });

  test.each([
    ['no name [4.16/240]', { cwt_name: '' }, '240'],
    ['no category [4.16/241]', { cwt_category: '' }, '241'],
    ['no language [4.16/242]', { cwt_language: '' }, '242'],
    ['no body [4.16/243]', { cwt_body_text: '' }, '243'],
    ['buttons that are no JSON [4.16/245]', { cwt_button_type: 'URL', cwt_button_config: '{' }, '245'],
    ['no examples [4.16/247]', { cwt_variables_examples: '' }, '247'],
    ['examples that are no JSON [4.16/248]', { cwt_variables_examples: 'Ana' }, '248'],
    ['too few examples [4.16/249]', { cwt_variables_examples: '{"body_text":["Ana"]}' }, '249'],
    ['an empty example [4.16/250]', { cwt_variables_examples: '{"body_text":["Ana",""]}' }, '250'],
  ])('for %s', async (_why, body, code) => {
    const id = await bed.store(body);
    const answer = await bed.create(id);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body.return).toMatchObject({ ...failure, template_id: String(id) });
    expect([bed.server.seen, (await bed.row(id)).cwt_status]).toEqual([[], '']);
  });
});

describe('a template that upstream refuses', () => {
  const refused = async (id: number, reason: string): Promise<RestAnswer> => {
    const answer = await bed.create(id);
    expect(codeOf(answer)).toEqual([400, '260']);
    expect(await bed.row(id)).toMatchObject({
      ...{ cwt_status: 'REJECTED', cwt_rejection_reason: reason, cwt_template_id: '', state: 'stored' },
      changes: [{ status: 'REJECTED', by: 'submit', reason }],
    });
    return answer;
  };

  test('is REJECTED with the reason, and upstream’s raw answer is in ours [4.16/260] [4.16/failure] [3.1/rejected]', async () => {
    const twin = await bed.store();
    await bed.create(twin);
    const { cwt_name } = await bed.row(twin);
    const reason = 'There is already pt_BR content for this template.';
    const id = await bed.store({ cwt_name });
    const { body } = await refused(id, reason);
    expect(body.return).toEqual({
      ...failure,
      status: reason,
      status_code: '260',
      template_id: String(id),
      meta_raw_response: expect.stringContaining('2388024'),
    });
    expect(codeOf(await bed.check(id))).toEqual([400, '239']);
  });

  test.each([
    [
      'an expired token',
      () => graphError(401, 190, 'Session has expired', { error_subcode: 463 }),
      'Session has expired',
    ],
    [
      'too many requests',
      () => graphError(429, 80_007, 'Rate limit hit', {}, { 'Retry-After': '30' }),
      'Rate limit hit',
    ],
    [
      'a failure of its own',
      () => graphError(500, 2, 'Service temporarily unavailable'),
      'Service temporarily unavailable',
    ],
    [
      'an unknown path',
      () => ({ status: 404, html: '<html>Not found</html>' }),
      'the upstream answered HTTP 404',
    ],
  ])('is REJECTED for %s', async (_why, reaction, reason) => {
    bed.server.next(reaction());
    const answer = await refused(await bed.store(), reason);
    expect(JSON.stringify(answer.body)).not.toContain(graphToken);
  });

  test('may be submitted again, and its history tells of both', async () => {
    const id = await bed.store();
    bed.server.next(graphError(401, 190, 'Session has expired'));
    await bed.create(id);
    expect(codeOf(await bed.create(id))).toEqual([201, '0']);
    expect((await bed.row(id)).changes.map(({ status }: { status: string }) => status)).toEqual([
      'REJECTED',
      'PENDING',
    ]);
  });
});

describe('a submission of which nobody knows', () => {
  test.each([
    ['the connection is cut', { cut: 'unanswered' as const }],
    ['the answer is cut off', { cut: 'halfway' as const }],
    ['a gateway answers with HTML', { gateway: 502 }],
  ])('is found at upstream and not posted again when %s', async (_why, creating) => {
    const id = await bed.store();
    bed.upstream.creating = creating;
    const answer = await bed.create(id);
    expect(codeOf(answer)).toEqual([201, '0']);
    expect(answer.body.return.meta_template_id).toBe(bed.upstream.kept.at(-1)!.id);
    expect(bed.server.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(await bed.row(id)).toMatchObject({ cwt_status: 'PENDING', state: 'submitted' });
  });

  test('is looked for, and the caller told that nobody knows, when upstream does not show it [4.16/239]', async () => {
    const id = await bed.store();
    bed.server.next({ cut: 'unanswered' });
    const answer = await bed.create(id);
    expect(codeOf(answer)).toEqual([400, '260']);
    expect(answer.body.return.status).toContain('it is not known whether upstream took it');
    expect(codeOf(await bed.create(id))).toEqual([400, '260']);
    const path = `/accounts/${demoAccount}/templates/${id}`;
    expect(await bed.row(id)).toMatchObject({ cwt_status: '', state: 'submitting' });
    expect((await bed.on.admin('PATCH', path, { cwt_name: 'other' })).http).toBe(409);
    expect((await bed.on.admin('DELETE', path)).http).toBe(409);
    expect(bed.server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('is not taken for another template of its name', async () => {
    const twin = await bed.store();
    await bed.create(twin);
    const { cwt_name } = await bed.row(twin);
    const id = await bed.store({ cwt_name, cwt_body_text: 'Outro texto', cwt_variables_examples: '' });
    bed.server.next({ cut: 'unanswered' });
    const answer = await bed.create(id);
    expect([codeOf(answer), answer.body.return.status]).toEqual([
      [400, '260'],
      expect.stringContaining(`upstream has another template ${cwt_name} in pt_BR`),
    ]);
  });
});
