import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { demoAccount, demoToken, startTestService, type TestService } from '../helpers/service.ts';

/** PostgreSQL compresses what can be compressed; this cannot, and is too long for any index. */
const noise = randomBytes(4_500).toString('hex');
const lines: { level: number; msg: string }[] = [];
let on: TestService;
beforeAll(async () => {
  on = await startTestService({}, (line) => lines.push(JSON.parse(line) as { level: number; msg: string }));
});
afterAll(() => on.stop());

/** Names by which a parameter may be given. */
const namesOf = (params: object): string[] =>
  Object.values(params as Record<string, { rest?: string | readonly string[] }>).flatMap(
    ({ rest }) => rest ?? [],
  );

test.each(operations.map((op) => [op.name, op] as const))(
  '%s takes nine kilobytes in no parameter for what stands in an index',
  async (name, op) => {
    const answers = [];
    for (const parameter of namesOf(op.params)) {
      const request = { ...op.example.request, tsid: demoToken, [parameter]: noise };
      const { http } = await on.post(name, request);
      answers.push([parameter, http]);
    }
    expect(answers.length).toBe(namesOf(op.params).length);
    expect(answers.filter(([, http]) => Number(http) >= 500)).toEqual([]);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  },
);

test('what operators and headers bring is refused or fits', async () => {
  const account = `/accounts/${demoAccount}`;
  const asked = [
    await on.admin('POST', `${account}/blocklist`, { number: noise }),
    await on.admin('POST', `${account}/tariffs`, { prefix: noise, price: '1' }),
    await on.admin('POST', '/operators', { name: noise, role: 'admin' }),
    await on.admin('POST', `${account}/tokens`, { label: noise }),
    await on.post('MakeSMS', { dest: '11987654321', message: 'x' }, { 'idempotency-key': noise }),
    await on.post('GetCallStatus', { cd_id: noise }),
  ];
  expect(asked.filter(({ http }) => http >= 500)).toEqual([]);
  const { rows } = await on.database.pool.query('SELECT 1 FROM machines WHERE attention IS NOT NULL');
  expect(rows).toEqual([]);
});
