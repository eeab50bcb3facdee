/** Deliveries put together: profiles with their secrets, results as files, and the couriers that bring them. */
import { randomUUID } from 'node:crypto';
import type { CallbackWorkshop } from '../admin/callbackSettings.ts';
import type { ProfileWorkshop } from '../admin/deliveryProfiles.ts';
import type { Services } from '../operations/services.ts';
import type { Deliveries, ResultsAddresses } from '../providers/delivery.ts';
import { openDeliveryDispatcher } from '../providers/delivery/deliveryDispatcher.ts';
import type { DeliveryProfile } from '../providers/delivery/profile.ts';
import { resultsAddresses, type ResultsBooks, resultsCourier } from '../providers/delivery/results.ts';
import { type Places, targetOf } from '../providers/delivery/targets.ts';
import { tryTarget } from '../providers/delivery/testDelivery.ts';
import type { Names } from '../providers/names.ts';
import { type WebhookCourier, webhookCourier } from '../providers/delivery/webhook.ts';
import type { CallbackOutcome } from '../providers/delivery/webhook/send.ts';
import { Retryable, Terminal } from '../engine/contract/performer.ts';
import { BYTE_ORDER_MARK } from '../rules/csvLine.ts';
import { profileSecrets, profileSettings, secretAbout } from '../rules/deliveryProfile.ts';
import { toUnits } from '../rules/pricing.ts';
import { type SecretBox, secretBoxOf } from '../rules/secretBox.ts';
import { isTransient } from '../store/transientError.ts';
import type { Control } from '../store/control.ts';
import {
  campaignOf,
  profileOf,
  type ProfileRow,
  type ResultRow,
  resultsPage,
} from '../store/reads/deliveries.ts';
import { resultsHeader, resultsLine } from '../wire/resultsFile.ts';
import type { Config } from '../config.ts';
import { poolOf } from './repositories.ts';
import { callbackVault, callbackWorkshop, correspondents, pushSafe } from './callbacks.ts';
import { temporaryFolder } from './dataFolder.ts';
import type { Databases } from './databases.ts';
import { type OpenTargets, openTargets } from './openTargets.ts';

export interface DeliveryNeeds {
  config: Config;
  databases: Databases;
  control: Control;
  /** `SECRET_KEY`. */
  secret: string;
  /** Links to recordings. */
  mediaUrl(account: number, media: string, forMs?: number): string;
  /** Of customers' hosts. */
  names: Names;
  mintId(shard: string): number;
  /** Hears what became of each callback that was due. */
  observeCallback(outcome: CallbackOutcome): void;
}

/** Rows read at a time: what a delivery holds in memory. */
const pageSize = 1_000;

export interface OpenDeliveries extends Deliveries {
  addresses: ResultsAddresses;
  workshop: ProfileWorkshop;
  callbacks: CallbackWorkshop;
  pushSafe: Services['callbacks'];
  /** Of callbacks, in this process. */
  callbackCounts: WebhookCourier['counts'];
  callbackTargets: OpenTargets;
}

/** Seals credentials of delivery profiles. `secret`: `SECRET_KEY`. */
export const profileVault = (secret: string): SecretBox => secretBoxOf(secret, 'delivery profiles');

export const openDeliveries = (needs: DeliveryNeeds): OpenDeliveries => {
  const { config } = needs;
  const vault = profileVault(needs.secret);
  const books = resultsBooks(needs, vault);
  const places: Places = {
    folder: config.deliveryDir,
    temporary: temporaryFolder(config),
    allowed: config.allowPrivateTargets,
    names: needs.names,
  };
  const callbackSecrets = callbackVault(needs.secret);
  const callbackTargets = openTargets(config.allowPrivateTargets);
  const callback = webhookCourier({
    correspondent: correspondents({ ...needs, vault: callbackSecrets, now: Date.now }),
    allowed: callbackTargets.allowed,
    temporary: places.temporary,
    names: needs.names,
    now: Date.now,
    observe: needs.observeCallback,
  });
  const desk = openDeliveryDispatcher({
    results: resultsCourier(books, places),
    callback,
  });
  return {
    performers: desk.performers,
    stop: () => {
      desk.stop();
      void callback.stop();
    },
    addresses: resultsAddresses(books),
    workshop: workshopOf(vault, books, places),
    callbacks: callbackWorkshop(callbackSecrets, callback),
    pushSafe: pushSafe(callbackSecrets),
    callbackCounts: callback.counts,
    callbackTargets,
  };
};

const workshopOf = (vault: SecretBox, books: ResultsBooks, places: Places): ProfileWorkshop => ({
  seal: (account, profile, secret) => vault.seal(JSON.stringify(secret), secretAbout(account, profile)),
  test: async (tenant, id) => {
    const profile = await books.profile(tenant, id);
    if (!profile) return { delivered: false, reason: 'noProfile', message: 'it was deleted just now' };
    return tryTarget(
      () => targetOf(tenant.account, profile, places),
      `test${id}-${randomUUID().slice(0, 8)}`,
    );
  },
});

const resultsBooks = (needs: DeliveryNeeds, vault: SecretBox): ResultsBooks => {
  const { databases, mintId } = needs;
  return {
    mintId,
    profile: async ({ shard, account }, id) => {
      const row = await profileOf(poolOf(databases, shard), account, id);
      return row && openProfile(vault, account, row);
    },
    campaignName: async ({ shard, account }, id) =>
      (await campaignOf(poolOf(databases, shard), account, id))?.name,
    content: (tenant, campaign, profile) => patient(resultsContent(needs, tenant, campaign, profile)),
  };
};

/** The profile as its row says. */
const openProfile = (vault: SecretBox, account: number, row: ProfileRow): DeliveryProfile => ({
  id: row.id,
  active: row.active,
  target: openTarget(vault, account, row),
});

const openTarget = (vault: SecretBox, account: number, row: ProfileRow): DeliveryProfile['target'] => {
  const { settings } = row;
  switch (row.kind) {
    case 'sftp':
      return {
        kind: 'sftp',
        settings: profileSettings.sftp.parse(settings),
        openSecret: () => profileSecrets.sftp.parse(openedSecret(vault, account, row)),
      };
    case 'ftps':
      return {
        kind: 'ftps',
        settings: profileSettings.ftps.parse(settings),
        openSecret: () => profileSecrets.ftps.parse(openedSecret(vault, account, row)),
      };
    case 's3':
      return {
        kind: 's3',
        settings: profileSettings.s3.parse(settings),
        openSecret: () => profileSecrets.s3.parse(openedSecret(vault, account, row)),
      };
    default:
      return { kind: 'folder', settings: profileSettings.folder.parse(settings) };
  }
};

const openedSecret = (vault: SecretBox, account: number, { id, secret }: ProfileRow): unknown => {
  try {
    return JSON.parse(vault.open(secret, secretAbout(account, id)));
  } catch (cause) {
    const sentence = `the credentials of delivery profile ${id} cannot be opened: set them again`;
    throw new Terminal('profileBroken', sentence, { cause });
  }
};

/** The file as text: a page is read when the one before has been written. */
async function* resultsContent(
  { databases, control, mediaUrl }: DeliveryNeeds,
  { shard, account }: { shard: string; account: number },
  campaign: number,
  { target }: DeliveryProfile,
): AsyncGenerator<string> {
  const { delimiter } = target.settings;
  const pool = poolOf(databases, shard);
  const [owner, about] = await Promise.all([control.account(account), campaignOf(pool, account, campaign)]);
  if (!owner || !about) throw new Terminal('noCampaign', `the campaign ${campaign} does not exist`);
  const view = {
    shard,
    zone: owner.time_zone,
    ratePerMinute: toUnits(owner.call_rate.toFixed(4)),
    numtype: '',
    origin: 'api',
    mediaUrl: (media: string) => mediaUrl(account, media),
  };
  yield BYTE_ORDER_MARK + resultsHeader(delimiter);
  let page: ResultRow[];
  let afterId = 0;
  do {
    page = await resultsPage(pool, { account, campaign, list: about.list_id, afterId, limit: pageSize });
    if (page.length > 0) yield page.map((row) => resultsLine(row, view, delimiter)).join('');
    afterId = page.at(-1)?.id ?? afterId;
  } while (page.length === pageSize);
}

/** A database that is away passes; it is no mistake of ours. */
async function* patient(content: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* content;
  } catch (cause) {
    throw isTransient(cause) ? new Retryable('the database is away', { cause }) : cause;
  }
}
