/** The life of a Msgapp template (spec 3.1, 4.17 to 4.19): checked, told, listed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { graphError } from '../helpers/graphServer.ts';
import { demoAccount, demoToken } from '../helpers/service.ts';
import { codeOf, openTemplateBed, resultOf, type TemplateBed, templateRef } from './templates.ts';

let bed: TemplateBed;

beforeAll(async () => {
  bed = await openTemplateBed();
});
afterAll(() => bed.stop());
afterEach(() => bed.server.check());

/** What an operator may do instead of waiting for the schedule. */
const poll = async (id: number): Promise<void> => {
  const path = `/machines/a_${id}/events?account=${demoAccount}`;
  expect(await bed.on.admin('POST', path, { type: 'checkNow' })).toMatchObject({ http: 200 });
};

describe('a template under review', () => {
  test('is PENDING, APPROVED when upstream says so, and told as news once [4.17/template_id] [4.17/v8l_id] [4.17/result] [3.1/check]', async () => {
    const { id, upstreamId, name } = await bed.submitted();
    expect(await bed.check(id)).toMatchObject({
      http: 200,
      body: {
        return: {
          status: 'OK',
          status_code: '0',
          template_id: String(id),
          result: {
            meta_template_id: upstreamId,
            meta_status: 'PENDING',
            previous_status: 'PENDING',
            status_changed: false,
            meta_name: name,
          },
        },
      },
    });
    bed.upstream.review(upstreamId, 'APPROVED');
    const news = { meta_status: 'APPROVED', previous_status: 'PENDING', status_changed: true };
    expect(resultOf(await bed.check(id, { v8l_id: undefined, app_id: bed.line }))).toMatchObject(news);
    expect(resultOf(await bed.check(id))).toMatchObject({
      previous_status: 'APPROVED',
      status_changed: false,
    });
    expect(await bed.changesOf(id)).toEqual(['submit PENDING', 'check APPROVED']);
  });

  test('is APPROVED by a poll, and the next check still compares with what was told [4.17/previous_status]', async () => {
    const { id, upstreamId } = await bed.submitted();
    bed.upstream.review(upstreamId, 'APPROVED');
    await poll(id);
    await expect.poll(() => bed.statusOf(id)).toBe('APPROVED');
    expect(await bed.changesOf(id)).toEqual(['submit PENDING', 'poll APPROVED']);
    expect(resultOf(await bed.check(id))).toMatchObject({ previous_status: 'PENDING', status_changed: true });
  });

  test('is APPROVED by a hook, and REJECTED with its reason kept [3.1/rejected]', async () => {
    const { id } = await bed.submitted();
    await bed.hook(id, { status: 'APPROVED' });
    expect(await bed.statusOf(id)).toBe('APPROVED');
    await bed.hook(id, { status: 'REJECTED', reason: 'INVALID_FORMAT' });
    expect(await bed.row(id)).toMatchObject({
      cwt_status: 'REJECTED',
      cwt_rejection_reason: 'INVALID_FORMAT',
    });
    expect(await bed.changesOf(id)).toEqual(['submit PENDING', 'hook APPROVED', 'hook REJECTED']);
  });

  test('is REJECTED by a check, with upstream’s reason; a word that nobody knows is kept [3.1/open]', async () => {
    const { id, upstreamId } = await bed.submitted();
    bed.upstream.review(upstreamId, 'REJECTED', 'ABUSIVE_CONTENT');
    await bed.check(id);
    expect(await bed.row(id)).toMatchObject({
      cwt_status: 'REJECTED',
      cwt_rejection_reason: 'ABUSIVE_CONTENT',
    });
    bed.upstream.review(upstreamId, 'LIMIT_EXCEEDED');
    expect(resultOf(await bed.check(id))).toMatchObject({ meta_status: 'LIMIT_EXCEEDED' });
  });

  test.each([
    ['an expired token', () => graphError(401, 190, 'Session has expired'), 'Session has expired'],
    ['HTML', () => ({ status: 502, html: '<html></html>' }), 'the upstream answered HTTP 502'],
    ['a cut', () => ({ cut: 'unanswered' as const }), 'the connection to the upstream broke'],
    ['too many requests', () => graphError(429, 4, 'Too many calls'), 'Too many calls'],
  ])('stays as it is when upstream answers a check with %s [4.17/260]', async (_why, reaction, message) => {
    const { id, upstreamId } = await bed.submitted();
    bed.server.next(reaction());
    const answer = await bed.check(id);
    expect(codeOf(answer)).toEqual([400, '260']);
    expect(resultOf(answer)).toMatchObject({
      error_message: expect.stringContaining(message),
      meta_template_id: upstreamId,
      status_changed: false,
    });
    expect([await bed.statusOf(id), await bed.changesOf(id)]).toEqual(['PENDING', ['submit PENDING']]);
  });

  test('is answered however often it is asked for', async () => {
    const { id } = await bed.submitted();
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => bed.check(id)));
      expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 200));
    }
    const { milestones } = (await bed.on.service.engine.view(templateRef(id)))!;
    expect(milestones.length).toBeLessThanOrEqual(64);
  });
});

describe('a check or a deletion that is refused before anything is sent', () => {
  const both = [
    ['4.17', (id: number, body: object) => bed.check(id, body)],
    ['4.18', (id: number, body: object) => bed.remove(id, 'both', body)],
  ] as const;

  test('for an id that is missing, no number, or one that nothing has [4.17/230] [4.17/236] [4.18/230] [4.18/236]', async () => {
    const { id } = await bed.submitted();
    for (const [, ask] of both)
      for (const [body, code] of [
        [{ template_id: '' }, '230'],
        [{ template_id: 'x' }, '230'],
        [{ v8l_id: '' }, '236'],
        [{ v8l_id: 'x' }, '236'],
        [{ v8l_id: '0' }, '235'],
        [{ v8l_id: -1 }, '235'],
        [{ template_id: '0' }, '238'],
        [{ template_id: 1e20 }, '238'],
      ] as const) {
        const answer = await ask(id, body);
        expect(codeOf(answer)).toEqual([400, code]);
        expect(answer.body.return.template_id).toBe('0');
      }
  });

  test('for a line that is unknown, foreign, inactive, or lacks what it takes [4.17/233] [4.17/234] [4.17/235] [4.18/233] [4.18/234] [4.18/235]', async () => {
    const other = (await bed.on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    for (const [line, code] of [
      [99_999, '235'],
      [await bed.makeLine({}, other), '235'],
      [await bed.makeLine({ active: 0 }), '235'],
      [await bed.makeLine({ v8l_wa_api_key: '' }), '233'],
      [await bed.makeLine({ v8l_wa_business_id: '' }), '234'],
    ] as const)
      for (const [, ask] of both) expect(codeOf(await ask(1, { v8l_id: line }))).toEqual([400, code]);
  });

  test('for a template that is unknown or of another line, or was not submitted [4.17/238] [4.17/239] [4.18/238] [4.18/239] [3.1/stored]', async () => {
    const id = await bed.store();
    const second = await bed.makeLine();
    for (const [, ask] of both) {
      expect(codeOf(await ask(9_999_999, {}))).toEqual([400, '238']);
      expect(codeOf(await ask(id, { v8l_id: second }))).toEqual([400, '238']);
      expect(codeOf(await ask(id, {}))).toEqual([400, '239']);
    }
    const kept = await bed.remove(id, 'meta_only');
    expect(codeOf(kept)).toEqual([400, '239']);
    expect(resultOf(kept)).toMatchObject({ template_id: id, meta_template_id: '0', deleted: false });
    expect((await bed.row(id)).cwt_template_id).toBe('');
  });
});

describe('the templates of a line', () => {
  test('are those that are APPROVED, with twelve fields [4.19/app_id] [4.19/templates]', async () => {
    const line = await bed.makeLine();
    const body = { v8l_id: line, cwt_footer_text: 'Loja' };
    const ids = [await bed.store(body), await bed.store(body), await bed.store(body)];
    for (const id of ids.slice(0, 2)) {
      await bed.create(id, { app_id: line });
      await bed.hook(id, { status: 'APPROVED' });
    }
    await bed.hook(ids[1]!, { status: 'PAUSED' });
    const answer = await bed.list({ app_id: line });
    const row = await bed.row(ids[0]!);
    expect(answer.http).toBe(200);
    expect(answer.body).toEqual({
      return: { status: 'OK', status_code: '0' },
      templates: [
        {
          cwt_id: ids[0],
          cwt_name: row.cwt_name,
          cwt_category: 'UTILITY',
          cwt_language: 'pt_BR',
          cwt_status: 'APPROVED',
          cwt_body_text: 'Olá {{1}}, o pedido {{2}} está pronto.',
          cwt_header_type: '',
          cwt_header_text: '',
          cwt_footer_text: 'Loja',
          cwt_variables_examples: '{"body_text":["Ana","17"]}',
          cwt_button_type: '',
          cwt_button_config: '',
        },
      ],
    });
    expect((await bed.list({ app_id: undefined, v8l_id: line })).body).toEqual(answer.body);
  });

  test('of no line, or of one that is not the account’s, are refused [4.19/201] [4.19/202]', async () => {
    const other = (await bed.on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    for (const [line, code] of [
      [undefined, '201'],
      ['x', '202'],
      [99_999, '202'],
      [await bed.makeLine({ active: 0 }), '202'],
      [await bed.makeLine({ v8l_class: 'photodm' }), '202'],
      [await bed.makeLine({}, other), '202'],
    ] as const) {
      const answer = await bed.list({ app_id: line });
      expect([codeOf(answer), answer.body.templates]).toEqual([[400, code], []]);
    }
  });
});

test('an upstream that cannot be reached: submissions are REJECTED, checks and deletions refused', async () => {
  const [stored, { id }] = [await bed.store(), await bed.submitted()];
  await bed.server.stop();
  expect(codeOf(await bed.create(stored))).toEqual([400, '260']);
  expect(await bed.row(stored)).toMatchObject({
    cwt_status: 'REJECTED',
    cwt_rejection_reason: expect.stringContaining('cannot be reached'),
  });
  expect(codeOf(await bed.check(id))).toEqual([400, '260']);
  expect(codeOf(await bed.remove(id, 'both'))).toEqual([400, '260']);
  expect(await bed.statusOf(id)).toBe('PENDING');
});

test('a token that may not use Msgapp is refused', async () => {
  const made = await bed.on.admin('POST', `/accounts/${demoAccount}/tokens`, {
    permissions: { enabled: true, apis: { msgapp: false } },
  });
  expect(made.http).toBe(201);
  for (const operation of [
    'CreateMsgappTemplate',
    'CheckTemplateStatus',
    'DeleteMsgappTemplate',
    'GetMsgappTemplates',
  ]) {
    const answer = await bed.on.post(operation, { tsid: made.body.token });
    expect(codeOf(answer)).toEqual([403, '123']);
  }
  expect(demoToken).not.toBe(made.body.token);
});
