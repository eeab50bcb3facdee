/** A message in sentences, from its row in the log: its machine may be long gone. */
import { moment } from '../../lib/moment.ts';
import type { MessageRow } from '../../store/reads/sms/messageLog.ts';
import type { Language } from './language.ts';
import { messageReason, messageTodo, tellsWhy } from './message.ts';
import { nothingLeft } from './next.ts';
import { sandboxWords, zoneWords } from './sentences.ts';
import { stateWords } from './states.ts';

export interface MessageStory {
  sentences: string[];
  /** What to do. */
  next: string;
}

/** `zone`: of every moment in it; the last sentence names it. */
export const explainMessageRow = (row: MessageRow, language: Language, zone: string): MessageStory => {
  const words = stateWords('message', stateOf(row));
  const facts = {
    message: { channel: row.channel, destination: row.destination },
    outcome: { code: row.outcome_code, text: row.outcome_text },
    refunded: row.refunded,
  };
  const why = tellsWhy(facts) ? [`${moment(changedAt(row), zone)}: ${messageReason(facts, language)}`] : [];
  const todo = tellsWhy(facts) ? messageTodo(facts, language) : '';
  return {
    sentences: [
      words?.says[language] ?? '',
      ...(row.sandbox ? [sandboxWords[language]] : []),
      ...why,
      zoneWords[language](zone),
    ].filter(Boolean),
    next: todo || (words?.todo ?? nothingLeft)[language],
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
