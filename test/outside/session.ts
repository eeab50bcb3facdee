/** One run: a world is built, used and mistreated by the plan, comes to rest, and is judged. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchCarrier } from './actors/carrier.ts';
import { startCustomers } from './actors/customer.ts';
import { startInnocent } from './actors/innocent.ts';
import { startReceiver } from './actors/receiver.ts';
import { comeToRest, type SettleOptions, writeDown } from './actors/settle.ts';
import { startSmsc } from './actors/smsc.ts';
import { watchNodes } from './actors/watch.ts';
import type { FaultName } from './catalogue.ts';
import { diceOf } from './dice.ts';
import { type Evidence, Ledger } from './evidence.ts';
import { makePlan } from './plan.ts';
import { play } from './play.ts';
import type { World } from './world.ts';
import { type Account, adminOf } from './world/admin.ts';
import { aNode, lookAfter, type Node } from './world/node.ts';
import { freePort } from './world/ports.ts';
import { startPostgres } from './world/postgres.ts';
import { startRedis } from './world/redis.ts';

export interface SessionOptions {
  seed: number;
  minutes: number;
  faults: readonly FaultName[];
  /** Wishes of customers a second. */
  perSecond: number;
  say(line: string): void;
}

export interface Session {
  evidence: readonly Evidence[];
  /** What did not come to rest in time. */
  restless: string[];
  /** Where the logs are. */
  folder: string;
}

const secretsOf = {
  admin: 'OutsideAdminToken000000000admin',
  key: 'OutsideSecretKey00000000000000key',
  demo: 'OutsideDemoToken0000000000demo',
};
const restMs = 240_000;

export const runSession = async (options: SessionOptions): Promise<Session> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-outside-'));
  // The database runs as another user, and passes through.
  chmodSync(folder, 0o711);
  const ends: (() => Promise<void> | void)[] = [];
  try {
    const { evidence, restless } = await inFolder(folder, options, ends);
    return { evidence, restless, folder };
  } finally {
    for (const end of ends.toReversed()) await end();
    for (const part of ['data', 'postgres'])
      rmSync(join(folder, part), { recursive: true, force: true, maxRetries: 5 });
  }
};

const inFolder = async (
  folder: string,
  { seed, minutes, faults, perSecond, say }: SessionOptions,
  ends: (() => Promise<void> | void)[],
): Promise<Omit<Session, 'folder'>> => {
  const ledger = new Ledger();
  const dice = (name: string) => diceOf(seed, name);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const postgres = await startPostgres({ folder: join(folder, 'postgres') });
  ends.push(() => postgres.stop());
  const redis = await startRedis();
  if (redis) ends.push(() => redis.stop());
  const secrets = new Map([
    [secretsOf.admin, 'ADMIN_TOKEN'],
    [secretsOf.key, 'SECRET_KEY'],
    [secretsOf.demo, 'DEMO_TOKEN'],
    [new URL(postgres.url).password, 'the password of the database'],
  ]);
  const nodes: Node[] = [];
  for (const name of ['one', 'two']) {
    const env = {
      ...{ HOST: '127.0.0.1', NODE_NAME: name, DATA_DIR: dataDir, DATABASE_URL: postgres.url },
      ...(redis && { REDIS_URL: redis.url }),
      ...{ ADMIN_TOKEN: secretsOf.admin, SECRET_KEY: secretsOf.key, DEMO_TOKEN: secretsOf.demo },
      ...{ GRACE_SECONDS: '4', SANDBOX_SPEED: '5', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
    };
    const logFile = join(folder, `${name}.log`);
    nodes.push(aNode({ name, port: await freePort(), env, ledger, secrets, logFile }));
  }
  ends.push(async () => void (await Promise.all(nodes.map((node) => node.leave()))));
  for (const node of nodes) {
    await node.start();
    if (!node.isUp()) throw new Error(`the service did not start: ${ledger.lastWords()}`);
  }
  const held = new Set<Node>();
  const keeper = lookAfter(nodes, (node) => !held.has(node));
  ends.push(() => keeper.stop());

  const up = (chance = dice('node')) => {
    const there = nodes.filter((node) => node.isUp() && !held.has(node));
    return there.length > 0 ? chance.pick(there) : undefined;
  };
  const chances = { customers: dice('customers’ node'), innocent: dice('innocent’s node') };
  const url = (): string => (up() ?? nodes[0]!).url;
  const admin = adminOf(url, secretsOf.admin);
  const receiver = await startReceiver(dice('receiver'), ledger);
  ends.push(() => receiver.stop());
  const smsc = await startSmsc('main', dice('smsc'), ledger);
  ends.push(() => smsc.stop());

  const withSmsc = async (name: string): Promise<Account> => {
    const account = await admin.account(name);
    secrets.set(account.token, `the token of ${name}`);
    const settings = {
      host: '127.0.0.1',
      port: smsc.port,
      system_id: name,
      from: 'RAMAL',
      enquire_ms: 2_000,
    };
    const secret = { password: `Smsc0${name}` };
    await removeRoutes(account);
    const path = `/accounts/${account.id}`;
    await admin.insist('POST', `${path}/sms-routes`, { name: 'smsc', kind: 'smpp', settings, secret });
    const callbacks = { callback_url: receiver.urlFor(account), callback_events: 'all' };
    await admin.insist('PATCH', path, callbacks);
    return account;
  };
  const removeRoutes = async ({ id }: Account): Promise<void> => {
    const { sms_routes } = await admin.insist<{ sms_routes: { route_id: number }[] }>(
      'GET',
      `/accounts/${id}/sms-routes`,
    );
    for (const { route_id } of sms_routes)
      await admin.request('DELETE', `/accounts/${id}/sms-routes/${route_id}`);
  };
  const shop = await withSmsc('shop');
  const innocent = await withSmsc('innocent');
  const neighbour = await withSmsc('neighbour');
  const accounts = [shop, innocent, neighbour];

  const carrier = watchCarrier(dataDir, ledger);
  ends.push(() => carrier.stop());
  const watch = watchNodes(nodes, ledger);
  ends.push(() => watch.stop());
  const customers = startCustomers({
    ...{ accounts: [shop], dice: dice('customers'), ledger, perSecond },
    url: () => up(chances.customers),
  });
  const innocents = startInnocent({
    ...{ account: innocent, dice: dice('innocent'), ledger },
    url: () => up(chances.innocent),
  });

  const world: World = { nodes, held, postgres, redis, ledger, neighbour, folder };
  const began = ledger.now();
  const plan = makePlan({ seed, minutes, faults }).map((one) => ({ ...one, at: one.at + began }));
  say(`seed ${seed}: ${plan.length} faults in ${minutes} minutes; logs in ${folder}`);
  await play(world, plan, say);
  ledger.add({ kind: 'mended' });
  innocents.stop();
  await customers.finish(60_000);
  const settling: SettleOptions = {
    ...{ admin, accounts, url, ledger },
    others: () => (smsc.owed() > 0 ? [`${smsc.owed()} receipts were not taken`] : []),
  };
  say('nothing more is done; waiting until everything has come to rest');
  const restless = await comeToRest(settling, restMs);
  watch.stop();
  await writeDown(settling);
  return { evidence: ledger.lines, restless };
};
