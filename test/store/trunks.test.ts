import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTrunkTable } from '../../src/store/reads/trunks.ts';
import { type TrunkFromSettings, writeTrunksOfSettings } from '../../src/store/seedTrunkFromSettings.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeEach(async () => {
  on = await freshDatabase();
});
afterEach(() => on.drop());

const sandbox: TrunkFromSettings = {
  ...{ kind: 'sandbox', route: 'sandbox', callsPerSecond: 20_000, legs: 200_000, dialPattern: '' },
};
const asterisk: TrunkFromSettings = {
  ...{ kind: 'asterisk', route: 'asterisk', callsPerSecond: 45, legs: 450 },
  dialPattern: 'PJSIP/{number}@carrier',
};

const write = (wanted: TrunkFromSettings) => writeTrunksOfSettings(on.prisma, wanted, 1);

test('a first start writes the server and the trunk of the settings, open to every number', async () => {
  await write(asterisk);
  expect(await readTrunkTable(on.pool)).toEqual({
    servers: [
      {
        ...{ id: 1, name: 'asterisk', kind: 'asterisk', state: 'on' },
        ...{ fromSettings: true, settings: {}, secret: '' },
      },
    ],
    trunks: [
      {
        ...{ id: 1, name: 'asterisk', server: 1, state: 'on', callsPerSecond: 45, legs: 450, callerIds: [] },
        ...{
          failover: [500, 502, 503, 504],
          closedPrefixes: { open: [], closed: [] },
          hours: null,
          prices: [],
        },
        ...{ simulates: 'first', dialPattern: 'PJSIP/{number}@carrier', numberFormat: 'e164' },
        ...{ spendPerDay: null, sip: {}, sipSecret: '' },
      },
    ],
    routes: [],
    callerIdPools: [],
  });
});

test('nodes that start at once write them once, and later starts keep what operators changed', async () => {
  await Promise.all([write(sandbox), write(sandbox), write(sandbox)]);
  await on.prisma.trunk.updateMany({ data: { legs: 7, state: 'draining' } });
  await on.prisma.trunkServer.updateMany({ data: { state: 'off' } });
  await write(sandbox);
  const { servers, trunks } = await readTrunkTable(on.pool);
  expect(servers.map(({ state }) => state)).toEqual(['off']);
  expect(trunks.map(({ legs, state }) => [legs, state])).toEqual([[7, 'draining']]);
});

test('another dial pattern or carrier in the settings is followed, there and back', async () => {
  const states = async () => (await readTrunkTable(on.pool)).servers.map(({ name, state }) => [name, state]);
  await write(sandbox);
  await write(asterisk);
  expect(await states()).toEqual([
    ['sandbox', 'off'],
    ['asterisk', 'on'],
  ]);
  await write({ ...asterisk, dialPattern: 'PJSIP/{number}@other' });
  expect((await readTrunkTable(on.pool)).trunks[1]).toMatchObject({ dialPattern: 'PJSIP/{number}@other' });
  await write(sandbox);
  expect(await states()).toEqual([
    ['sandbox', 'on'],
    ['asterisk', 'off'],
  ]);
});

test('a start says so when a server of another making has the name of the settings’', async () => {
  await on.prisma.trunkServer.create({ data: { id: 9, name: 'asterisk', kind: 'sandbox', created_at: 1 } });
  await expect(write(asterisk)).rejects.toThrow('a trunk server named asterisk stands where');
});

test('prices are exact, and what is left out of closed prefixes and hours is filled in', async () => {
  await write(sandbox);
  await on.prisma.trunkPrice.create({
    data: {
      id: 1,
      trunk_id: 1,
      prefix: '55',
      per_minute: '9999999999.1234',
      first_seconds: 30,
      step_seconds: 6,
    },
  });
  await on.prisma.trunk.updateMany({ data: { closed_prefixes: { open: ['55'] }, hours: { sundays: [] } } });
  const trunks = [{ trunk: 'sandbox', share: 100 }];
  await on.prisma.trunkRoute.create({
    data: { id: 1, account_id: 3, order: 'share', trunks, created_at: 1 },
  });
  const table = await readTrunkTable(on.pool);
  expect(table.trunks[0]).toMatchObject({
    prices: [{ prefix: '55', perMinute: 99_999_999_991_234n, firstSeconds: 30, stepSeconds: 6 }],
    closedPrefixes: { open: ['55'], closed: [] },
    hours: { weekdays: ['08:00-21:00'], sundays: [] },
  });
  expect(table.routes).toEqual([
    {
      ...{ id: 1, position: 0, prefix: '', line: 'any', region: '', account: 3, campaign: null },
      ...{ order: 'share', trunks, active: true },
    },
  ]);
});
