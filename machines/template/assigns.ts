/** How a fact changes a template. Pure. */
import {
  emptySubmissionDoubt,
  type TemplateStatusChange,
  type TemplateStatusChangeCause,
  type TemplateContext,
  type TemplateActionArgs,
} from './context.ts';

type Assigner = (scope: TemplateActionArgs) => Partial<TemplateContext>;

/** What is kept of upstream's words, characters. */
const ANSWER_LENGTH = 4_000;
const REASON_LENGTH = 1_000;
/** Changes kept; the oldest go first. */
const CHANGES = 100;

export const assignTemplateEdited: Assigner = ({ context, event }) => {
  if (event.type !== 'edited') return {};
  const definition = { ...context.definition, ...event.definition };
  // Its own moment, so that a payload made of the former definition is told from one made of this.
  const editedAt = Math.max(event.at, context.editedAt + 1);
  const stored = { definition, editedAt, json: '', jsonWithUrls: '', ...withFormer(context) };
  if (context.status === '' && context.upstreamId === '') return stored;
  const change = changed(context, { at: event.at, status: '', by: 'edit', reason: '' });
  const known = { upstreamId: '', toldStatus: '', acceptedAt: 0, polls: 0, toldAt: 0, traits: undefined };
  // Why it was rejected stands beside the text that is to mend it.
  const rejectionReason = context.status === REJECTED ? context.rejectionReason : '';
  return { ...stored, ...change, ...known, rejectionReason };
};

/** What upstream has of it, and will have when this one is edited or submitted anew. */
const withFormer = ({
  upstreamId,
  status,
  definition: { name, language },
  former,
}: TemplateContext): Pick<TemplateContext, 'former'> =>
  upstreamId !== '' && status !== TEMPLATE_DELETED_STATUS
    ? { former: { upstreamId, name, language } }
    : { former };

/** Upstream's id of the one that a submission edits: a name and a language cannot be edited. */
export const upstreamTemplateIdToEdit = ({
  former,
  definition: { name, language },
}: TemplateContext): string | undefined =>
  former?.name === name && former.language === language ? former.upstreamId : undefined;

/** Upstream no longer has what was left there. */
export const assignFormerTemplateGone: Assigner = () => ({ former: undefined, mode: 'upstream' });

/** A submission begins; what was before it no longer counts. */
export const assignTemplateSubmissionBegun: Assigner = ({ context, event }) => ({
  submission: context.submission + 1,
  ...withFormer(context),
  upstreamId: '',
  doubt: emptySubmissionDoubt,
  polls: 0,
  toldAt: 0,
  traits: undefined,
  ...(event.type === 'submit' && { json: event.json, jsonWithUrls: event.jsonWithUrls }),
});

export const assignTemplateAccepted: Assigner = ({ context, event }) => {
  if (event.type !== 'templateAccepted' && event.type !== 'templateFound') return {};
  const { at, upstreamId, status } = event;
  const change = changed(context, { at, status, by: 'submit', reason: '', upstreamId });
  const former = context.former?.upstreamId === upstreamId ? undefined : context.former;
  return { ...change, upstreamId, former, acceptedAt: at, doubt: emptySubmissionDoubt };
};

/** Upstream said no, or never heard of it (spec 4.16: the status is `REJECTED`). */
export const assignTemplateRefused: Assigner = ({ context, event }) => {
  const reason = templateRefusalDetails({ context, event }).text;
  const change = changed(context, { at: event.at, status: REJECTED, by: 'submit', reason });
  const isGone = event.type === 'templateRefused' && event.gone === true;
  return { ...change, doubt: emptySubmissionDoubt, ...(isGone && { former: undefined }) };
};

const REJECTED = 'REJECTED';

/** The sentence of a refused submission, and upstream's raw answer. */
export const templateRefusalDetails = ({
  context,
  event,
}: TemplateActionArgs): { text: string; answer: string } => {
  switch (event.type) {
    case 'templateRefused':
      return { text: cut(event.text, REASON_LENGTH), answer: cut(event.answer, ANSWER_LENGTH) };
    case 'submitTemplateFailed':
      return { text: cut(event.message, REASON_LENGTH), answer: '' };
    default: {
      const { text, answer } = context.doubt;
      const found =
        event.type === 'templateMissing' ? 'does not have it' : 'could not be asked whether it has it';
      return { text: `${text}; upstream ${found}`, answer };
    }
  }
};

/** Whether upstream took it is unknown. */
export const assignTemplateSubmissionDoubt: Assigner = ({ context, event }) => {
  if (event.type !== 'templateUnsettled')
    return { doubt: { ...context.doubt, text: 'the outcome is not known' } };
  const said = { text: cut(event.text, REASON_LENGTH), answer: cut(event.answer, ANSWER_LENGTH) };
  return { doubt: { ...emptySubmissionDoubt, ...said } };
};

export const countTemplateLookup: Assigner = ({ context }) => ({
  doubt: { ...context.doubt, looks: context.doubt.looks + 1 },
});

export const countTemplateLookupMiss: Assigner = ({ context }) => ({
  doubt: { ...context.doubt, misses: context.doubt.misses + 1 },
});

/** Upstream told the status, because a caller asked or by the schedule. */
export const assignCheckedTemplateStatus: Assigner = ({ context, event }) => {
  if (event.type !== 'templateChecked') return {};
  const { at, status, reason } = event;
  const by: TemplateStatusChangeCause = context.asks.length > 0 ? 'check' : 'poll';
  return { ...(status !== context.status && changed(context, { at, status, by, reason })), checkedAt: at };
};

export const assignTemplateCheckBegun: Assigner = ({ context }) => ({ check: context.check + 1 });

export const assignTemplatePollCounted: Assigner = ({ context }) => ({ polls: context.polls + 1 });

export const assignTemplateStatusFromHook: Assigner = ({ context, event }) => {
  if (event.type !== 'statusTold') return {};
  const { at, status, reason = '', occurredAt = 0 } = event;
  const toldAt = Math.max(context.toldAt, occurredAt);
  if (status === context.status) return { toldAt };
  return { ...changed(context, { at, status, by: 'hook', reason: spoken(reason) }), toldAt };
};

export const assignTemplateTrait: Assigner = ({ context, event }) => {
  if (event.type !== 'traitTold') return {};
  const { trait, word, occurredAt = 0 } = event;
  return { traits: { ...context.traits, [trait]: { word, toldAt: occurredAt } } };
};

export const assignTemplateDeleted: Assigner = ({ context, event }) =>
  context.status === TEMPLATE_DELETED_STATUS
    ? {}
    : changed(context, { at: event.at, status: TEMPLATE_DELETED_STATUS, by: 'delete', reason: '' });

/** Upstream's word for a template that it no longer has. */
export const TEMPLATE_DELETED_STATUS = 'DELETED';

/** It is not shown any more. Where it was not deleted upstream too, the history says that it was left there. */
export const assignTemplateRemoved: Assigner = ({ context, event }) => {
  const { former } = withFormer(context);
  const left = former !== undefined;
  const reason = left ? 'deleted here only' : 'deleted here';
  const { changes } = changed(context, { at: event.at, status: context.status, by: 'delete', reason });
  return { changes };
};

/** Upstream writes NONE for no reason. */
const spoken = (reason: string): string => (reason === 'NONE' ? '' : reason);

const changed = (
  context: TemplateContext,
  { upstreamId = context.upstreamId, ...change }: TemplateStatusChange,
): Pick<TemplateContext, 'status' | 'rejectionReason' | 'changes' | 'polls'> => {
  const reason = cut(spoken(change.reason), REASON_LENGTH);
  const entry = { ...change, reason, ...(upstreamId !== '' && { upstreamId }) };
  return {
    status: change.status,
    rejectionReason: reason,
    polls: 0,
    changes: [...context.changes, entry].slice(-CHANGES),
  };
};

const cut = (text: string, length: number): string => text.slice(0, length);
