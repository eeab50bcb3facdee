/** Msgapp templates that are deleted, upstream, here or in both places (spec 4.18). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { graphError } from '../helpers/graphServer.ts';
import { codeOf, openTemplateBed, resultOf, type TemplateBed, templatesPath } from './templates.ts';

let bed: TemplateBed;

beforeAll(async () => {
  bed = await openTemplateBed();
});
afterAll(() => bed.stop());
afterEach(() => bed.server.check());

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
    const { id, upstreamId, name } = await bed.submitted();
    const english = await bed.submitted({ cwt_name: name, cwt_language: 'en_US' });
    const answer = await bed.remove(id);
    expect(answer).toMatchObject({
      http: 200,
      body: { return: { status: 'OK', status_code: '0', template_id: String(id) } },
    });
    expect(resultOf(answer)).toEqual(deletion(id, upstreamId, name, 'meta_only'));
    expect(bed.upstream.kept.filter((one) => one.name === name).map((one) => one.id)).toEqual([
      english.upstreamId,
    ]);
    expect(await bed.row(id)).toMatchObject({ cwt_status: 'DELETED', state: 'deleted' });
    expect(await bed.changesOf(id)).toEqual(['submit PENDING', 'delete DELETED']);
    expect(codeOf(await bed.remove(id, 'meta_only', { app_id: bed.line }))).toEqual([400, '260']);
    expect(codeOf(await bed.create(id))).toEqual([201, '0']);
  });

  test('in both places [3.1/both]', async () => {
    const { id, upstreamId, name } = await bed.submitted();
    expect(resultOf(await bed.remove(id, 'both'))).toEqual(deletion(id, upstreamId, name, 'both'));
    expect(bed.upstream.kept.some((one) => one.id === upstreamId)).toBe(false);
    expect((await bed.on.admin('GET', `${templatesPath}/${id}`)).http).toBe(404);
    expect(codeOf(await bed.check(id))).toEqual([400, '238']);
    const there = await bed.submitted();
    await bed.remove(there.id);
    expect(codeOf(await bed.remove(there.id, 'both'))).toEqual([200, '0']);
    expect((await bed.on.admin('GET', `${templatesPath}/${there.id}`)).http).toBe(404);
  });

  test('here only, submitted or not, also when the line has no key [3.1/local_only]', async () => {
    const { id, upstreamId } = await bed.submitted();
    const stored = await bed.store();
    const line = await bed.makeLine({ v8l_wa_api_key: '' });
    const keyless = await bed.store({ v8l_id: line });
    expect(resultOf(await bed.remove(id, 'local_only'))).toMatchObject({ deleted: true });
    expect(resultOf(await bed.remove(stored, 'local_only'))).toMatchObject({ meta_template_id: '' });
    expect(codeOf(await bed.remove(keyless, 'local_only', { v8l_id: line }))).toEqual([200, '0']);
    expect(bed.server.seen).toEqual([]);
    expect(bed.upstream.kept.some((one) => one.id === upstreamId)).toBe(true);
    for (const gone of [id, stored, keyless])
      expect((await bed.on.admin('GET', `${templatesPath}/${gone}`)).http).toBe(404);
  });

  test('not in another way', async () => {
    const { id } = await bed.submitted();
    expect(codeOf(await bed.remove(id, 'everywhere'))).toEqual([400, '299']);
    expect(await bed.statusOf(id)).toBe('PENDING');
  });

  test.each([
    ['no permission', () => graphError(403, 200, 'Permissions error'), 'Permissions error'],
    ['too many requests', () => graphError(429, 4, 'Too many calls'), 'Too many calls'],
    ['a failure of its own', () => graphError(500, 2, 'Try later'), 'Try later'],
  ])('not when upstream answers with %s [4.18/260]', async (_why, reaction, message) => {
    const { id } = await bed.submitted();
    bed.server.next(reaction());
    const answer = await bed.remove(id, 'both');
    expect(codeOf(answer)).toEqual([400, '260']);
    expect(resultOf(answer)).toMatchObject({ deleted: false, delete_mode: 'both', error_message: message });
    expect(await bed.statusOf(id)).toBe('PENDING');
  });

  test.each([
    ['the answer is lost', { cut: 'unanswered' as const }],
    ['a gateway answers', { status: 504, html: '' }],
  ])('after all when %s: it is asked for again', async (_why, reaction) => {
    const { id } = await bed.submitted();
    bed.server.next(reaction);
    expect(codeOf(await bed.remove(id))).toEqual([200, '0']);
    expect(bed.server.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });
});
