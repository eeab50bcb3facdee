/** How a call ended, for people: from its record alone. */
import { describeQ850Cause } from './explained/causes.ts';
import type { Language } from './explained/language.ts';
import { describeCallEndReason } from './explained/callEndReasons.ts';

/** What is read of a call's record; other kinds have other columns, and no such sentence. */
interface Ended {
  status: string;
  reason: string;
  attempt: number;
  hangup_cause: number;
  sip_status: number;
}

const isEnded = (record: Record<string, unknown>): record is Record<string, unknown> & Ended =>
  typeof record['status'] === 'string' && record['status'] !== '' && typeof record['attempt'] === 'number';

const words = {
  en: {
    outcome: (status: string, attempt: number) =>
      `Its outcome is ${status} ${attempt === 0 ? 'without an attempt' : `at attempt ${attempt}`}`,
    answered: 'it was answered, and ',
    said: 'the carrier said',
    cause: 'cause',
  },
  pt: {
    outcome: (status: string, attempt: number) =>
      `O resultado é ${status} ${attempt === 0 ? 'sem tentativa' : `na tentativa ${attempt}`}`,
    answered: 'foi atendida, e ',
    said: 'a operadora informou',
    cause: 'causa',
  },
} as const;

/** Its outcome, why, what the carrier said and what to do; undefined when the record tells of none. */
export const callOutcomeSentence = (
  record: Record<string, unknown>,
  language: Language = 'en',
): string | undefined => {
  if (!isEnded(record)) return undefined;
  const { status, reason, attempt } = record;
  const { says, todo } = describeCallEndReason(reason);
  const told = words[language];
  const answered = status === 'OK' ? told.answered : '';
  const next = todo ? ` ${todo[language]}` : '';
  const said = attempt === 0 ? '' : carrierWords(record, language);
  return `${told.outcome(status, attempt)}: ${answered}${says[language]}${said}.${next}`;
};

/** The normal end of an answered call says nothing of why it ended. */
const carrierWords = (
  { status, hangup_cause: cause, sip_status: sip }: Ended,
  language: Language,
): string => {
  const told = words[language];
  const said = [
    ...(cause > 0 && !(status === 'OK' && cause === 16)
      ? [`${told.cause} ${cause} (${describeQ850Cause(cause)[language]})`]
      : []),
    ...(sip > 0 ? [`SIP ${sip}`] : []),
  ];
  return said.length === 0 ? '' : `; ${told.said} ${said.join(', ')}`;
};
