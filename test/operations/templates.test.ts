/** The life of a Msgapp template (spec 3.1, 4.17 to 4.19): checked, told, edited, listed, deleted. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { graphError } from '../helpers/graphServer.ts';
import { demoAccount, demoToken, type RestAnswer } from '../helpers/service.ts';
import { aTemplate, codeOf, openTemplateBed, type TemplateBed } from './templates.ts';

let bed: TemplateBed;

beforeAll(async () => {
  bed = await openTemplateBed();
});
afterAll(() => bed.stop());
afterEach(() => bed.server.check());

const path = `/accounts/${demoAccount}/templates`;
const refOf = (id: number) => ({ shard: 'a', account: demoAccount, id });

/** A template that upstream took; what was posted is forgotten. */
const submitted = async (body: object = {}): Promise<{ id: number; upstreamId: string; name: string }> => {
  const id = await bed.store(body);
  const answer = await bed.create(id);
  expect(codeOf(answer)).toEqual([201, '0']);
  bed.server.seen.length = 0;
  const { cwt_name: name } = await bed.row(id);
  return { id, upstreamId: answer.body.return.meta_template_id, name };
};
/** What an operator may do instead of waiting for the schedule. */
const poll = async (id: number): Promise<void> => {
  const path = `/machines/a_${id}/events?account=${demoAccount}`;
  expect(await bed.on.admin('POST', path, { type: 'checkNow' })).toMatchObject({ http: 200 });
};
const hook = (id: number, facts: object) =>
  bed.on.service.engine.send(refOf(id), { type: 'statusTold', ...facts });
const statusOf = async (id: number): Promise<string> => (await bed.row(id)).cwt_status;
const changesOf = async (id: number): Promise<string[]> =>
  (await bed.row(id)).changes.map(({ by, status }: Record<string, string>) => `${by} ${status}`);
const result = ({ body }: RestAnswer) => body.return.result;

describe('a template under review', () => {
  test('is PENDING, APPROVED when upstream says so, and told as news once [4.17/template_id] [4.17/v8l_id] [4.17/result] [3.1/check]', async () => {
    const { id, upstreamId, name } = await submitted();
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
    expect(result(await bed.check(id, { v8l_id: undefined, app_id: bed.line }))).toMatchObject(news);
    expect(result(await bed.check(id))).toMatchObject({ previous_status: 'APPROVED', status_changed: false });
    expect(await changesOf(id)).toEqual(['submit PENDING', 'check APPROVED']);
  });

  test('is APPROVED by a poll, and the next check still compares with what was told [4.17/previous_status]', async () => {
    const { id, upstreamId } = await submitted();
    bed.upstream.review(upstreamId, 'APPROVED');
    await poll(id);
    await expect.poll(() => statusOf(id), { timeout: 10_000 }).toBe('APPROVED');
    expect(await changesOf(id)).toEqual(['submit PENDING', 'poll APPROVED']);
    expect(result(await bed.check(id))).toMatchObject({ previous_status: 'PENDING', status_changed: true });
  });

  test('is APPROVED by a hook, and REJECTED with its reason kept [3.1/rejected]', async () => {
    const { id } = await submitted();
    await hook(id, { status: 'APPROVED' });
    expect(await statusOf(id)).toBe('APPROVED');
    await hook(id, { status: 'REJECTED', reason: 'INVALID_FORMAT' });
    expect(await bed.row(id)).toMatchObject({
      cwt_status: 'REJECTED',
      cwt_rejection_reason: 'INVALID_FORMAT',
    });
    expect(await changesOf(id)).toEqual(['submit PENDING', 'hook APPROVED', 'hook REJECTED']);
  });

  test('is REJECTED by a check, with upstream’s reason; a word that nobody knows is kept [3.1/open]', async () => {
    const { id, upstreamId } = await submitted();
    bed.upstream.review(upstreamId, 'REJECTED', 'ABUSIVE_CONTENT');
    await bed.check(id);
    expect(await bed.row(id)).toMatchObject({
      cwt_status: 'REJECTED',
      cwt_rejection_reason: 'ABUSIVE_CONTENT',
    });
    bed.upstream.review(upstreamId, 'LIMIT_EXCEEDED');
    expect(result(await bed.check(id))).toMatchObject({ meta_status: 'LIMIT_EXCEEDED' });
  });

  test.each([
    ['an expired token', () => graphError(401, 190, 'Session has expired'), 'Session has expired'],
    ['HTML', () => ({ status: 502, html: '<html></html>' }), 'the upstream answered HTTP 502'],
    ['a cut', () => ({ cut: 'unanswered' as const }), 'the connection to the upstream broke'],
    ['too many requests', () => graphError(429, 4, 'Too many calls'), 'Too many calls'],
  ])('stays as it is when upstream answers a check with %s [4.17/260]', async (_why, reaction, message) => {
    const { id, upstreamId } = await submitted();
    bed.server.next(reaction());
    const answer = await bed.check(id);
    expect(codeOf(answer)).toEqual([400, '260']);
    expect(result(answer)).toMatchObject({
      error_message: expect.stringContaining(message),
      meta_template_id: upstreamId,
      status_changed: false,
    });
    expect([await statusOf(id), await changesOf(id)]).toEqual(['PENDING', ['submit PENDING']]);
  });

  test('is answered however often it is asked for', async () => {
    const { id } = await submitted();
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => bed.check(id)));
      expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 200));
    }
    const { milestones } = (await bed.on.service.engine.view(refOf(id)))!;
    expect(milestones.length).toBeLessThanOrEqual(64);
  });
});

describe('a check or a deletion that is refused before anything is sent', () => {
  const both = [
    ['4.17', (id: number, body: object) => bed.check(id, body)],
    ['4.18', (id: number, body: object) => bed.remove(id, 'both', body)],
  ] as const;

  test('for an id that is missing or no number [4.17/230] [4.17/236] [4.18/230] [4.18/236]', async () => {
    const { id } = await submitted();
    for (const [, ask] of both)
      for (const [body, code] of [
        [{ template_id: '' }, '230'],
        [{ template_id: 'x' }, '230'],
        [{ v8l_id: '' }, '236'],
        [{ v8l_id: 'x' }, '236'],
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
    expect(result(kept)).toMatchObject({ template_id: id, meta_template_id: '0', deleted: false });
    expect((await bed.row(id)).cwt_template_id).toBe('');
  });
});

describe('a template that is deleted', () => {
  const deletion = (id: number, upstreamId: string, name: string, mode: string) => ({
    template_id: id,
    meta_template_id: upstreamId,
    template_name: name,
    deleted: true,
    delete_mode: mode,
    message: expect.any(String),
  });

  test('upstream only by default: the row is kept as DELETED, in its language only [4.18/template_id] [4.18/v8l_id] [4.18/delete_mode] [4.18/result] [3.1/meta_only]', async () => {
    const { id, upstreamId, name } = await submitted();
    const english = await submitted({ cwt_name: name, cwt_language: 'en_US' });
    const answer = await bed.remove(id);
    expect(answer).toMatchObject({
      http: 200,
      body: { return: { status: 'OK', status_code: '0', template_id: String(id) } },
    });
    expect(result(answer)).toEqual(deletion(id, upstreamId, name, 'meta_only'));
    expect(bed.upstream.kept.filter((one) => one.name === name).map((one) => one.id)).toEqual([
      english.upstreamId,
    ]);
    expect(await bed.row(id)).toMatchObject({ cwt_status: 'DELETED', state: 'deleted' });
    expect(await changesOf(id)).toEqual(['submit PENDING', 'delete DELETED']);
    expect(codeOf(await bed.remove(id, 'meta_only', { app_id: bed.line }))).toEqual([400, '260']);
    expect(codeOf(await bed.create(id))).toEqual([201, '0']);
  });

  test('in both places [3.1/both]', async () => {
    const { id, upstreamId, name } = await submitted();
    expect(result(await bed.remove(id, 'both'))).toEqual(deletion(id, upstreamId, name, 'both'));
    expect(bed.upstream.kept.some((one) => one.id === upstreamId)).toBe(false);
    expect((await bed.on.admin('GET', `${path}/${id}`)).http).toBe(404);
    expect(codeOf(await bed.check(id))).toEqual([400, '238']);
    const there = await submitted();
    await bed.remove(there.id);
    expect(codeOf(await bed.remove(there.id, 'both'))).toEqual([200, '0']);
    expect((await bed.on.admin('GET', `${path}/${there.id}`)).http).toBe(404);
  });

  test('here only, submitted or not, also when the line has no key [3.1/local_only]', async () => {
    const { id, upstreamId } = await submitted();
    const stored = await bed.store();
    const line = await bed.makeLine({ v8l_wa_api_key: '' });
    const keyless = await bed.store({ v8l_id: line });
    expect(result(await bed.remove(id, 'local_only'))).toMatchObject({ deleted: true });
    expect(result(await bed.remove(stored, 'local_only'))).toMatchObject({ meta_template_id: '' });
    expect(codeOf(await bed.remove(keyless, 'local_only', { v8l_id: line }))).toEqual([200, '0']);
    expect(bed.server.seen).toEqual([]);
    expect(bed.upstream.kept.some((one) => one.id === upstreamId)).toBe(true);
    for (const gone of [id, stored, keyless])
      expect((await bed.on.admin('GET', `${path}/${gone}`)).http).toBe(404);
  });

  test('not in another way', async () => {
    const { id } = await submitted();
    expect(codeOf(await bed.remove(id, 'everywhere'))).toEqual([400, '299']);
    expect(await statusOf(id)).toBe('PENDING');
  });

  test.each([
    ['no permission', () => graphError(403, 200, 'Permissions error'), 'Permissions error'],
    ['too many requests', () => graphError(429, 4, 'Too many calls'), 'Too many calls'],
    ['a failure of its own', () => graphError(500, 2, 'Try later'), 'Try later'],
  ])('not when upstream answers with %s [4.18/260]', async (_why, reaction, message) => {
    const { id } = await submitted();
    bed.server.next(reaction());
    const answer = await bed.remove(id, 'both');
    expect(codeOf(answer)).toEqual([400, '260']);
    expect(result(answer)).toMatchObject({ deleted: false, delete_mode: 'both', error_message: message });
    expect(await statusOf(id)).toBe('PENDING');
  });

  test.each([
    ['the answer is lost', { cut: 'unanswered' as const }],
    ['a gateway answers', { status: 504, html: '' }],
  ])('after all when %s: it is asked for again', async (_why, reaction) => {
    const { id } = await submitted();
    bed.server.next(reaction);
    expect(codeOf(await bed.remove(id))).toEqual([200, '0']);
    expect(bed.server.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });
});

describe('the templates of a line', () => {
  test('are those that are APPROVED, with twelve fields [4.19/app_id] [4.19/templates]', async () => {
    const line = await bed.makeLine();
    const body = { v8l_id: line, cwt_footer_text: 'Loja' };
    const ids = [await bed.store(body), await bed.store(body), await bed.store(body)];
    for (const id of ids.slice(0, 2)) {
      await bed.create(id, { app_id: line });
      await hook(id, { status: 'APPROVED' });
    }
    await hook(ids[1]!, { status: 'PAUSED' });
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

describe('a template at the admin door', () => {
  test('may be incomplete, and is listed newest first [2.5.1/cwt]', async () => {
    const made = await bed.on.admin('POST', path, { v8l_id: bed.line });
    expect(made).toMatchObject({
      http: 201,
      body: {
        cdcs_id: demoAccount,
        v8l_id: bed.line,
        cwt_name: '',
        cwt_status: '',
        state: 'stored',
        changes: [],
      },
    });
    const full = { ...aTemplate(), cwt_header_type: 'TEXT', cwt_header_text: 'H', cwt_button_type: 'NONE' };
    const id = await bed.store(full);
    expect(await bed.row(id)).toMatchObject(full);
    const { templates } = (await bed.on.admin('GET', path)).body;
    expect(templates.slice(0, 2).map((one: { cwt_id: number }) => one.cwt_id)).toEqual([
      id,
      made.body.cwt_id,
    ]);
  });

  test('is stored again when it is edited, and what was known of it is in its history [3.1/stored]', async () => {
    const { id, upstreamId } = await submitted();
    const edit = await bed.on.admin('PATCH', `${path}/${id}`, { cwt_footer_text: 'Loja' });
    expect(edit).toMatchObject({
      http: 200,
      body: { cwt_footer_text: 'Loja', cwt_status: '', cwt_template_id: '', state: 'stored' },
    });
    expect(edit.body.changes.at(-1)).toMatchObject({
      ...{ by: 'edit', status: '', cwt_template_id: upstreamId },
    });
    expect(codeOf(await bed.check(id))).toEqual([400, '239']);
  });

  test('is refused with the field that is wrong', async () => {
    const other = (await bed.on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    for (const [body, field] of [
      [{}, 'v8l_id'],
      [{ v8l_id: 99_999 }, 'v8l_id'],
      [{ v8l_id: await bed.makeLine({}, other) }, 'v8l_id'],
      [{ v8l_id: bed.line, cwt_name: 7 }, 'cwt_name'],
      [{ v8l_id: bed.line, cwt_status: 'APPROVED' }, 'cwt_status'],
      [{ v8l_id: bed.line, cwt_body_text: 'x\0' }, 'cwt_body_text'],
    ] as const) {
      const answer = await bed.on.admin('POST', path, body);
      expect([answer.http, answer.body.field]).toEqual([400, field]);
    }
    expect((await bed.on.admin('GET', `/accounts/${other}/templates/${await bed.store()}`)).http).toBe(404);
  });

  test('is removed here only', async () => {
    const { id, upstreamId } = await submitted();
    expect((await bed.on.admin('DELETE', `${path}/${id}`)).http).toBe(204);
    expect((await bed.on.admin('DELETE', `${path}/${id}`)).http).toBe(404);
    expect(bed.upstream.kept.some((one) => one.id === upstreamId)).toBe(true);
  });

  test('has media with addresses that can be changed and removed [2.5.1/cwm]', async () => {
    const media = `/accounts/${demoAccount}/media`;
    const { cwm_id: id } = (await bed.on.admin('POST', media, { cwm_file_path: 'http://cdn.example/a' }))
      .body;
    const changed = await bed.on.admin('PATCH', `${media}/${id}`, { name: 'logo' });
    expect(changed.body).toMatchObject({ cwm_id: id, cwm_file_path: 'http://cdn.example/a', name: 'logo' });
    expect((await bed.on.admin('GET', media)).body.media).toContainEqual(changed.body);
    expect((await bed.on.admin('DELETE', `${media}/${id}`)).http).toBe(204);
    expect((await bed.on.admin('GET', `${media}/${id}`)).http).toBe(404);
  });
});

test('an upstream that cannot be reached: submissions are REJECTED, checks and deletions refused', async () => {
  const [stored, { id }] = [await bed.store(), await submitted()];
  await bed.server.stop();
  expect(codeOf(await bed.create(stored))).toEqual([400, '260']);
  expect(await bed.row(stored)).toMatchObject({
    cwt_status: 'REJECTED',
    cwt_rejection_reason: expect.stringContaining('cannot be reached'),
  });
  expect(codeOf(await bed.check(id))).toEqual([400, '260']);
  expect(codeOf(await bed.remove(id, 'both'))).toEqual([400, '260']);
  expect(await statusOf(id)).toBe('PENDING');
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
