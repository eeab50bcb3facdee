import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlDatabase } from '../../src/store/controlDatabase.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeAll(async () => {
  on = await freshDatabase();
});
afterAll(() => on.drop());

/** How far the host's clock was set. */
const setMs = { now: 0 };

/** A token of an account of its own, and the names of what is asked of the tokens' table. */
const aToken = async () => {
  const asked: string[] = [];
  const tokens = new Proxy(on.prisma.token, {
    get: (table, name) => {
      if (name === 'findUnique' || name === 'updateMany') asked.push(name);
      return table[name as keyof typeof table];
    },
  });
  const db = new Proxy(on.prisma, {
    get: (prisma, name) => (name === 'token' ? tokens : (prisma[name as keyof typeof prisma] as unknown)),
  });
  const control = new ControlDatabase(db, () => Date.now() + setMs.now);
  const id = await control.reserveIds('account', 1, 100);
  const account = await control.createAccount({ id, name: 'A shop', shard: 'a', webhook_secret: 'x' });
  const { token, secret } = await control.createToken(account.id, {
    label: 'till',
    permissions: { enabled: true, apis: {} },
  });
  asked.length = 0;
  return { control, account: account.id, token: token.id, secret, asked };
};

test('a token that many show at the same time is read once, and noted as used once', async () => {
  const { control, token, secret, asked } = await aToken();
  const owners = await Promise.all(Array.from({ length: 50 }, () => control.tokenOwner(secret)));
  expect(new Set(owners.map((owner) => owner?.token.id))).toEqual(new Set([token]));
  expect(asked).toEqual(['findUnique', 'updateMany']);
});

test('a clock that was set back does not let a token be believed for longer', async () => {
  const { control, secret, asked } = await aToken();
  await control.tokenOwner(secret);
  const read = asked.length;
  setMs.now = -3_600_000;
  await control.tokenOwner(secret);
  setMs.now = 0;
  expect(asked.length).toBeGreaterThan(read);
});

test('a read that began before a token was revoked is not believed by who shows it afterwards', async () => {
  const { control, account, token, secret } = await aToken();
  const before = control.tokenOwner(secret);
  await control.revokeToken(account, token);
  expect((await control.tokenOwner(secret))?.token.revoked_at).not.toBeNull();
  await before;
  expect((await control.tokenOwner(secret))?.token.revoked_at).not.toBeNull();
});
