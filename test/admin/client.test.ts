/** The typed client of the admin API: what it sends, and what of it a browser would load. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  adminClient,
  type AdminClient,
  adminPath,
  type AdminApiClientRequest,
  encodeAdminBody,
} from '../../src/admin/client.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
let admin: AdminClient;
beforeAll(async () => {
  on = await startTestService();
  admin = adminClient(async ({ method, path, body }) => (await on.admin(method, path, body)).body);
});
afterAll(() => on.stop());

/** What a call becomes, without a service. */
const sentBy = async (work: (client: AdminClient) => Promise<unknown>): Promise<AdminApiClientRequest> => {
  let sent: AdminApiClientRequest | undefined;
  await work(
    adminClient((request) => {
      sent = request;
      return Promise.resolve(undefined);
    }),
  );
  return sent!;
};

test('calls routes by their names, and answers what they declare', async () => {
  const path = { account: demoAccount };
  const made = await admin('POST /accounts/:account/groups', { path, body: { name: 'spring' } });
  const { groups } = await admin('GET /accounts/:account/groups', { path });
  expect(groups.find(({ cdg_id }) => cdg_id === made.cdg_id)?.name).toBe('spring');
  const one = { ...path, id: made.cdg_id };
  await admin('DELETE /accounts/:account/groups/:id', { path: one });
  expect((await admin('GET /accounts/:account/groups', { path })).groups).not.toContainEqual(made);
});

test('writes what is given into path and query, and leaves out what is not', async () => {
  const sent = await sentBy((client) =>
    client('GET /machines', { query: { kind: 'call', q: 'a&b', account: undefined, cursor: undefined } }),
  );
  expect(sent).toEqual({ method: 'GET', path: '/machines?kind=call&q=a%26b' });
  expect(
    await sentBy((client) => client('DELETE /lockouts/:address', { path: { address: '2001:db8::/56' } })),
  ).toEqual({
    method: 'DELETE',
    path: '/lockouts/2001%3Adb8%3A%3A%2F56',
  });
  expect(await sentBy((client) => client('GET /accounts'))).toEqual({ method: 'GET', path: '/accounts' });
});

test('writes paths by themselves, and hands signals on', async () => {
  const path = { account: 3, campaign: 12 };
  expect(adminPath('GET /accounts/:account/campaigns/:campaign/results', { path })).toBe(
    '/accounts/3/campaigns/12/results',
  );
  expect(adminPath('GET /stream', { query: { topics: 'now,machine:a_1@5' } })).toBe(
    '/stream?topics=now%2Cmachine%3Aa_1%405',
  );
  const { signal } = new AbortController();
  expect((await sentBy((client) => client('GET /now', { signal }))).signal).toBe(signal);
});

test('files are sent as they are, and everything else as JSON', () => {
  const file = new Blob(['phone']);
  const csv = { 'Content-Type': 'text/csv' };
  expect(encodeAdminBody(file)).toEqual({ headers: csv, body: file });
  expect(encodeAdminBody(Buffer.from('phone'))).toEqual({ headers: csv, body: Buffer.from('phone') });
  expect(encodeAdminBody({ a: 1 })).toEqual({
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });
});

test('what is wrong does not compile', () => {
  const never = (client: AdminClient) => [
    // @ts-expect-error -- there is no such route
    client('GET /nothing'),
    // @ts-expect-error -- the account is missing
    client('GET /accounts/:account'),
    // @ts-expect-error -- a role is operator or admin
    client('POST /operators', { body: { name: 'Ana', role: 'root' } }),
    // @ts-expect-error -- no such parameter
    client('GET /machines', { query: { sort: 'id' } }),
  ];
  expect(never).toBeTypeOf('function');
});

test('loads nothing: all that it imports are types', () => {
  const source = readFileSync(new URL('../../src/admin/client.ts', import.meta.url), 'utf8');
  const imports = [...source.matchAll(/^import (type )?/gm)];
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.every(([, type]) => type !== undefined)).toBe(true);
});
