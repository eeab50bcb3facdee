/** Callbacks: each event at least once, always the same under its id, in a row without gaps, one of them the last word. */
import { by, type Of, only } from '../evidence.ts';
import type { Rule, Violation } from './violation.ts';

const arrived = ({ answer }: Of<'calledBack'>): boolean => answer >= 200 && answer < 300;

export const callbacksAreWhole: Rule = (lines) => {
  const heard = only(lines, 'calledBack');
  const listening = new Set(heard.map(({ account }) => account));
  const rule = 'callbacks';
  const found: Violation[] = heard
    .filter(({ signed }) => !signed)
    .map((line) => ({ rule, what: `event ${line.id} is not signed as it should be`, lines: [line] }));

  for (const [id, same] of by(heard, (line) => line.id))
    if (new Set(same.map(({ digest }) => digest)).size > 1)
      found.push({ rule, what: `event ${id} came with different words`, lines: same });
  const bySubject = by(heard, subjectOf);
  for (const [subject, events] of bySubject) {
    for (const [seq, same] of by(events, (line) => String(line.seq)))
      if (new Set(same.map(({ id }) => id)).size > 1)
        found.push({ rule, what: `event ${seq} of ${subject} came under several ids`, lines: same });
    found.push(...rowOf(subject, events.filter(arrived)));
  }
  for (const record of only(lines, 'record')) {
    const { account, status, id } = record;
    if (!listening.has(account) || !wantsFinal(record)) continue;
    const finals = (bySubject.get(subjectOf({ account, subject: id })) ?? []).filter(
      (line) => line.final && arrived(line),
    );
    if (finals.length === 0)
      found.push({ rule, what: `the end of ${id} (${status}) was never called back`, lines: [record] });
  }
  return found;
};

const subjectOf = ({ account, subject }: { account: number; subject: string }): string =>
  `${subject} of account ${account}`;

/** Of a message whose fate is not known yet, nothing final can be said. */
const wantsFinal = ({ work, status }: Of<'record'>): boolean =>
  work === 'call' ? status !== '' : ['delivered', 'read', 'failed', 'undelivered'].includes(status);

/** A row from 1 on without gaps, in which one event is final. */
const rowOf = (subject: string, events: Of<'calledBack'>[]): Violation[] => {
  const rule = 'callbacks';
  const numbers = [...new Set(events.map(({ seq }) => seq))].toSorted((a, b) => a - b);
  const found: Violation[] = [];
  const gap = numbers.find((seq, index) => seq !== index + 1);
  if (gap !== undefined)
    found.push({ rule, what: `events of ${subject} have a gap before ${gap}`, lines: events });
  if (new Set(events.filter(({ final }) => final).map(({ id }) => id)).size > 1)
    found.push({ rule, what: `${subject} had several last words`, lines: events });
  return found;
};
