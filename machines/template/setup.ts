/** The XState setup of the chart of templates, and how it answers those who ask. */
import { assign, setup } from 'xstate';
import { declareEffect, engineEffects, type EventTimestamp } from '../../src/engine/contract/effect.ts';
import {
  templateRequestAnsweredMilestone,
  addTemplateRequestAnswer,
  addTemplateAskAwaitingAnswer,
} from './answers.ts';
import type {
  TemplateMachineEvent,
  TemplateContext,
  TemplateActionArgs,
  TemplateRequestAnswer,
  Said,
  TemplateRequestRefusalReason,
} from './context.ts';
import * as guards from './guards.ts';
import type { TemplateMachineInput } from './input.ts';
import * as assigns from './assigns.ts';
import * as replies from './repliesToRequests.ts';
import { templateLookupPauseMs, pollPauseMs } from './schedule.ts';
import type { TemplateEffects } from '../contracts/template.ts';

const assignFrom = (update: (scope: TemplateActionArgs) => Partial<TemplateContext>) =>
  assign<TemplateContext, TemplateMachineEvent, undefined, TemplateMachineEvent, never>(
    ({ context, event }) => update({ context, event }),
  );

const MINUTE = 60_000;

export const templateMachineSetup = setup({
  types: {
    context: {} as TemplateContext,
    events: {} as TemplateMachineEvent,
    input: {} as TemplateMachineInput & EventTimestamp & { id: number },
  },
  actions: {
    ...engineEffects,
    submitTemplate: declareEffect<TemplateEffects['submitTemplate']>(),
    findTemplate: declareEffect<TemplateEffects['findTemplate']>(),
    checkTemplate: declareEffect<TemplateEffects['checkTemplate']>(),
    deleteTemplate: declareEffect<TemplateEffects['deleteTemplate']>(),
    noteAsk: assignFrom(({ context, event }) =>
      'ask' in event ? { asks: addTemplateAskAwaitingAnswer(context, event.ask) } : {},
    ),
    noteMode: assignFrom(({ event }) => (event.type === 'delete' ? { mode: event.mode } : {})),
    noteEdited: assignFrom(assigns.assignTemplateEdited),
    noteSubmission: assignFrom(assigns.assignTemplateSubmissionBegun),
    noteAccepted: assignFrom(assigns.assignTemplateAccepted),
    noteRefused: assignFrom(assigns.assignTemplateRefused),
    noteDoubt: assignFrom(assigns.assignTemplateSubmissionDoubt),
    noteLook: assignFrom(assigns.countTemplateLookup),
    noteMissing: assignFrom(assigns.countTemplateLookupMiss),
    noteChecked: assignFrom(assigns.assignCheckedTemplateStatus),
    noteCheck: assignFrom(assigns.assignTemplateCheckBegun),
    notePoll: assignFrom(assigns.assignTemplatePollCounted),
    noteTold: assignFrom(assigns.assignTemplateStatusFromHook),
    noteTrait: assignFrom(assigns.assignTemplateTrait),
    noteDeleted: assignFrom(assigns.assignTemplateDeleted),
    noteFormerGone: assignFrom(assigns.assignFormerTemplateGone),
    noteRemoved: assignFrom(assigns.assignTemplateRemoved),
  },
  guards,
  delays: {
    /** Longer than the effects may take with all their tries. */
    answerGuard: () => 10 * MINUTE,
    nextLook: ({ context }: TemplateActionArgs) => templateLookupPauseMs(context.doubt.looks),
    nextPoll: ({ context }: TemplateActionArgs) => pollPauseMs(context.polls),
  },
});

/** What is said, from the context as it is by then and from what was heard. */
type Reply = (scope: TemplateActionArgs) => Said;

/**
 * Answers all who wait for what was under way, or only the caller that asks for this. `tells`: it is upstream's status.
 */
export const answerTemplateAskersAction = (
  reply: Reply,
  whom: 'waiting' | 'asker' = 'waiting',
  tells = false,
) =>
  templateMachineSetup.enqueueActions(({ context, event, enqueue }) => {
    const asker = 'ask' in event ? [event.ask] : [];
    const asks = whom === 'asker' ? asker : context.asks;
    if (asks.length === 0) return;
    const given: TemplateRequestAnswer = { ...reply({ context, event }), asks };
    const { answers, forgotten } = addTemplateRequestAnswer(context, given);
    enqueue.assign({
      answers,
      ...(whom === 'waiting' && { asks: [] }),
      ...(tells && { toldStatus: given.status }),
    });
    for (const ask of forgotten)
      enqueue({ type: 'forget', params: { milestone: templateRequestAnsweredMilestone(ask) } });
    for (const ask of asks)
      enqueue({ type: 'reach', params: { milestone: templateRequestAnsweredMilestone(ask) } });
  });

/** The same of upstream’s status: the next check compares with it. */
export const tell = (reply: Reply) => answerTemplateAskersAction(reply, 'waiting', true);
/** Our own refusal to the caller that asks. */
export const no = (why: TemplateRequestRefusalReason) => answerTemplateAskersAction(replies.no(why), 'asker');
