/** The transport of campaign results (spec 4.3 `relftp`): a CSV of all calls, to the folder or server of a profile. */
import { randomUUID } from 'node:crypto';
import type { DeliveryInput, CampaignResultsDeliverySubject } from '../../../machines/delivery/input.ts';
import type { DiallerEffects } from '../../../machines/contracts/campaign.ts';
import { resultsFileName } from '../../rules/deliveries/resultsFileName.ts';
import type {
  DeliveryTransport,
  DeliveryAttemptTask,
  CampaignResultsAddressResolver,
} from '../contracts/delivery.ts';
import { type EffectCall, type EffectResult, NotRetryable } from '../../engine/contract/performer.ts';
import type { FileDeliveryProfile } from './profile.ts';
import {
  type DeliveryFileTargetEnvironment,
  fileTargetForProfile,
  describeDeliveryFileTarget,
} from './fileTargetForProfile.ts';
import { Semaphore } from '../../lib/semaphore.ts';

type Tenant = Pick<EffectCall['machine'], 'shard' | 'account'>;

/** What the transport looks up. */
export interface CampaignResultsDeliverySource {
  /** Undefined: the account has no such profile. */
  profile(tenant: Tenant, id: number): Promise<FileDeliveryProfile | undefined>;
  /** Undefined: the account has no such campaign. */
  campaignName(tenant: Tenant, id: number): Promise<string | undefined>;
  /** The file as text, read while it is written. */
  content(tenant: Tenant, campaign: number, profile: FileDeliveryProfile): AsyncIterable<string>;
  /** An id for a machine. */
  mintId(shard: string): number;
}

/** Answers a campaign at its end: which machine brings its results, and what that is to be born with. */
export const openCampaignResultsAddressResolver = (
  repository: CampaignResultsDeliverySource,
): CampaignResultsAddressResolver => ({
  performers: {
    async addressResults({
      machine,
      params,
    }: EffectCall<DiallerEffects['addressResults']>): Promise<EffectResult> {
      const profile = await repository.profile(machine, params.profile);
      const delivery = profile ? repository.mintId(machine.shard) : 0;
      const input = profile
        ? inputOf(machine.id, (await repository.campaignName(machine, machine.id)) ?? '', profile)
        : {};
      return { events: [{ type: 'resultsAddressed', delivery, input }] };
    },
  },
});

const inputOf = (campaign: number, name: string, profile: FileDeliveryProfile): DeliveryInput => {
  const file = resultsFileName(campaign, name);
  const subject: CampaignResultsDeliverySubject = { campaign, profile: profile.id, file };
  return {
    purpose: 'results',
    subject,
    about: `campaign ${campaign}`,
    target: describeDeliveryFileTarget(profile, file),
  };
};

/** Files written at a time by this process; the others wait for their turn. */
const FILES_AT_A_TIME = 8;

export const campaignResultsTransport = (
  repository: CampaignResultsDeliverySource,
  places: DeliveryFileTargetEnvironment,
): DeliveryTransport => {
  const turns = new Semaphore(FILES_AT_A_TIME);
  return { carry: (attempt) => turns.take(() => bring(attempt, repository, places), attempt.signal) };
};

const bring = async (
  { machine, subject, signal }: DeliveryAttemptTask,
  repository: CampaignResultsDeliverySource,
  places: DeliveryFileTargetEnvironment,
) => {
  const { campaign, profile: id, file } = subject as CampaignResultsDeliverySubject;
  const profile = await repository.profile(machine, id);
  if (!profile) throw new NotRetryable('noProfile', `the delivery profile ${id} does not exist`);
  if (!profile.active) throw new NotRetryable('profileInactive', `the delivery profile ${id} is not active`);
  const content = repository.content(machine, campaign, profile);
  const draft = `${machine.id}-${randomUUID().slice(0, 8)}`;
  await fileTargetForProfile(machine.account, profile, places).put({ name: file, content, draft, signal });
};
