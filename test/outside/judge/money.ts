/**
 * Money is exact, in ten-thousandths: each message is charged once, at its price; what surely was not sent is given back
 * once; and the balance is the sum of the ledger.
 */
import { by, type Evidence, type Of, only } from '../evidence.ts';
import type { Rule, Violation } from './violation.ts';

const rule = 'money';

export const moneyIsExact: Rule = (lines) => {
  const entries = by(only(lines, 'entry'), ({ account }) => String(account));
  const records = by(
    only(lines, 'record').filter(({ work }) => work !== 'call'),
    ({ account }) => String(account),
  );
  const submissions = by(only(lines, 'submitted'), ({ tag }) => tag);
  return only(lines, 'balance').flatMap((balance) => {
    const own = entries.get(String(balance.account)) ?? [];
    const messages = records.get(String(balance.account)) ?? [];
    const moved = by(own, ({ message }) => message);
    const sum = own.reduce((total, { units }) => total + units, 0);
    const found: Violation[] = [];
    if (sum !== balance.units) {
      const what = `account ${balance.account} holds ${balance.units}, and its ledger comes to ${sum}`;
      found.push({ rule, what, lines: [balance] });
    }
    for (const record of messages)
      found.push(
        ...charged(
          record,
          balance.prices[record.work === 'chat' ? 'chat' : 'sms'],
          moved.get(record.id) ?? [],
          submissions.get(record.tag) ?? [],
        ),
      );
    const known = new Set(messages.map(({ id }) => id));
    const strange = own.filter(({ message }) => message !== '' && !known.has(message));
    for (const entry of strange)
      found.push({
        rule,
        what: `an entry names message ${entry.message}, which is in no record`,
        lines: [entry],
      });
    return found;
  });
};

const charged = (
  record: Of<'record'>,
  price: number,
  moved: readonly Of<'entry'>[],
  submissions: readonly Of<'submitted'>[],
): Violation[] => {
  const evidence: Evidence[] = [record, ...moved, ...submissions];
  const found: Violation[] = [];
  const add = (what: string): void =>
    void found.push({ rule, what: `message ${record.tag} ${what}`, lines: evidence });
  const charges = moved.filter(({ entry }) => entry === 'charge');
  const refunds = moved.filter(({ entry }) => entry === 'refund');
  if (charges.length !== 1) add(`was charged ${charges.length} times`);
  if (charges.some(({ units }) => units !== -price)) add(`was not charged at its price of ${price}`);
  if (refunds.length > 1) add(`was given back ${refunds.length} times`);
  if (refunds.some(({ units }) => units !== price)) add('was given back at another price');
  const failed = ['failed', 'undelivered'].includes(record.status);
  if (failed !== refunds.length > 0) add(`is "${record.status}" and was given back ${refunds.length} times`);
  // What the far end saw decides, not what the record says of it.
  const refused = submissions.length > 0 && submissions.every(({ result }) => result === 'refused');
  // A node that was killed with the refusal in its ears does not know of it, and says so.
  if (refused && !['failed', 'unknown'].includes(record.status))
    add(`was refused by its carrier and is "${record.status}"`);
  const taken = submissions.some(({ result }) => result !== 'refused');
  if (taken && record.status === 'failed') add('was taken by its carrier and is "failed"');
  return found;
};
