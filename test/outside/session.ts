/** One run: a world is built, used and mistreated by the plan, comes to rest, and its evidence is handed out. */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPlace } from './actors/campaignLists.ts';
import { aRound } from './actors/campaignScripts.ts';
import { startCampaigner } from './actors/campaigner.ts';
import { writeDownCampaigns } from './actors/campaignRecords.ts';
import { watchCarrier } from './actors/carrier.ts';
import { anyWish, startCustomers } from './actors/customer.ts';
import { startGateway } from './actors/gateway.ts';
import { startInnocent } from './actors/innocent.ts';
import { startOddReceiver } from './actors/oddReceiver.ts';
import { startOddSmsc } from './actors/oddSmsc.ts';
import { startReceiver } from './actors/receiver.ts';
import { comeToRest, type SettleOptions, storiesOfUnknown, writeDown } from './actors/settle.ts';
import { startSmsc } from './actors/smsc.ts';
import { startUpstream } from './actors/upstream.ts';
import { watchNodes } from './actors/watch.ts';
import { openAsker } from './world/asker.ts';
import { makeAccounts } from './build/accounts.ts';
import { adminToken, type Ends, startServers } from './build/servers.ts';
import type { FaultName } from './catalogue.ts';
import { type Dice, diceOf } from './dice.ts';
import { type Hands, hands } from './faults/index.ts';
import { type Evidence, Ledger } from './evidence.ts';
import { makePlan } from './plan.ts';
import { play } from './play.ts';
import type { Stage, World } from './world.ts';
import { adminOf } from './world/admin.ts';
import { lookAfter, type Node } from './world/node.ts';
import { pause } from './world/ports.ts';

export interface SessionOptions {
  seed: number;
  minutes: number;
  faults: readonly FaultName[];
  /** Wishes of customers a second. */
  perSecond: number;
  /** The service that is judged. Default: what this repository has built. */
  main?: string | undefined;
  /** How long everything may take to come to rest, milliseconds. Default 240,000. */
  restMs?: number;
  /** Rejects when the run is to end before its time. */
  interrupted: Promise<never>;
  say(line: string): void;
}

export interface Session {
  evidence: readonly Evidence[];
  /** What did not come to rest in time. */
  restless: string[];
  /** Where the logs are. */
  folder: string;
}

/** A run with the carrier that is a log. */
export const runSession = (options: SessionOptions): Promise<Session> => inOwnFolder(options, inFolder);

/** Gives a run a folder and a ledger, and ends what it has begun, however it ends. */
export const inOwnFolder = async (
  options: SessionOptions,
  playIn: (place: Place, options: SessionOptions) => Promise<Omit<Session, 'folder'>>,
): Promise<Session> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-outside-'));
  // The database runs as another user, and passes through.
  chmodSync(folder, 0o711);
  const ends: Ends = [];
  const ledger = new Ledger();
  try {
    const run = playIn({ folder, ledger, ends }, options);
    return { ...(await Promise.race([run, options.interrupted])), folder };
  } catch (error) {
    options.say(`the run ended before its time; its evidence so far: ${keepEvidence(folder, ledger.lines)}`);
    throw error;
  } finally {
    for (const end of ends.toReversed()) await end();
  }
};

/** Writes it down, so that it can be judged again (`--evidence`); where. */
export const keepEvidence = (folder: string, evidence: readonly Evidence[]): string => {
  const path = join(folder, 'evidence.jsonl');
  writeFileSync(path, evidence.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
};

/** What a run is given. */
export interface Place {
  folder: string;
  ledger: Ledger;
  /** What is undone at the end, the last first. */
  ends: Ends;
}

type Ending = <Part extends { stop(): Promise<void> | void }>(part: Part) => Part;

/** Parts that are stopped at the end. */
export const endingWith =
  (ends: Ends): Ending =>
  (part) => {
    ends.push(() => part.stop());
    return part;
  };

/** Nodes are started again when they die, but those that are held; their users and operators reach any that is not. */
export const operate = (nodes: readonly Node[], dice: (name: string) => Dice, ending: Ending) => {
  const held = new Set<Node>();
  ending(lookAfter(nodes, (node) => !held.has(node)));
  const balancer = (name: string) => balancerOf(nodes, held, dice(name));
  const anyNode = balancer('operator’s node');
  const url = (): string => (anyNode() ?? nodes[0]!).url;
  return { held, balancer, url, admin: adminOf(url, adminToken) };
};

/** Does to a world what the plan of the seed says, for so many minutes. */
export const mistreat = async <Hurt extends Stage>(
  world: Hurt,
  by: Hands<Hurt>,
  { seed, minutes, faults, say }: Pick<SessionOptions, 'seed' | 'minutes' | 'faults' | 'say'>,
  folder: string,
): Promise<void> => {
  const { ledger } = world;
  const began = ledger.now();
  const plan = makePlan({ seed, minutes, faults }).map((one) => ({ ...one, at: one.at + began }));
  say(`seed ${seed}: ${plan.length} faults in ${minutes} minutes; logs in ${folder}`);
  await play(world, plan, by, say);
  // A run without faults takes its time as well.
  await pause(began + minutes * 60_000 - ledger.now());
  ledger.add({ kind: 'mended' });
};

const inFolder = async (
  { folder, ledger, ends }: Place,
  { seed, minutes, faults, perSecond, main, restMs = 240_000, say }: SessionOptions,
): Promise<Omit<Session, 'folder'>> => {
  const dice = (name: string) => diceOf(seed, name);
  const ending = endingWith(ends);
  const upstream = ending(await startUpstream(ledger));
  const receiver = ending(await startReceiver(dice('receiver'), ledger));
  const smsc = ending(await startSmsc('main', dice('smsc'), ledger));
  const gateway = ending(await startGateway(dice('gateway'), ledger));
  const oddSmsc = ending(await startOddSmsc(dice('odd smsc'), ledger));
  const oddReceiver = ending(await startOddReceiver(dice('odd receiver')));

  const secrets = new Map<string, string>();
  const graphUrl = upstream.url;
  const servers = await startServers({ folder, faults, minutes, ledger, secrets, graphUrl, main, ends });
  const { nodes, names } = servers;
  const { held, balancer, url, admin } = operate(nodes, dice, ending);
  const receiverHost = names ? 'receiver.fine.test' : '127.0.0.1';
  const { shop, innocent, neighbour, caller, line } = await makeAccounts(
    admin,
    {
      callbackUrl: (account) => receiver.urlFor(account, receiverHost),
      ...{ smscPort: smsc.port, gatewayPort: gateway.port, oddSmscPort: oddSmsc.port },
    },
    secrets,
  );

  const carrier = ending(watchCarrier(join(servers.disk.folder, 'data'), ledger));
  const asker = ending(openAsker());
  const watch = ending(watchNodes(nodes, ledger, asker));
  const customers = startCustomers({
    ...{ account: shop, wish: anyWish(line), dice: dice('customers'), ledger, perSecond },
    url: balancer('customers’ node'),
  });
  const innocents = ending(
    startInnocent({
      account: innocent,
      dice: dice('innocent'),
      ledger,
      asker,
      url: balancer('innocent’s node'),
    }),
  );
  const campaigner = startCampaigner({
    ...{ account: caller, admin, ledger, dice: dice('campaigner'), lastsMs: minutes * 60_000 },
    place: aPlace(minutes * 60_000 + restMs),
    round: aRound,
    url: balancer('campaigner’s node'),
  });
  const { wish } = customers;
  const world: World = { ...servers, held, gateway, oddSmsc, oddReceiver, ledger, neighbour, wish };

  await mistreat(world, hands, { seed, minutes, faults, say }, folder);
  innocents.stop();
  campaigner.finish();
  await customers.finish(60_000);
  say('nothing more is done; waiting until everything has come to rest');
  const settling: SettleOptions = {
    ...{ admin, accounts: [shop, innocent, neighbour, caller], url, ledger },
    others: () => [
      ...(smsc.owed() > 0 ? [`${smsc.owed()} receipts were not taken`] : []),
      ...campaigner.open(),
    ],
  };
  const restless = await comeToRest(settling, restMs);
  watch.stop();
  campaigner.stop();
  carrier.stop();
  await writeDown(settling);
  await writeDownCampaigns(admin, caller, ledger);
  writeFileSync(join(folder, 'unknown.txt'), (await storiesOfUnknown(settling)).join('\n'));
  return { evidence: ledger.lines, restless };
};

/** Chooses as a balancer does, among nodes that were not taken away. */
const balancerOf =
  (nodes: readonly Node[], held: ReadonlySet<Node>, chance: Dice) => (): Node | undefined => {
    const there = nodes.filter((node) => node.isUp() && !held.has(node));
    return there.length > 0 ? chance.pick(there) : undefined;
  };
