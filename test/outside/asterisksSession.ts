/** A run with Asterisks: calls and small campaigns by trunks of two Asterisks, while these, carriers and nodes fail. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { watchBedCarrier } from './actors/bedCarrier.ts';
import { aPlace } from './actors/campaignLists.ts';
import { startCampaigner } from './actors/campaigner.ts';
import { writeDownCampaigns } from './actors/campaignRecords.ts';
import { startCustomers } from './actors/customer.ts';
import { startReceiver } from './actors/receiver.ts';
import { comeToRest, type SettleOptions, writeDown } from './actors/settle.ts';
import { aCall, smallCampaigns } from './actors/trunkCallers.ts';
import { connectTrunks, startRouting } from './actors/trunkOperator.ts';
import { writeDownAttempts, writeDownRemains } from './actors/trunkRecords.ts';
import { watchNodes } from './actors/watch.ts';
import { adminToken, startServers } from './build/servers.ts';
import { diceOf } from './dice.ts';
import { handsOnAsterisks } from './faults/index.ts';
import {
  endingWith,
  inOwnFolder,
  mistreat,
  operate,
  type Place,
  type Session,
  type SessionOptions,
} from './session.ts';
import type { Account, Admin } from './world/admin.ts';
import { openAsker } from './world/asker.ts';
import { type Asterisk, startAsterisk } from './world/asterisks.ts';

/** Ports of the two beds are moved by so much; no bed of a test has the same. */
const shifts = [30, 50] as const;

/** Two Asterisks, three nodes, and faults of both. */
export const runWithAsterisks = (options: SessionOptions): Promise<Session> =>
  inOwnFolder(options, async (place, given) => {
    const asterisks: Asterisk[] = [];
    for (const [nth, shift] of shifts.entries()) {
      const asterisk = await startAsterisk('ab'[nth]!, shift);
      place.ends.push(() => asterisk.stop());
      asterisks.push(asterisk);
    }
    try {
      return await withAsterisks(asterisks, place, given);
    } finally {
      for (const asterisk of asterisks)
        writeFileSync(join(place.folder, `asterisk ${asterisk.name}.txt`), await asterisk.complaints());
    }
  });

const withAsterisks = async (
  asterisks: readonly Asterisk[],
  { folder, ledger, ends }: Place,
  { seed, minutes, faults, perSecond, main, restMs = 240_000, say }: SessionOptions,
): Promise<Omit<Session, 'folder'>> => {
  const dice = (name: string) => diceOf(seed, name);
  const ending = endingWith(ends);
  const receiver = ending(await startReceiver(dice('receiver'), ledger));
  const secrets = new Map<string, string>();
  const settings = settingsFor(asterisks[0]!);
  const { nodes } = await startServers({ folder, faults, minutes, ledger, secrets, main, settings, ends });
  const { held, balancer, url, admin } = operate(nodes, dice, ending);
  const [shop, caller] = await openAccounts(admin, receiver, secrets);
  const trunks = await connectTrunks(admin, asterisks, ledger);

  const carriers = asterisks.map((asterisk) => ending(watchBedCarrier(asterisk, ledger)));
  const watch = ending(watchNodes(nodes, ledger, ending(openAsker())));
  const routing = startRouting(admin, trunks, dice('routes'), ledger);
  const customers = startCustomers({
    ...{ account: shop, wish: aCall, dice: dice('customers'), ledger, perSecond },
    url: balancer('customers’ node'),
  });
  const campaigner = startCampaigner({
    ...{ account: caller, admin, ledger, dice: dice('campaigner'), lastsMs: minutes * 60_000 },
    ...{ place: aPlace(minutes * 60_000 + restMs), round: smallCampaigns },
    url: balancer('campaigner’s node'),
  });

  const world = { nodes, held, ledger, asterisks, admin };
  await mistreat(world, handsOnAsterisks, { seed, minutes, faults, say }, folder);
  await routing.stop();
  campaigner.finish();
  await customers.finish(60_000);
  say('nothing more is done; waiting until everything has come to rest');
  const settling: SettleOptions = {
    ...{ admin, accounts: [shop, caller], url, ledger },
    others: () => campaigner.open(),
  };
  const restless = await comeToRest(settling, restMs);
  await writeDownRemains(asterisks, nodes, adminToken, ledger);
  for (const part of [watch, campaigner, ...carriers]) part.stop();
  await writeDown(settling);
  await writeDownCampaigns(admin, caller, ledger);
  await writeDownAttempts(admin, ledger);
  return { evidence: ledger.lines, restless };
};

/** The first Asterisk is that of the settings. */
const settingsFor = ({ login }: Asterisk): Record<string, string> => ({
  ...{ CARRIER: 'asterisk', ARI_URL: login.url, ARI_USER: login.user, ARI_PASSWORD: login.password },
  // Attempts are read at the end.
  ARCHIVE_AFTER_MINUTES: '600',
});

const openAccounts = async (
  admin: Admin,
  receiver: { urlFor(account: Account, host: string): string },
  secrets: Map<string, string>,
): Promise<[shop: Account, caller: Account]> => {
  const open = async (name: string, more: object): Promise<Account> => {
    const account = await admin.account(name);
    secrets.set(account.token, `the token of ${name}`);
    secrets.set(account.webhookSecret, `the webhook secret of ${name}`);
    const callback_url = receiver.urlFor(account, '127.0.0.1');
    await admin.insist('PATCH', `/accounts/${account.id}`, { callback_url, ...more });
    return account;
  };
  return [await open('shop', { callback_events: 'all' }), await open('caller', {})];
};
