/** Requests whose number depends on the context: to all legs that live, and to a line when there is one. */
import type { EngineEffects } from '../../src/engine/contract/effect.ts';
import { endingOf } from '../contracts/endings.ts';
import type { CallReport } from '../contracts/campaign.ts';
import type { SenderEvent } from '../contracts/delivery.ts';
import type { LineEvent } from '../contracts/target.ts';
import { legOf, liveLegs, secondOf, timeOf, type CallContext, type Scope } from './context.ts';
import type { CallEffects } from './events.ts';
import { restScope, secondLeg } from './legRequests.ts';
import { numberDialled } from './numbers.ts';
import { textsOf } from './prompts.ts';

type Effects = CallEffects & Pick<EngineEffects, 'tell' | 'startMachine' | 'claim' | 'release' | 'reach'>;

/** An effect as data. */
export type Asked = { [Name in keyof Effects]: { type: Name; params: Effects[Name] } }[keyof Effects];

const hangUp = (leg: number): Asked => ({ type: 'hangUp', params: { leg, reason: 'normal' } });
/** The callee wants no more of these: the number rests for the campaign, ours or the customer's. */
export const restNumber = ({ context }: Scope): Asked[] => {
  const { call, dial } = context;
  const scope = restScope(call);
  if (scope === '' || !endingOf(dial.reason)?.rests) return [];
  return [{ type: 'restNumber', params: { number: numberDialled(context), scope, reason: dial.reason } }];
};

/** No audio was ever made while its caller waited for it: the caller is told so, and the same request may come again. */
export const refuse = (scope: Scope): Asked[] => {
  const { call, audio } = scope.context;
  if (!call.refusal || audio.at > 0 || timeOf(scope) > call.refusal.until) return [];
  // Files alone are looked for after a wait: by then it was accepted.
  if (textsOf(call).length === 0) return [];
  return [
    ...call.refusal.claims.map((key): Asked => ({ type: 'release', params: { key } })),
    { type: 'reach', params: { milestone: 'refused' } },
  ];
};

/** A word to another machine. */
export const tell = (machine: number, event: LineEvent | CallReport | SenderEvent): Asked => ({
  type: 'tell',
  params: { machine, event: { ...event } },
});

export const hangUpSeconds = ({ context }: Scope): Asked[] =>
  secondOf(context).legs.map(({ leg }) => hangUp(leg));

/** One of several second legs answered: the others are not needed. */
export const hangUpSpares = ({ context, event }: Scope): Asked[] =>
  secondOf(context)
    .legs.filter(({ leg }) => leg !== legOf(event))
    .map(({ leg }) => hangUp(leg));

/** Everything that is up goes down, and the line need not wait for us. */
export const closeLegs = (scope: Scope): Asked[] => [
  ...liveLegs(scope.context).map(hangUp),
  ...tellLeft(scope),
];

export const tellLeft = ({ context }: Scope): Asked[] => {
  const { line } = secondOf(context);
  return line ? [tell(line, { type: 'callerLeft', call: context.id })] : [];
};

export const tellTaken = (scope: Scope): Asked[] => tellOfMember(scope, legOf(scope.event), 'memberTaken');

export const tellFreed = (scope: Scope): Asked[] =>
  tellOfMember(scope, secondOf(scope.context).partner, 'memberFreed');

/** The member of this leg did not answer, or was offered to a call that needs none any more. */
export const tellMissed = (scope: Scope): Asked[] => {
  const { context, event } = scope;
  if (event.type !== 'memberOffered') return tellOfMember(scope, legOf(event), 'memberMissed');
  return [tell(event.line, { type: 'memberMissed', call: context.id, member: event.member })];
};

const tellOfMember = (
  { context }: { context: CallContext },
  leg: number,
  type: 'memberTaken' | 'memberMissed' | 'memberFreed',
): Asked[] => {
  const second = secondLeg(context, leg);
  return second?.line ? [tell(second.line, { type, call: context.id, member: second.member })] : [];
};
