/** Msgapp templates as operators see, edit and remove them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount } from '../helpers/service.ts';
import { aTemplate, codeOf, openTemplateBed, type TemplateBed, templatesPath } from './templates.ts';

let bed: TemplateBed;

beforeAll(async () => {
  bed = await openTemplateBed();
});
afterAll(() => bed.stop());
afterEach(() => bed.server.check());

describe('a template at the admin door', () => {
  test('may be incomplete, and is listed newest first [2.5.1/cwt]', async () => {
    const made = await bed.on.admin('POST', templatesPath, { v8l_id: bed.line });
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
    const { templates } = (await bed.on.admin('GET', templatesPath)).body;
    expect(templates.slice(0, 2).map((one: { cwt_id: number }) => one.cwt_id)).toEqual([
      id,
      made.body.cwt_id,
    ]);
  });

  test('is stored again when it is edited, and what was known of it is in its history [3.1/stored]', async () => {
    const { id, upstreamId } = await bed.submitted();
    const edit = await bed.on.admin('PATCH', `${templatesPath}/${id}`, { cwt_footer_text: 'Loja' });
    expect(edit).toMatchObject({
      http: 200,
      body: { cwt_footer_text: 'Loja', cwt_status: '', cwt_template_id: '', state: 'stored' },
    });
    expect(edit.body.changes.at(-1)).toMatchObject({
      ...{ by: 'edit', status: '', cwt_template_id: upstreamId },
    });
    expect(codeOf(await bed.check(id))).toEqual([400, '239']);
  });

  test('is edited upstream when it was rejected, and why stands beside its new text meanwhile', async () => {
    const { id, upstreamId } = await bed.submitted();
    bed.upstream.review(upstreamId, 'REJECTED', 'INVALID_FORMAT');
    await bed.check(id);
    const edit = await bed.on.admin('PATCH', `${templatesPath}/${id}`, { cwt_footer_text: 'Loja' });
    expect(edit.body).toMatchObject({
      ...{ cwt_template_id: '', cwt_status: '', state: 'stored' },
      ...{ cwt_rejection_reason: 'INVALID_FORMAT', former_template_id: upstreamId },
    });
    expect(codeOf(await bed.remove(id, 'both'))).toEqual([400, '239']);
    bed.server.seen.length = 0;
    const again = await bed.create(id);
    expect([codeOf(again), again.body.return.meta_template_id]).toEqual([[201, '0'], upstreamId]);
    expect(bed.server.seen.map(({ method, path }) => [method, path])).toEqual([['POST', upstreamId]]);
    expect(await bed.row(id)).toMatchObject({
      ...{
        cwt_template_id: upstreamId,
        cwt_status: 'PENDING',
        cwt_rejection_reason: '',
        former_template_id: '',
      },
    });
  });

  test('is submitted again as it stands when it was rejected', async () => {
    const { id, upstreamId } = await bed.submitted();
    bed.upstream.review(upstreamId, 'REJECTED', 'INVALID_FORMAT');
    await bed.check(id);
    expect((await bed.create(id)).body.return).toMatchObject({ status: 'OK', meta_template_id: upstreamId });
  });

  test('leaves none upstream: under another name the former one is deleted by an operator', async () => {
    const { id, upstreamId, name } = await bed.submitted();
    await bed.on.admin('PATCH', `${templatesPath}/${id}`, { cwt_name: `${name}_x` });
    const second = (await bed.create(id)).body.return.meta_template_id;
    expect(await bed.row(id)).toMatchObject({ cwt_template_id: second, former_template_id: upstreamId });
    const gone = await bed.on.admin('DELETE', `${templatesPath}/${id}/former`);
    expect(gone).toMatchObject({
      http: 200,
      body: { cwt_template_id: second, cwt_status: 'PENDING', state: 'submitted', former_template_id: '' },
    });
    expect(bed.upstream.kept.map((one) => one.id)).not.toContain(upstreamId);
    expect(bed.upstream.kept.map((one) => one.id)).toContain(second);
    expect((await bed.on.admin('DELETE', `${templatesPath}/${id}/former`)).http).toBe(409);
    await bed.on.admin('PATCH', `${templatesPath}/${id}`, { cwt_footer_text: 'Loja' });
    const stored = await bed.on.admin('DELETE', `${templatesPath}/${id}/former`);
    expect(stored).toMatchObject({ http: 200, body: { state: 'stored', former_template_id: '' } });
    expect(bed.upstream.kept.map((one) => one.id)).not.toContain(second);
  });

  test('is a new one when upstream no longer has the former', async () => {
    const { id, upstreamId } = await bed.submitted();
    await bed.on.admin('PATCH', `${templatesPath}/${id}`, { cwt_footer_text: 'Loja' });
    bed.upstream.kept.splice(
      bed.upstream.kept.findIndex((one) => one.id === upstreamId),
      1,
    );
    expect(codeOf(await bed.create(id))).toEqual([400, '260']);
    const again = await bed.create(id);
    expect(codeOf(again)).toEqual([201, '0']);
    expect(again.body.return.meta_template_id).not.toBe(upstreamId);
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
      const answer = await bed.on.admin('POST', templatesPath, body);
      expect([answer.http, answer.body.field]).toEqual([400, field]);
    }
    expect((await bed.on.admin('GET', `/accounts/${other}/templates/${await bed.store()}`)).http).toBe(404);
  });

  test('is removed here only', async () => {
    const { id, upstreamId } = await bed.submitted();
    expect((await bed.on.admin('DELETE', `${templatesPath}/${id}`)).http).toBe(204);
    expect((await bed.on.admin('DELETE', `${templatesPath}/${id}`)).http).toBe(404);
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
