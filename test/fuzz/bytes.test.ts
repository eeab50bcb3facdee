/** Requests damaged at the level of bytes, to every door of the built service; `npm run fuzz -- --bytes` asks longer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDataDir } from '../service/service.ts';
import { escaped, judged } from './bytes/report.ts';
import { runCampaign } from './bytes/run.ts';
import { seedsOf } from './bytes/seeds.ts';
import { type BytesWorld, openWorld } from './bytes/world.ts';

const folder = aDataDir();
let database: TestDatabase;
let world: BytesWorld;
beforeAll(async () => {
  database = await freshDatabase();
  world = await openWorld(folder.path, database.url);
});
afterAll(async () => {
  await world.service.kill();
  await database.drop();
  folder.remove();
});

test('nothing that is sent ends the service, is answered as a bug, or tells of its inside', async () => {
  const report = await runCampaign(world, { seed: 1, requests: 3_000, lanes: 12 });
  const harm = [...report.found, ...report.underWay].map((one) => `${one.shot.about}\n${escaped(one)}`);
  expect([...judged(report), ...harm]).toEqual([]);
  expect(report.sent).toBe(3_000);
  expect(world.death()).toBeUndefined();
  const silent = seedsOf(world.known).filter(({ door }) => !report.doors.has(door));
  expect(silent).toEqual([]);
});
