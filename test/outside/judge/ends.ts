/** Everything that was acknowledged has exactly one end, and a wish that was made several times is one piece of work. */
import { by, type Evidence, type Of, only } from '../evidence.ts';
import { type Rule, troublesAt, troublesOf, type Violation } from './violation.ts';

const ended = {
  call: ['OK', 'BUSY', 'NOANSWER', 'CANCEL', 'CONGESTION', 'CHANUNAVAIL'],
  message: ['delivered', 'read', 'undelivered', 'failed', 'unknown'],
};

export const everythingEndsOnce: Rule = (lines) => {
  const records = by(only(lines, 'record'), ({ work, id }) => keyOf(work, id));
  const promises = by(only(lines, 'acknowledged'), ({ work, tag }) => `${work} ${tag}`);
  const submissions = by(only(lines, 'submitted'), ({ tag }) => tag);
  const found: Violation[] = [];
  const add = (what: string, evidence: Evidence[]): void =>
    void found.push({ rule: 'one end', what, lines: evidence });

  for (const [wish, granted] of promises) {
    const ids = [...new Set(granted.map(({ id }) => id))];
    if (ids.length > 1) add(`${wish} was granted under ${ids.length} ids: ${ids.join(', ')}`, granted);
    const [{ work, tag }] = granted as [Of<'acknowledged'>];
    for (const id of ids) {
      const own = records.get(keyOf(work, id)) ?? [];
      if (own.length === 0) add(`${wish} was acknowledged as ${id} and is not in the records`, granted);
      else if (own.length > 1) add(`${wish} is in the records ${own.length} times`, [...granted, ...own]);
      else if (!isEnd(own[0]!, submissions.get(tag) ?? []))
        add(`${wish} (${id}) came to no end: its status is "${own[0]!.status}"`, [...granted, ...own]);
    }
  }
  for (const [wish, made] of by(only(lines, 'record'), ({ work, tag }) => `${work} ${tag}`))
    if (made.length > 1 && made[0]!.tag !== '')
      add(`${wish} was asked for once and became ${made.length}`, made);
  return found;
};

const keyOf = (work: string, id: string): string => `${work === 'call' ? 'call' : 'message'} ${id}`;

/** Where no receipt will come, taken is the last that is ever known. */
const isEnd = ({ work, status }: Of<'record'>, submissions: readonly Of<'submitted'>[]): boolean => {
  if (work === 'call') return ended.call.includes(status);
  if (ended.message.includes(status)) return true;
  return status === 'acknowledged' && submissions.some(({ receipts }) => !receipts);
};

/** A receipt that the service confirmed is in the record. */
export const receiptsCount: Rule = (lines) => {
  const records = by(only(lines, 'record'), ({ tag }) => tag);
  return only(lines, 'receipted').flatMap((receipt) => {
    const wanted = receipt.delivered ? ['delivered', 'read'] : ['undelivered', 'failed'];
    const wrong = (records.get(receipt.tag) ?? []).filter(({ status }) => !wanted.includes(status));
    return wrong.map((record) => ({
      rule: 'receipts',
      what: `a receipt of ${receipt.tag} was confirmed, and its status is "${record.status}"`,
      lines: [receipt, record],
    }));
  });
};

/** After a fault of the service it may be unknown for so long what becomes of a message that was asked for before, milliseconds. */
const lingersMs = 90_000;

/** What becomes of a message is known, but where something broke in the middle of it. */
export const unknownForAReason: Rule = (lines, bounds) => {
  const troubles = troublesOf(lines, bounds);
  const asked = new Map(only(lines, 'asked').map(({ tag, at }) => [tag, at]));
  const odd = new Set(
    only(lines, 'submitted').flatMap(({ tag, result }) => (result === 'silent' ? [tag] : [])),
  );
  return only(lines, 'record')
    .filter(({ status, tag }) => status === 'unknown' && asked.has(tag) && !odd.has(tag))
    .filter(({ tag }) => troublesAt(troubles, asked.get(tag)! + lingersMs, lingersMs).length === 0)
    .map((record) => ({
      rule: 'unknown for a reason',
      what: `what became of ${record.tag} is unknown, and nothing was wrong`,
      lines: [record],
    }));
};
