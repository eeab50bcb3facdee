/**
 * A Msgapp template: a row that is written here, submitted upstream, reviewed there, and deleted here or there
 * (spec 3.1, 4.16 to 4.19; decisions/0013).
 *
 * It is submitted at most once: where it is unknown whether upstream took it, it is looked for by name and language and
 * never posted again. While upstream reviews it, it is asked by a schedule; a hook may tell earlier. A caller that asks
 * something of it waits for `answered <ask>`.
 */
import { initialTemplateContext, type TemplateContext } from './template/context.ts';
import { TEMPLATE_DELETED_STATUS, upstreamTemplateIdToEdit } from './template/assigns.ts';
import * as replies from './template/repliesToRequests.ts';
import { answerTemplateAskersAction, no, tell, templateMachineSetup } from './template/setup.ts';
import type { TemplateEffects } from './contracts/template.ts';

/** What a submission is found by. */
const posted = (json: string): Pick<TemplateEffects['findTemplate'], 'name' | 'language' | 'bodyText'> => {
  const { name, language, components = [] } = JSON.parse(json) as Posted;
  return { name, language, bodyText: components.find(({ type }) => type === 'BODY')?.text ?? '' };
};

interface Posted {
  name: string;
  language: string;
  components?: { type: string; text?: string }[];
}

/** Upstream edits the one it has, where it may be edited into this. */
const editing = (context: TemplateContext): Pick<TemplateEffects['submitTemplate'], 'edits'> => {
  const edits = upstreamTemplateIdToEdit(context);
  return edits === undefined ? {} : { edits };
};

const known = { guard: 'isKnown' } as const;
const busy = [known, { actions: no('busy') }] as const;

/** A submission begins when the payload was made of what stands here now. */
const submitted = [
  known,
  { guard: 'isOutdated', actions: no('edited') },
  { target: '#template.submitting', actions: ['noteAsk', 'noteSubmission'] },
] as const;

/** Removed here without a request to upstream; callers that wait for something else are told that it is off. */
const removedHere = {
  guard: 'isLocal',
  target: '#template.removed',
  actions: [
    answerTemplateAskersAction(replies.no('edited')),
    'noteRemoved',
    answerTemplateAskersAction(replies.done, 'asker'),
  ],
} as const;

/** What an edit left upstream. */
const deletedFormer = {
  guard: 'isOfFormer',
  target: '#template.deleting',
  actions: ['noteAsk', 'noteMode'],
} as const;

const deletedThere = [
  known,
  removedHere,
  { guard: 'isOfNoFormer', actions: no('notSubmitted') },
  {
    target: '#template.deleting',
    actions: [answerTemplateAskersAction(replies.no('busy')), 'noteAsk', 'noteMode'],
  },
] as const;

const editedHere = [
  known,
  { guard: 'isNoChange', actions: answerTemplateAskersAction(replies.done, 'asker') },
  {
    target: '#template.stored',
    actions: [
      answerTemplateAskersAction(replies.no('edited')),
      'noteEdited',
      answerTemplateAskersAction(replies.done, 'asker'),
    ],
  },
] as const;

const accepted = {
  guard: 'isThisSubmission',
  target: '#template.judging',
  actions: ['noteAccepted', tell(replies.templateAcceptedReplyToCaller)],
} as const;
const refused = {
  target: '#template.stored',
  actions: [tell(replies.templateRefusedReply), 'noteRefused'],
} as const;
/** What was asked before this submission, or before upstream had it under its id of now, is answered late. */
const formerSubmission = { guard: 'isFormerSubmission' } as const;
const formerTemplate = { guard: 'isFormerTemplate' } as const;
/** Upstream could not be asked whether it has it. */
const unanswered = [
  { guard: 'isHopeless', ...refused },
  {
    target: '#template.submitting.waiting',
    actions: answerTemplateAskersAction(replies.templateSubmissionUnknownReply),
  },
] as const;
const unchecked = {
  target: '#template.judging',
  actions: ['notePoll', answerTemplateAskersAction(replies.upstreamFailedReply)],
} as const;
const kept = {
  target: '#template.judging',
  actions: answerTemplateAskersAction(replies.upstreamFailedReply),
} as const;

export const templateStateMachine = templateMachineSetup.createMachine({
  id: 'template',
  context: ({ input }) => initialTemplateContext(input),
  initial: 'stored',
  on: { traitTold: { guard: 'isTraitNews', actions: 'noteTrait' } },
  states: {
    /** Upstream does not know it, or refused it. */
    stored: {
      on: {
        submit: submitted,
        check: [known, { actions: no('notSubmitted') }],
        delete: [known, removedHere, deletedFormer, { actions: no('notSubmitted') }],
        edited: editedHere,
      },
    },
    /** Under way to upstream. Callers that submit it meanwhile wait for the same answer. */
    submitting: {
      initial: 'posting',
      on: {
        templateAccepted: accepted,
        templateRefused: { guard: 'isThisSubmission', ...refused },
        submit: [known, { actions: 'noteAsk' }],
        check: [known, { actions: no('notSubmitted') }],
        delete: busy,
        edited: busy,
      },
      states: {
        posting: {
          entry: {
            type: 'submitTemplate',
            params: ({ context }) => ({
              line: context.line,
              submission: context.submission,
              body: JSON.parse(context.json) as Record<string, unknown>,
              ...editing(context),
            }),
          },
          on: {
            templateUnsettled: { guard: 'isThisSubmission', target: 'looking', actions: 'noteDoubt' },
            outcomeUnknown: [formerSubmission, { target: 'looking', actions: 'noteDoubt' }],
            submitTemplateFailed: [formerSubmission, refused],
          },
          after: { answerGuard: { target: 'looking', actions: 'noteDoubt' } },
        },
        /** Has upstream got it? */
        looking: {
          entry: [
            'noteLook',
            {
              type: 'findTemplate',
              params: ({ context: { line, submission, json } }) => ({ line, submission, ...posted(json) }),
            },
          ],
          on: {
            templateFound: accepted,
            templateMissing: [
              formerSubmission,
              { guard: 'isMissing', ...refused },
              {
                target: 'waiting',
                actions: ['noteMissing', answerTemplateAskersAction(replies.templateSubmissionUnknownReply)],
              },
            ],
            findTemplateFailed: [formerSubmission, ...unanswered],
          },
          after: { answerGuard: unanswered },
        },
        waiting: {
          on: { checkNow: 'looking', submit: [known, { actions: no('unsettled') }] },
          after: { nextLook: 'looking' },
        },
      },
    },
    /** What does upstream say of it? */
    judging: {
      always: [
        { guard: 'isUnsubmitted', target: 'stored' },
        { guard: 'isDeleted', target: 'deleted' },
        { guard: 'isPending', target: 'submitted.watched' },
        { target: 'submitted.resting' },
      ],
    },
    submitted: {
      initial: 'watched',
      on: {
        submit: [known, { guard: 'isStanding', actions: no('submitted') }, ...submitted],
        check: [known, { target: 'checking', actions: 'noteAsk' }],
        checkNow: 'checking',
        delete: deletedThere,
        edited: editedHere,
        statusTold: { guard: 'isNews', target: 'judging', actions: 'noteTold' },
        templateGone: { guard: 'isThisTemplate', target: 'deleted', actions: 'noteDeleted' },
      },
      states: {
        /** Under review. */
        watched: { after: { nextPoll: '#template.checking' } },
        /** Upstream has decided; a hook or a caller may learn otherwise. */
        resting: {},
      },
    },
    /** Upstream is asked for the status, by the schedule or for a caller. */
    checking: {
      entry: [
        'noteCheck',
        {
          type: 'checkTemplate',
          params: ({ context: { line, upstreamId, check } }) => ({ line, upstreamId, check }),
        },
      ],
      on: {
        templateChecked: {
          guard: 'isThisCheck',
          target: 'judging',
          actions: ['notePoll', 'noteChecked', tell(replies.checkedStatusReplyToCaller)],
        },
        templateUnchecked: { guard: 'isThisCheck', ...unchecked },
        checkTemplateFailed: { guard: 'isThisCheck', ...unchecked },
        check: [known, { actions: 'noteAsk' }],
        submit: busy,
        delete: deletedThere,
        edited: editedHere,
        /** What is being answered may be older: it is asked for again. */
        statusTold: { guard: 'isNews', target: 'checking', reenter: true, actions: 'noteTold' },
      },
      after: { answerGuard: unchecked },
    },
    deleting: {
      entry: {
        type: 'deleteTemplate',
        params: ({ context: { line, upstreamId, definition, status, mode, former } }) => ({
          line,
          ...(mode === 'former' && former
            ? { upstreamId: former.upstreamId, name: former.name }
            : { upstreamId, name: definition.name }),
          // The row of one that upstream no longer has can still go.
          known: status === TEMPLATE_DELETED_STATUS && mode === 'both' ? 'deleted' : 'there',
        }),
      },
      on: {
        templateGone: [
          formerTemplate,
          {
            guard: 'isFormerMode',
            target: 'judging',
            actions: ['noteFormerGone', answerTemplateAskersAction(replies.done)],
          },
          {
            guard: 'isBoth',
            target: 'removed',
            actions: ['noteDeleted', 'noteRemoved', answerTemplateAskersAction(replies.done)],
          },
          { target: 'deleted', actions: ['noteDeleted', answerTemplateAskersAction(replies.done)] },
        ],
        templateKept: [formerTemplate, kept],
        deleteTemplateFailed: [formerTemplate, kept],
        submit: busy,
        check: busy,
        delete: busy,
        edited: busy,
        statusTold: { guard: 'isNews', actions: 'noteTold' },
      },
      after: { answerGuard: kept },
    },
    /** Upstream no longer has it; the row is kept, and may be submitted anew. */
    deleted: {
      on: {
        submit: submitted,
        check: [known, { target: 'checking', actions: 'noteAsk' }],
        checkNow: 'checking',
        delete: deletedThere,
        edited: editedHere,
      },
    },
    /** It is not shown any more. */
    removed: { type: 'final', entry: { type: 'reach', params: { milestone: 'ended' } }, on: { '*': {} } },
  },
  options: { maxIterations: 10 },
});
