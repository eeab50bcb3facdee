/** A node that is killed while a call of an account that pays for it is talked: another goes on with it, and settles it. */
import { expect, it } from 'vitest';
import { adminToken, type RunningService } from './service.ts';
import { servicesWith } from './services.ts';
import { until } from '../helpers/patience.ts';

const services = servicesWith({ SANDBOX_SPEED: '10', GRACE_SECONDS: '2', ADMIN_TOKEN: adminToken });

interface Entry {
  entry: string;
  amount: number;
  cd_id: string | null;
}

const cents = (amount: number): number => Math.round(amount * 10_000);

/** What the call has taken by now, ten-thousandths, and in how many entries. */
const takenBy = async (node: RunningService, id: string): Promise<{ taken: number; entries: number }> => {
  const { credits } = (await node.admin('GET', '/accounts/3/credits')).body as unknown as {
    credits: Entry[];
  };
  const own = credits.filter(({ cd_id }) => cd_id === id);
  return { taken: -own.reduce((sum, { amount }) => sum + cents(amount), 0), entries: own.length };
};

it('takes what its record says in the end, whoever was talking to the carrier', async () => {
  const [one, two] = [await services.start({ NODE_NAME: 'one' }), await services.start({ NODE_NAME: 'two' })];
  const paid = { charge_calls: true, call_rate: '0.6', balance: '5' };
  expect((await one.admin('PATCH', '/accounts/3', paid)).status).toBe(200);
  // The other node believes what it read of the account for a few seconds.
  await until(async () => {
    const { body } = await two.admin('GET', '/accounts/3');
    return (body as unknown as { charge_calls: boolean }).charge_calls;
  });
  const text = 'Olá, bom dia. '.repeat(150);
  const { body } = await one.call('MakeTTSCall', { dest: '11987650000', text, httpdup: 0 });
  const id = body.return['cd_id']!;
  const stateOf = async () => (await two.admin('GET', `/machines/${id}`)).body['state'] as unknown as string;
  await until(async () => (await stateOf()).startsWith('answered'));
  expect(await takenBy(two, id)).toEqual({ taken: 3_000, entries: 1 });
  await one.kill();
  await until(async () => (await stateOf()) === 'ended');
  await until(async () => (await services.database.pool.query('SELECT FROM call_charges')).rowCount === 0);
  const { calls } = (await two.call('GetCallStatus', { cd_id: id })).body;
  const [{ dur, cd_status: status }] = calls as unknown as [{ dur: number; cd_status: string }];
  expect([status, dur > 0]).toEqual(['OK', true]);
  expect((await takenBy(two, id)).taken).toBe(dur * 100);
});
