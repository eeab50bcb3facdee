/** A message in sentences, from its row in the log: its machine may be long gone. */
import { formatLocalDateTime } from '../../lib/formatLocalDateTime.ts';
import type { MessageRow } from '../../store/reads/sms/messageLog.ts';
import type { Language } from './language.ts';
import { messageFailureSentence, failedMessageRemedy, isFailedOrUnknownMessage } from './messageFailure.ts';
import { noNextStepText } from './nextStepSentence.ts';
import { sandboxNotice, timeZoneNotice } from './machineStatusSentences.ts';
import { describeMachineState } from './states.ts';

export interface MessageExplanation {
  sentences: string[];
  /** What to do. */
  next: string;
}

/** `zone`: of every moment in it; the last sentence names it. */
export const explainMessageRow = (row: MessageRow, language: Language, zone: string): MessageExplanation => {
  const words = describeMachineState('message', stateOf(row));
  const facts = {
    message: { channel: row.channel, destination: row.destination },
    outcome: { code: row.outcome_code, text: row.outcome_text },
    refunded: row.refunded,
    failedAt: row.failed_at ?? 0,
  };
  const why = isFailedOrUnknownMessage(facts)
    ? [`${formatLocalDateTime(changedAt(row), zone)}: ${messageFailureSentence(facts, language)}`]
    : [];
  const todo = isFailedOrUnknownMessage(facts) ? failedMessageRemedy(facts, language) : '';
  return {
    sentences: [
      words?.says[language] ?? '',
      ...(row.sandbox ? [sandboxNotice[language]] : []),
      ...why,
      timeZoneNotice[language](zone),
    ].filter(Boolean),
    next: todo || (words?.todo ?? noNextStepText)[language],
  };
};

/** As its chart would call the state: of one of which nothing more is heard, by how far it came. */
const stateOf = ({ state, channel, finished }: MessageRow): string => {
  if (['failed', 'undelivered', 'accepted', 'submitted'].includes(state)) return state;
  if (finished) return `done.${state}`;
  return state === 'acknowledged' ? `${state}.${channel === 'sms' ? 'sms' : 'chat'}` : state;
};

const changedAt = ({ failed_at, submitted_at, created_at }: MessageRow): number =>
  failed_at ?? submitted_at ?? created_at;
