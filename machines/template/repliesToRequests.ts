/** What is said to those who asked, from what was heard. Pure. */
import type { TemplateActionArgs, Said, TemplateRequestRefusalReason } from './context.ts';
import { templateRefusalDetails } from './assigns.ts';

const say = ({ context }: TemplateActionArgs, said: Partial<Said> = {}): Said => ({
  text: '',
  status: context.status,
  previous: '',
  upstreamId: context.upstreamId,
  name: context.definition.name,
  answer: '',
  ...said,
});

type Reply = (scope: TemplateActionArgs) => Said;

const SENTENCES: Record<TemplateRequestRefusalReason, string> = {
  notSubmitted: 'it was not submitted',
  submitted: 'it is submitted already: edit or delete it first',
  busy: 'upstream is still being asked about it; try again',
  refused: 'upstream refused it',
  unsettled: 'it is not known whether upstream took it; it is looked for, and not submitted again',
  edited: 'it was edited or deleted meanwhile; try again',
};

/** A no of our own. */
export const no =
  (why: TemplateRequestRefusalReason): Reply =>
  (scope) =>
    say(scope, { why, text: SENTENCES[why] });

export const done: Reply = (scope) => say(scope);

export const templateAcceptedReplyToCaller: Reply = (scope) => {
  const { event } = scope;
  const told = event.type === 'templateAccepted' || event.type === 'templateFound';
  return say(scope, { answer: told ? event.answer.slice(0, ANSWER_LENGTH) : '' });
};

/** What is kept of a raw answer, characters. */
const ANSWER_LENGTH = 4_000;

/** Made before the note, which forgets the doubt. */
export const templateRefusedReply: Reply = (scope) =>
  say(scope, { why: 'refused', status: 'REJECTED', ...templateRefusalDetails(scope) });

export const checkedStatusReplyToCaller: Reply = (scope) => {
  const { context, event } = scope;
  if (event.type !== 'templateChecked') return say(scope);
  const { status, name } = event;
  return say(scope, { status, previous: context.toldStatus, name: name || context.definition.name });
};

/** Why it is unknown whether upstream took it. */
export const templateSubmissionUnknownReply: Reply = (scope) => {
  const { text, answer } = scope.context.doubt;
  return say(scope, { why: 'unsettled', text: `${text}; ${SENTENCES.unsettled}`, answer });
};

/** Upstream did not answer, or said no. */
export const upstreamFailedReply: Reply = (scope) => say(scope, { why: 'refused', text: failureOf(scope) });

const failureOf = ({ event }: TemplateActionArgs): string => {
  switch (event.type) {
    case 'templateUnchecked':
    case 'templateKept':
      return event.text.slice(0, 1_000);
    case 'checkTemplateFailed':
    case 'deleteTemplateFailed':
      return event.message.slice(0, 1_000);
    default:
      return 'nothing was heard of upstream';
  }
};
