/** What can be heard of a call by the admin API: its recording, and what it says, each in whole or in part. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

let texts = 0;
const recordedCall = async (more: object = { rec: 30 }): Promise<string> => {
  const text = `Bom dia ${(texts += 1)}`;
  const { body } = await on.post('MakeTTSCall', { dest: '11987650012', text, ...more });
  await on.ended(body.return.cd_id);
  return body.return.cd_id;
};
/** Whatever is answered is read: a connection with an unread answer would stay open. */
const hear = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(`${on.url}/admin/api${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, ...headers },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const header = (name: string) => answer.headers.get(name);
  return { status: answer.status, header, bytes, text: bytes.toString('latin1') };
};
const errorOf = ({ text }: { text: string }): string => (JSON.parse(text) as { error: string }).error;
const auditOf = async (path: string) =>
  ((await on.admin('GET', '/audit')).body.entries as Record<string, unknown>[]).filter(({ action }) =>
    String(action).endsWith(path),
  );

test('a recording is heard in whole and in part, and each time stands in the audit log', async () => {
  const id = await recordedCall();
  const path = `/machines/${id}/recording`;
  const whole = await hear(path);
  expect([whole.status, whole.header('content-type')]).toEqual([200, 'audio/wav']);
  expect(whole.header('cache-control')).toBe('private, no-store');
  const { bytes } = whole;
  expect(bytes.subarray(0, 4).toString()).toBe('RIFF');
  expect(whole.header('content-length')).toBe(String(bytes.length));

  const part = await hear(path, { range: 'bytes=8-11' });
  expect([part.status, part.header('content-range')]).toEqual([206, `bytes 8-11/${bytes.length}`]);
  expect(part.text).toBe('WAVE');
  const outside = await hear(path, { range: `bytes=${bytes.length}-` });
  expect([outside.status, errorOf(outside)]).toEqual([416, 'the range lies outside the file']);
  const head = await hear(path, {}, 'HEAD');
  expect([head.status, head.header('content-length')]).toEqual([200, String(bytes.length)]);

  const noted = await auditOf(path);
  expect(noted.map(({ outcome }) => Number(outcome)).toSorted((one, other) => one - other)).toEqual([
    200, 200, 206, 416,
  ]);
  expect(noted.every(({ cdcs_id }) => cdcs_id === demoAccount)).toBe(true);
});

test('who sees numbers masked hears the recording as it is, and no text that says a number', async () => {
  const id = await recordedCall({ rec: 30, text: 'Ligue para 11 98765-4321' });
  const { body } = await on.admin('POST', '/operators', {
    ...{ name: 'masked ear', role: 'operator', masked_numbers: true },
  });
  const authorization = `Bearer ${body.key}`;
  const plain = await hear(`/machines/${id}/recording`);
  const masked = await hear(`/machines/${id}/recording`, { authorization });
  expect(masked.bytes.equals(plain.bytes)).toBe(true);
  expect((await hear(`/machines/${id}/sounds/0`)).status).toBe(200);
  const refused = await hear(`/machines/${id}/sounds/0`, { authorization });
  expect([refused.status, errorOf(refused)]).toEqual([403, expect.stringContaining('masked')]);
});

test('where there is no recording the answer says why', async () => {
  const unrecorded = await recordedCall({});
  const none = await hear(`/machines/${unrecorded}/recording`);
  expect([none.status, errorOf(none)]).toEqual([404, expect.stringContaining('was not recorded')]);

  const id = await recordedCall();
  const number = id.split('_')[1];
  await on.database.pool.query(
    `UPDATE calls SET recording = '', recording_gone_at = 1795325744421 WHERE id = $1`,
    [number],
  );
  const gone = await hear(`/machines/${id}/recording`);
  expect(errorOf(gone)).toContain('deleted on 2026-11-22');

  await on.database.pool.query(`UPDATE calls SET recording = 'nosuchfile' WHERE id = $1`, [number]);
  const lost = await hear(`/machines/${id}/recording`);
  expect([lost.status, errorOf(lost)]).toEqual([404, expect.stringContaining('not in the media store')]);
  const other = await hear(`/machines/${id}/recording?account=1`);
  expect(other.status).toBe(404);
  expect((await hear(`/machines/${id}/recording`, { authorization: 'Bearer none' })).status).toBe(401);
});

test('a call lists what it says, and each of it is heard, spoken when it is asked for', async () => {
  const id = await recordedCall({});
  const { sounds } = (await on.admin('GET', `/machines/${id}`)).body as {
    sounds: { name: string; text: string }[];
  };
  expect(sounds).toEqual(
    expect.arrayContaining([{ name: 'opening', text: expect.stringContaining('Bom dia') as string }]),
  );
  for (const place of sounds.keys()) {
    const answer = await hear(`/machines/${id}/sounds/${place}`);
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'audio/wav']);
    expect(answer.bytes.length).toBeGreaterThan(1_000);
  }
  expect((await hear(`/machines/${id}/sounds/${sounds.length}`)).status).toBe(404);
  expect((await hear(`/machines/${id}/sounds/x`)).status).toBe(400);
});

test('an event that lets something be heard says what', async () => {
  const id = await recordedCall();
  const { history } = (await on.admin('GET', `/machines/${id}`)).body as { history: { asked: string[] }[] };
  const playing = history.findIndex(({ asked }) => asked.includes('play'));
  expect((await on.admin('GET', `/machines/${id}/moment?index=${playing}`)).body.plays).toEqual([0]);
  expect((await on.admin('GET', `/machines/${id}/moment?index=0`)).body.plays).toEqual([]);
});
