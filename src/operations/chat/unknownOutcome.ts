/**
 * The warning of a message that its upstream may have accepted or not: beside the failure's own shape (decisions/0002).
 */
import type { MessageSubmissionOutcome } from '../../store/reads/sms/submissionOutcomeAndFollowedCall.ts';

const unknownOutcome = 'outcome unknown, do not send again';

/** The warnings of an answer that says no, with this one where the outcome is unknown; nothing when there are none. */
export const addUnknownOutcomeWarning = (
  { state }: Pick<MessageSubmissionOutcome, 'state'>,
  warnings: readonly string[] = [],
): { warning?: string } => {
  const all = state === 'unknown' ? [...warnings, unknownOutcome] : warnings;
  return all.length > 0 ? { warning: all.join('; ') } : {};
};

/** Whether an answer says so. */
export const isAnswerOutcomeUnknown = ({ warning }: Readonly<Record<string, unknown>>): boolean =>
  typeof warning === 'string' && warning.split('; ').includes(unknownOutcome);
