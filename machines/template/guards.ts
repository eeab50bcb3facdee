/** Questions that the chart of templates asks of its context and of a fact. */
import { findTemplateRequestAnswer } from './answers.ts';
import type { TemplateActionArgs } from './context.ts';
import { TEMPLATE_DELETED_STATUS } from './assigns.ts';
import {
  TEMPLATE_REVIEW_POLLING_PERIOD_MS,
  isLastTemplateLookup,
  isLastTemplateLookupMiss,
} from './schedule.ts';

type Question = (scope: TemplateActionArgs) => boolean;

/** The same request came again: its answer stands, or is under way. */
export const isKnown: Question = ({ context, event }) =>
  'ask' in event &&
  (context.asks.includes(event.ask) || findTemplateRequestAnswer(context, event.ask) !== undefined);

/** The payload was made of a definition that is no longer this one. */
export const isOutdated: Question = ({ context, event }) =>
  event.type === 'submit' && event.editedAt !== context.editedAt;

/** An edit that changes nothing. */
export const isNoChange: Question = ({ context, event }) =>
  event.type === 'edited' &&
  Object.entries(event.definition).every(
    ([field, value]) => context.definition[field as keyof typeof context.definition] === value,
  );

/** What a fact is about, or the effect that failed. */
const subjectOf = (event: TemplateActionArgs['event']): object => ('params' in event ? event.params : event);

export const isThisSubmission: Question = ({ context, event }) => {
  const subject = subjectOf(event);
  return 'submission' in subject && subject.submission === context.submission;
};
/** It ends an effect that was asked for an earlier submission. */
export const isFormerSubmission: Question = (scope) =>
  'submission' in subjectOf(scope.event) && !isThisSubmission(scope);

/** A check that a hook has overtaken tells what was, and no longer is. */
export const isThisCheck: Question = ({ context, event }) => {
  if (event.type === 'checkTemplateFailed') return event.params.check === context.check;
  return 'check' in event && event.check === context.check;
};

export const isThisTemplate: Question = ({ context, event }) => {
  const subject = subjectOf(event);
  const { upstreamId } = context.mode === 'former' && context.former ? context.former : context;
  return 'upstreamId' in subject && subject.upstreamId === upstreamId;
};
export const isFormerTemplate: Question = (scope) =>
  'upstreamId' in subjectOf(scope.event) && !isThisTemplate(scope);

export const isLocal: Question = ({ event }) => event.type === 'delete' && event.mode === 'local';
/** What an edit left upstream is to go. */
export const isFormerMode: Question = ({ context }) => context.mode === 'former';
export const isOfFormer: Question = ({ context, event }) =>
  event.type === 'delete' && event.mode === 'former' && context.former !== undefined;
/** The same, and there is nothing. */
export const isOfNoFormer: Question = ({ context, event }) =>
  event.type === 'delete' && event.mode === 'former' && context.former === undefined;
/** Upstream has none under an id of this one. */
export const isUnsubmitted: Question = ({ context }) => context.upstreamId === '';
export const isBoth: Question = ({ context }) => context.mode === 'both';
export const isDeleted: Question = ({ context }) => context.status === TEMPLATE_DELETED_STATUS;
/** Upstream has it and did not reject it: it is not submitted once more. */
export const isStanding: Question = ({ context }) => context.status !== 'REJECTED';

/** Under review, and not for too long. */
export const isPending: Question = ({ context, event }) =>
  ['PENDING', 'IN_APPEAL', 'PENDING_DELETION'].includes(context.status) &&
  event.at < context.acceptedAt + TEMPLATE_REVIEW_POLLING_PERIOD_MS;

/** Hooks come late and twice: one of an earlier moment than the last says nothing. */
export const isNews: Question = ({ context, event }) => {
  if (event.type !== 'statusTold' || event.status === '') return false;
  const { occurredAt = 0 } = event;
  return event.status !== context.status && (occurredAt === 0 || occurredAt >= context.toldAt);
};

/** The same of what upstream changed by itself, and of this one: not of one that it has from before an edit. */
export const isTraitNews: Question = ({ context, event }) => {
  if (event.type !== 'traitTold' || event.upstreamId !== context.upstreamId) return false;
  const known = context.traits?.[event.trait];
  const { occurredAt = 0 } = event;
  return known?.word !== event.word && (occurredAt === 0 || occurredAt >= (known?.toldAt ?? 0));
};

/** It was looked for often enough to say that upstream does not have it. */
export const isMissing: Question = ({ context }) => isLastTemplateLookupMiss(context.doubt.misses);
/** Upstream could not be asked for too long. */
export const isHopeless: Question = ({ context }) => isLastTemplateLookup(context.doubt.looks);
