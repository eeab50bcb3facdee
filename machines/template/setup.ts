/** The XState setup of the chart of templates, and how it answers those who ask. */
import { assign, setup } from 'xstate';
import { effect, engineEffects, type Stamp } from '../../src/engine/contract/effect.ts';
import { answeredTo, withAnswer, withAsk } from './answers.ts';
import type { Heard, TemplateContext, TemplateScope, Answer, Said, WhyNot } from './context.ts';
import * as guards from './guards.ts';
import type { TemplateInput } from './input.ts';
import * as assigns from './assigns.ts';
import * as replies from './replies.ts';
import { lookPauseMs, pollPauseMs } from './schedule.ts';
import type { TemplateEffects } from '../contracts/template.ts';

const assignFrom = (update: (scope: TemplateScope) => Partial<TemplateContext>) =>
  assign<TemplateContext, Heard, undefined, Heard, never>(({ context, event }) => update({ context, event }));

const MINUTE = 60_000;

export const machineSetup = setup({
  types: {
    context: {} as TemplateContext,
    events: {} as Heard,
    input: {} as TemplateInput & Stamp & { id: number },
  },
  actions: {
    ...engineEffects,
    submitTemplate: effect<TemplateEffects['submitTemplate']>(),
    findTemplate: effect<TemplateEffects['findTemplate']>(),
    checkTemplate: effect<TemplateEffects['checkTemplate']>(),
    deleteTemplate: effect<TemplateEffects['deleteTemplate']>(),
    noteAsk: assignFrom(({ context, event }) =>
      'ask' in event ? { asks: withAsk(context, event.ask) } : {},
    ),
    noteMode: assignFrom(({ event }) => (event.type === 'delete' ? { mode: event.mode } : {})),
    noteEdited: assignFrom(assigns.edited),
    noteSubmission: assignFrom(assigns.submission),
    noteAccepted: assignFrom(assigns.accepted),
    noteRefused: assignFrom(assigns.refused),
    noteDoubt: assignFrom(assigns.doubted),
    noteLook: assignFrom(assigns.looked),
    noteMissing: assignFrom(assigns.missed),
    noteChecked: assignFrom(assigns.checked),
    noteCheck: assignFrom(assigns.checkBegun),
    notePoll: assignFrom(assigns.polled),
    noteTold: assignFrom(assigns.told),
    noteTrait: assignFrom(assigns.traitTold),
    noteDeleted: assignFrom(assigns.deleted),
    noteFormerGone: assignFrom(assigns.formerGone),
    noteRemoved: assignFrom(assigns.removed),
  },
  guards,
  delays: {
    /** Longer than the effects may take with all their tries. */
    answerGuard: () => 10 * MINUTE,
    nextLook: ({ context }: TemplateScope) => lookPauseMs(context.doubt.looks),
    nextPoll: ({ context }: TemplateScope) => pollPauseMs(context.polls),
  },
});

/** What is said, from the context as it is by then and from what was heard. */
type Reply = (scope: TemplateScope) => Said;

/**
 * Answers all who wait for what was under way, or only the caller that asks for this. `tells`: it is upstream's status.
 */
export const answer = (reply: Reply, whom: 'waiting' | 'asker' = 'waiting', tells = false) =>
  machineSetup.enqueueActions(({ context, event, enqueue }) => {
    const asker = 'ask' in event ? [event.ask] : [];
    const asks = whom === 'asker' ? asker : context.asks;
    if (asks.length === 0) return;
    const given: Answer = { ...reply({ context, event }), asks };
    const { answers, forgotten } = withAnswer(context, given);
    enqueue.assign({
      answers,
      ...(whom === 'waiting' && { asks: [] }),
      ...(tells && { toldStatus: given.status }),
    });
    for (const ask of forgotten) enqueue({ type: 'forget', params: { milestone: answeredTo(ask) } });
    for (const ask of asks) enqueue({ type: 'reach', params: { milestone: answeredTo(ask) } });
  });

/** The same of upstream’s status: the next check compares with it. */
export const tell = (reply: Reply) => answer(reply, 'waiting', true);
/** Our own refusal to the caller that asks. */
export const no = (why: WhyNot) => answer(replies.no(why), 'asker');
