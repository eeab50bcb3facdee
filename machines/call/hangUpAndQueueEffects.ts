/** Requests whose number depends on the context: to all legs that live, and to a line when there is one. */
import type { EngineEffects } from '../../src/engine/contract/effect.ts';
import { legOutcomeRuleByReason } from '../contracts/legOutcomeBySipAndCause.ts';
import type { CallToCampaignEvent } from '../contracts/campaign.ts';
import type { DeliveryQueueEvent } from '../contracts/delivery.ts';
import type { CallQueueEvent } from '../contracts/targetResolutionAndQueue.ts';
import {
  eventLegNumber,
  liveLegNumbers,
  secondLegInContext,
  callEventTime,
  type CallContext,
  type CallActionArgs,
} from './context.ts';
import type { CallEffects } from './events.ts';
import { numberRestScope, findSecondLeg } from './startAttemptsAndLegs.ts';
import { lastDialledNumber } from './numbers.ts';
import { collectPromptTexts } from './prompts.ts';

type Effects = CallEffects & Pick<EngineEffects, 'tell' | 'startMachine' | 'claim' | 'release' | 'reach'>;

/** An effect as data. */
export type CallEffectRequest = {
  [Name in keyof Effects]: { type: Name; params: Effects[Name] };
}[keyof Effects];

const hangUp = (leg: number): CallEffectRequest => ({ type: 'hangUp', params: { leg, reason: 'normal' } });
/** The callee wants no more of these: the number rests for the campaign, ours or the customer's. */
export const requestCalleeNumberRest = ({ context }: CallActionArgs): CallEffectRequest[] => {
  const { call, dial } = context;
  const scope = numberRestScope(call);
  if (scope === '' || !legOutcomeRuleByReason(dial.reason)?.rests) return [];
  return [{ type: 'restNumber', params: { number: lastDialledNumber(context), scope, reason: dial.reason } }];
};

/** No audio was ever made while its caller waited for it: the caller is told so, and the same request may come again. */
export const refuseCallWhenAudioUnprepared = (scope: CallActionArgs): CallEffectRequest[] => {
  const { call, audio } = scope.context;
  if (!call.refusal || audio.at > 0 || callEventTime(scope) > call.refusal.until) return [];
  // Files alone are looked for after a wait: by then it was accepted.
  if (collectPromptTexts(call).length === 0) return [];
  return [
    ...call.refusal.claims.map((key): CallEffectRequest => ({ type: 'release', params: { key } })),
    { type: 'reach', params: { milestone: 'refused' } },
  ];
};

/** A word to another machine. */
export const tellMachineEffect = (
  machine: number,
  event: CallQueueEvent | CallToCampaignEvent | DeliveryQueueEvent,
): CallEffectRequest => ({
  type: 'tell',
  params: { machine, event: { ...event } },
});

export const hangUpSecondLegs = ({ context }: CallActionArgs): CallEffectRequest[] =>
  secondLegInContext(context).legs.map(({ leg }) => hangUp(leg));

/** One of several second legs answered: the others are not needed. */
export const hangUpSpareLegs = ({ context, event }: CallActionArgs): CallEffectRequest[] =>
  secondLegInContext(context)
    .legs.filter(({ leg }) => leg !== eventLegNumber(event))
    .map(({ leg }) => hangUp(leg));

/** Everything that is up goes down, and the line need not wait for us. */
export const hangUpAllLegs = (scope: CallActionArgs): CallEffectRequest[] => [
  ...liveLegNumbers(scope.context).map(hangUp),
  ...tellQueueCallerLeft(scope),
];

export const tellQueueCallerLeft = ({ context }: CallActionArgs): CallEffectRequest[] => {
  const { line } = secondLegInContext(context);
  return line ? [tellMachineEffect(line, { type: 'callerLeft', call: context.id })] : [];
};

export const tellQueueOfMemberTaken = (scope: CallActionArgs): CallEffectRequest[] =>
  tellOfMember(scope, eventLegNumber(scope.event), 'memberTaken');

export const tellQueueMemberFreed = (scope: CallActionArgs): CallEffectRequest[] =>
  tellOfMember(scope, secondLegInContext(scope.context).partner, 'memberFreed');

/** The member of this leg did not answer, or was offered to a call that needs none any more. */
export const tellQueueMemberMissed = (scope: CallActionArgs): CallEffectRequest[] => {
  const { context, event } = scope;
  if (event.type !== 'memberOffered') return tellOfMember(scope, eventLegNumber(event), 'memberMissed');
  return [tellMachineEffect(event.line, { type: 'memberMissed', call: context.id, member: event.member })];
};

const tellOfMember = (
  { context }: { context: CallContext },
  leg: number,
  type: 'memberTaken' | 'memberMissed' | 'memberFreed',
): CallEffectRequest[] => {
  const second = findSecondLeg(context, leg);
  return second?.line
    ? [tellMachineEffect(second.line, { type, call: context.id, member: second.member })]
    : [];
};
