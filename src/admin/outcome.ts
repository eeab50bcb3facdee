/** How a call ended, for people: from its record alone. */

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

const MEANINGS: Record<string, string> = {
  OK: 'it was answered',
  BUSY: 'the line was busy, or the callee rejected the call',
  NOANSWER: 'it rang and nobody answered',
  CANCEL: 'it was called off',
  CONGESTION: 'the carrier had no circuit for it',
  CHANUNAVAIL: 'the number could not be reached',
};

const REASONS: Record<string, string> = {
  lost: 'its leg was lost, so what became of it is not known',
  unreachable: 'the carrier or the number was unreachable',
  completed: 'everything was said',
  hungUp: 'the callee hung up',
  cancelled: 'somebody cancelled it',
  audio: 'what it should say is missing or could not be made, and nobody is called to hear nothing',
};

/** Q.850. */
const CAUSES: Record<number, string> = {
  1: 'unallocated number',
  3: 'no route to the destination',
  16: 'normal clearing',
  17: 'user busy',
  18: 'no user responding',
  19: 'no answer from the user',
  20: 'subscriber absent',
  21: 'call rejected',
  22: 'number changed',
  27: 'destination out of order',
  28: 'invalid number',
  31: 'normal, unspecified',
  34: 'no circuit available',
  38: 'network out of order',
  41: 'temporary failure',
  42: 'switching equipment congested',
  44: 'requested circuit not available',
  58: 'bearer capability not available',
  102: 'timer expired',
  127: 'interworking, unspecified',
};

/** Its outcome, why, and what the carrier said; undefined when the record tells of none. */
export const outcomeSentence = (record: Record<string, unknown>): string | undefined => {
  if (!isEnded(record)) return undefined;
  const { status, reason, attempt } = record;
  const attempts = attempt === 0 ? 'without an attempt' : `at attempt ${attempt}`;
  const why = REASONS[reason] ? `${reason}, ${REASONS[reason]}` : reason;
  const said = attempt === 0 ? '' : carrierWords(record);
  return `Its outcome is ${status} ${attempts}: ${MEANINGS[status] ?? status}; the reason is ${why}${said}.`;
};

const carrierWords = ({ hangup_cause: cause, sip_status: sip }: Ended): string => {
  const words = [
    ...(cause > 0 ? [`cause ${cause}${CAUSES[cause] ? ` (${CAUSES[cause]})` : ''}`] : []),
    ...(sip > 0 ? [`SIP ${sip}`] : []),
  ];
  return words.length === 0 ? '' : `; the carrier said ${words.join(', ')}`;
};
