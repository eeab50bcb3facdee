/** Deliveries put together: profiles with their secrets, results as files, and the transports that bring them. */
import { randomUUID } from 'node:crypto';
import type { CallbackSecretsService, DeliveryProfileSealerAndTester } from '../admin/deps.ts';
import type { Services } from '../operations/services.ts';
import type {
  StoppableDeliveryPerformer,
  CampaignResultsAddressResolver,
} from '../providers/contracts/delivery.ts';
import { openDeliveryDispatcher } from '../providers/delivery/deliveryDispatcher.ts';
import {
  openCampaignResultsAddressResolver,
  type CampaignResultsDeliverySource,
  campaignResultsTransport,
} from '../providers/delivery/campaignResultsTransport.ts';
import {
  type DeliveryFileTargetEnvironment,
  fileTargetForProfile,
} from '../providers/delivery/fileTargetForProfile.ts';
import { testFileTarget } from '../providers/delivery/testDelivery.ts';
import type { DnsLookups } from '../providers/contracts/dns.ts';
import { type WebhookTransport, webhookTransport } from '../providers/delivery/webhook.ts';
import type { CallbackOutcome } from '../providers/delivery/webhook/webhookSender.ts';
import { deliverySecretSealContext } from '../rules/deliveries/fileDeliveryProfileSchemas.ts';
import type { SecretBox } from '../lib/secretBox.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import {
  findCampaignNameAndList,
  findDeliveryProfile,
} from '../store/reads/deliveries/deliveryProfilesAndCampaignCalls.ts';
import type { Config } from '../config.ts';
import { findOutgoingWebhookAccount } from '../operations/deliveries/outgoingWebhookAccount.ts';
import { temporaryFolderPath } from '../dataFolder/prepare.ts';
import type { Databases } from './databases.ts';
import {
  type PrivateHostAllowlist,
  createPrivateHostAllowlist,
} from '../providers/delivery/createPrivateHostAllowlist.ts';
import { getShardPool } from '../store/pools.ts';
import {
  callbackSecretBox,
  callbackSecretStore,
  recordsPushLoginSealer,
} from '../store/secrets/callbacks.ts';
import { profileSecretBox } from '../store/secrets/deliveryProfiles.ts';
import { unsealDeliveryProfile } from '../store/repositories/unsealDeliveryProfile.ts';
import { campaignResultsText } from '../operations/deliveries/campaignResultsFile.ts';

export interface DeliveryServiceDeps {
  config: Config;
  databases: Databases;
  control: ControlDatabase;
  /** `SECRET_KEY`. */
  secret: string;
  /** Links to recordings. */
  mediaUrl(account: number, media: string, forMs?: number): string;
  /** Of customers' hosts. */
  names: DnsLookups;
  mintId(shard: string): number;
  /** Hears what became of each callback that was due. */
  observeCallback(outcome: CallbackOutcome): void;
}

export interface OpenedDeliveryServices extends StoppableDeliveryPerformer {
  addresses: CampaignResultsAddressResolver;
  admin: DeliveryProfileSealerAndTester;
  callbacks: CallbackSecretsService;
  pushSecrets: Services['callbacks'];
  /** Of callbacks, in this process. */
  callbackCounts: WebhookTransport['counts'];
  callbackTargets: PrivateHostAllowlist;
}

export const openDeliveryServices = (needs: DeliveryServiceDeps): OpenedDeliveryServices => {
  const { config } = needs;
  const secretBox = profileSecretBox(needs.secret);
  const repository = resultsRepository(needs, secretBox);
  const places: DeliveryFileTargetEnvironment = {
    folder: config.deliveryDir,
    temporary: temporaryFolderPath(config),
    allowed: config.allowPrivateTargets,
    names: needs.names,
  };
  const callbackSecrets = callbackSecretBox(needs.secret);
  const callbackTargets = createPrivateHostAllowlist(config.allowPrivateTargets);
  const callback = webhookTransport({
    findAccount: findOutgoingWebhookAccount({ ...needs, box: callbackSecrets, now: Date.now }),
    allowed: callbackTargets.allowed,
    temporary: places.temporary,
    names: needs.names,
    now: Date.now,
    observe: needs.observeCallback,
  });
  const dispatcher = openDeliveryDispatcher({
    results: campaignResultsTransport(repository, places),
    callback,
  });
  return {
    performers: dispatcher.performers,
    stop: () => {
      dispatcher.stop();
      void callback.stop();
    },
    addresses: openCampaignResultsAddressResolver(repository),
    admin: profileServiceOf(secretBox, repository, places),
    callbacks: {
      ...callbackSecretStore(callbackSecrets),
      test: callback.test,
      targetsOf: callback.targetsOf,
    },
    pushSecrets: recordsPushLoginSealer(callbackSecrets),
    callbackCounts: callback.counts,
    callbackTargets,
  };
};

const profileServiceOf = (
  secretBox: SecretBox,
  repository: CampaignResultsDeliverySource,
  places: DeliveryFileTargetEnvironment,
): DeliveryProfileSealerAndTester => ({
  seal: (account, profile, secret) =>
    secretBox.seal(JSON.stringify(secret), deliverySecretSealContext(account, profile)),
  test: async (tenant, id) => {
    const profile = await repository.profile(tenant, id);
    if (!profile) return { delivered: false, reason: 'noProfile', message: 'it was deleted just now' };
    return testFileTarget(
      () => fileTargetForProfile(tenant.account, profile, places),
      `test${id}-${randomUUID().slice(0, 8)}`,
    );
  },
});

const resultsRepository = (
  needs: DeliveryServiceDeps,
  secretBox: SecretBox,
): CampaignResultsDeliverySource => {
  const { databases, mintId } = needs;
  return {
    mintId,
    profile: async ({ shard, account }, id) => {
      const row = await findDeliveryProfile(getShardPool(databases, shard), account, id);
      return row && unsealDeliveryProfile(secretBox, account, row);
    },
    campaignName: async ({ shard, account }, id) =>
      (await findCampaignNameAndList(getShardPool(databases, shard), account, id))?.name,
    content: (tenant, campaign, profile) =>
      campaignResultsText(needs, tenant, campaign, profile.target.settings.delimiter),
  };
};
