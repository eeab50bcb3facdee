/** Numbers that callees are passed on to: what account and trunk close or cap holds for them as for callees. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '100' });
});
afterAll(() => on.stop());

const premium = '0900123456';
/** Premium numbers alone are closed. */
const closed = { open: [], closed: ['550900'] };

/** A call whose callee is passed on at once, of an account of its own. */
const passedOn = async (account: object, dest2: string) => {
  const { cdcs_id: id } = (await on.admin('POST', '/accounts', { name: 'Loja', ...account })).body;
  const { token: tsid } = (await on.admin('POST', `/accounts/${id}/tokens`, { label: 'shop' })).body;
  const { body } = await on.post('MakeTTSCall', {
    ...{ tsid, dest: '11987650011', text: 'Olá', type: 2, dest2, httpdup: 0 },
  });
  expect(body.return).toMatchObject({ status_code: '0' });
  const call: string = body.return.cd_id;
  await on.ended(call, { id, tsid });
  const { context } = (await on.admin('GET', `/machines/${call}`)).body;
  const { sentences } = (await on.admin('GET', `/machines/${call}/explain`)).body;
  return { reason: context.dial.reason as string, attempts: context.attempts, said: sentences.join(' ') };
};

test('an account passes callees on to no number that is closed to it', async () => {
  const { reason, said } = await passedOn({ closed_prefixes: closed }, '11932654301');
  expect(reason).toBe('nobody');
  expect(said).not.toContain('calls no numbers like');
  const refused = await passedOn({ closed_prefixes: closed }, premium);
  expect(refused.reason).toBe('targetClosed');
  expect(refused.said).toContain('calls no numbers like');
});

test('nor to one that its trunk is closed to', async () => {
  const { trunks } = (await on.admin('GET', '/trunks')).body;
  const { trunk_id: id, closed_prefixes: before } = trunks[0];
  await on.admin('PATCH', `/trunks/${id}`, { closed_prefixes: closed });
  const byTrunk = await passedOn({}, premium);
  expect(byTrunk.reason).toBe('targetClosed');
  expect(byTrunk.said).toContain('carries no numbers like');
  await on.admin('PATCH', `/trunks/${id}`, { closed_prefixes: before });
});
