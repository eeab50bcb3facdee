/**
 * Knows agents, queues and trunks. Agents and queues are reached through their lines: machines of the same account
 * whose ids are theirs, which keep the limits and the order.
 */
import type {
  LegTargetEffects,
  SecondLegDestinationAnswer,
} from '../../../machines/contracts/targetResolutionAndQueue.ts';
import { Retryable } from '../../engine/contract/performer.ts';
import type { EffectCall } from '../../engine/contract/performer.ts';
import type { CallMachineRef } from '../contracts/dialClearance.ts';
import type { AgentAndQueueStatusRepository, LegTargetResolver } from '../contracts/target.ts';
import type { SecondLegObjection } from './secondLegCostObjection.ts';

export interface LegTargetResolverOptions {
  repository: AgentAndQueueStatusRepository;
  /** Whether a chat-app calling trunk is configured (`WA_ENDPOINT`). */
  chatTrunk: boolean;
  /** Why this number is not to be called for the account; undefined: it may be. Default: every number may. */
  secondLegObjection?(
    caller: CallMachineRef,
    number: string,
    trunk: string | undefined,
  ): Promise<SecondLegObjection | undefined>;
}

/** Opens the resolver. Its performer throws `Retryable` when the repository cannot be read. */
export const openSecondLegDestinationResolver = (options: LegTargetResolverOptions): LegTargetResolver => ({
  performers: {
    resolveTarget: async ({ machine, params }) => ({
      events: [{ ...(await resolve(params, machine, options)), ...questionOf(params) }],
    }),
  },
});

/** What tells an answer from those to other questions of the same call. */
const questionOf = ({ question }: LegTargetEffects['resolveTarget']): { question?: number } =>
  question === undefined ? {} : { question };

const resolve = async (
  { target, trunk }: LegTargetEffects['resolveTarget'],
  machine: EffectCall['machine'],
  { repository, chatTrunk, secondLegObjection }: LegTargetResolverOptions,
): Promise<SecondLegDestinationAnswer> => {
  switch (target.kind) {
    case 'number': {
      const toll = await reading(async () => secondLegObjection?.(machine, target.number, trunk));
      if (toll) return refused(toll.reason, toll.detail);
      return { type: 'targetResolved', how: 'endpoint', endpoint: { kind: 'number', number: target.number } };
    }
    case 'chat':
      if (!chatTrunk) return refused('noTrunk', 'no chat-app calling trunk is configured');
      return { type: 'targetResolved', how: 'endpoint', endpoint: { kind: 'chat', number: target.number } };
    case 'agent': {
      const active = await reading(() => repository.agentActive(machine, target.agent));
      if (active === undefined) return refused('noAgent', `there is no agent ${target.agent}`);
      if (!active) return refused('agentInactive', `agent ${target.agent} is not active`);
      return { type: 'targetResolved', how: 'line', line: target.agent };
    }
    case 'queue': {
      const active = await reading(() => repository.queueActive(machine, target.queue));
      if (active === undefined) return refused('noQueue', `there is no queue ${target.queue}`);
      if (!active) return refused('queueInactive', `queue ${target.queue} is not active`);
      return { type: 'targetResolved', how: 'line', line: target.queue };
    }
  }
};

const refused = (
  reason: Extract<SecondLegDestinationAnswer, { type: 'targetRefused' }>['reason'],
  detail: string,
): SecondLegDestinationAnswer => ({ type: 'targetRefused', reason, detail });

const reading = async <Answer>(read: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await read();
  } catch (cause) {
    throw new Retryable('where second legs go cannot be read', { cause });
  }
};
