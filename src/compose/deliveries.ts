/** Deliveries put together: profiles with their secrets, results as files, and the transports that bring them. */
import { randomUUID } from 'node:crypto';
import type { CallbackService, ProfileService } from '../admin/deps.ts';
import type { Services } from '../operations/services.ts';
import type { Deliveries, ResultsAddresses } from '../providers/delivery.ts';
import { openDeliveryDispatcher } from '../providers/delivery/deliveryDispatcher.ts';
import { resultsAddresses, type ResultsRepository, resultsTransport } from '../providers/delivery/results.ts';
import { type Places, targetOf } from '../providers/delivery/targets.ts';
import { tryTarget } from '../providers/delivery/testDelivery.ts';
import type { Names } from '../providers/dns.ts';
import { type WebhookTransport, webhookTransport } from '../providers/delivery/webhook.ts';
import type { CallbackOutcome } from '../providers/delivery/webhook/send.ts';
import { secretAbout } from '../rules/deliveries/deliveryProfile.ts';
import type { SecretBox } from '../lib/secretBox.ts';
import type { Control } from '../store/control.ts';
import { campaignOf, profileOf } from '../store/reads/deliveries/deliveries.ts';
import type { Config } from '../config.ts';
import { findWebhookAccount } from '../operations/deliveries/webhookAccounts.ts';
import { temporaryFolder } from '../dataFolder/prepare.ts';
import type { Databases } from './databases.ts';
import { type OpenTargets, openTargets } from '../providers/delivery/openTargets.ts';
import { poolOf } from '../store/pools.ts';
import { callbackSecretBox, callbackSecretStore, pushSecretStore } from '../store/secrets/callbacks.ts';
import { profileSecretBox } from '../store/secrets/deliveryProfiles.ts';
import { openProfile } from '../store/repositories/deliveryProfiles.ts';
import { resultsContent } from '../operations/deliveries/resultsFile.ts';

export interface DeliveryDeps {
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

export interface OpenDeliveries extends Deliveries {
  addresses: ResultsAddresses;
  admin: ProfileService;
  callbacks: CallbackService;
  pushSecrets: Services['callbacks'];
  /** Of callbacks, in this process. */
  callbackCounts: WebhookTransport['counts'];
  callbackTargets: OpenTargets;
}

export const openDeliveries = (needs: DeliveryDeps): OpenDeliveries => {
  const { config } = needs;
  const secretBox = profileSecretBox(needs.secret);
  const repository = resultsRepository(needs, secretBox);
  const places: Places = {
    folder: config.deliveryDir,
    temporary: temporaryFolder(config),
    allowed: config.allowPrivateTargets,
    names: needs.names,
  };
  const callbackSecrets = callbackSecretBox(needs.secret);
  const callbackTargets = openTargets(config.allowPrivateTargets);
  const callback = webhookTransport({
    findAccount: findWebhookAccount({ ...needs, box: callbackSecrets, now: Date.now }),
    allowed: callbackTargets.allowed,
    temporary: places.temporary,
    names: needs.names,
    now: Date.now,
    observe: needs.observeCallback,
  });
  const dispatcher = openDeliveryDispatcher({
    results: resultsTransport(repository, places),
    callback,
  });
  return {
    performers: dispatcher.performers,
    stop: () => {
      dispatcher.stop();
      void callback.stop();
    },
    addresses: resultsAddresses(repository),
    admin: profileServiceOf(secretBox, repository, places),
    callbacks: {
      ...callbackSecretStore(callbackSecrets),
      test: callback.test,
      targetsOf: callback.targetsOf,
    },
    pushSecrets: pushSecretStore(callbackSecrets),
    callbackCounts: callback.counts,
    callbackTargets,
  };
};

const profileServiceOf = (
  secretBox: SecretBox,
  repository: ResultsRepository,
  places: Places,
): ProfileService => ({
  seal: (account, profile, secret) => secretBox.seal(JSON.stringify(secret), secretAbout(account, profile)),
  test: async (tenant, id) => {
    const profile = await repository.profile(tenant, id);
    if (!profile) return { delivered: false, reason: 'noProfile', message: 'it was deleted just now' };
    return tryTarget(
      () => targetOf(tenant.account, profile, places),
      `test${id}-${randomUUID().slice(0, 8)}`,
    );
  },
});

const resultsRepository = (needs: DeliveryDeps, secretBox: SecretBox): ResultsRepository => {
  const { databases, mintId } = needs;
  return {
    mintId,
    profile: async ({ shard, account }, id) => {
      const row = await profileOf(poolOf(databases, shard), account, id);
      return row && openProfile(secretBox, account, row);
    },
    campaignName: async ({ shard, account }, id) =>
      (await campaignOf(poolOf(databases, shard), account, id))?.name,
    content: (tenant, campaign, profile) =>
      resultsContent(needs, tenant, campaign, profile.target.settings.delimiter),
  };
};
