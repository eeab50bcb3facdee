/** After the last fault: waits until nothing is under way any more, and then writes down what the service says of it all. */
import { type Ledger, only } from '../evidence.ts';
import type { Account, Admin } from '../world/admin.ts';
import { jsonOf, postJson } from '../world/ask.ts';
import { pause } from '../world/ports.ts';

export interface SettleOptions {
  admin: Admin;
  accounts: readonly Account[];
  /** A node that is up. */
  url(): string;
  ledger: Ledger;
  /** What else must be over; a sentence for what is not. */
  others(): string[];
}

interface Call {
  cd_id: string;
  ctid: string;
  cd_status: string;
}

interface Message {
  cdls_id: number;
  ctid: string;
  channel: string;
  status: string;
  refunded: boolean;
}

interface Entry {
  entry: string;
  amount: number;
  cdls_id: number | null;
}

interface Delivery {
  delivery_id: string;
  state: string;
}

const lookEveryMs = 3_000;
/** States of a message of which more is to be heard; of the last only where its carrier brings receipts. */
const underway = ['accepted', 'submitted', 'acknowledged'];
/** States of a delivery that waits for a later try, or for somebody. */
const waiting = ['retrying', 'deferred', 'deadLetter'];
const busy = ['pending', 'attempting', ...waiting];

/** What is still under way after `withinMs`, a sentence each; none: all is at rest. */
export const comeToRest = async (options: SettleOptions, withinMs: number): Promise<string[]> => {
  const { ledger } = options;
  for (const end = ledger.now() + withinMs; ;) {
    const restless = [...options.others(), ...(await stillMoving(options))];
    if (restless.length === 0 || ledger.now() > end) return restless;
    await pause(lookEveryMs);
  }
};

const stillMoving = async (options: SettleOptions): Promise<string[]> => {
  const { admin, accounts } = options;
  const found: string[] = [];
  const withReceipt = new Set(
    only(options.ledger.lines, 'submitted').flatMap(({ receipts, tag }) => (receipts ? [tag] : [])),
  );
  for (const account of accounts) {
    const calls = (await callsOf(options, account)).filter(({ cd_status }) => cd_status === '').length;
    if (calls > 0) found.push(`${calls} calls of ${account.name} go on`);
    for (const status of underway) {
      const path = `/accounts/${account.id}/messages?status=${status}&limit=500`;
      const messages = await admin.all<Message>(path, 'messages');
      const { length } = messages.filter(({ ctid }) => status !== 'acknowledged' || withReceipt.has(ctid));
      if (length > 0) found.push(`${length} messages of ${account.name} are ${status}`);
    }
    for (const state of busy) {
      const path = `/accounts/${account.id}/deliveries?state=${state}`;
      const deliveries = await admin.all<Delivery>(path, 'deliveries');
      if (deliveries.length > 0)
        found.push(`${deliveries.length} deliveries of ${account.name} are ${state}`);
      // The schedule has tries that are hours apart; an operator who is in a hurry asks for the next one.
      if (waiting.includes(state))
        for (const { delivery_id } of deliveries)
          await admin.request('POST', `/machines/${delivery_id}/events`, { type: 'retryNow' });
    }
  }
  return found;
};

const callsOf = async ({ url }: SettleOptions, account: Account): Promise<Call[]> => {
  const found: Call[] = [];
  for (let last = 0; ;) {
    const body = { tsid: account.token, maxreg: 1_000, ...(last > 0 && { last_id: last }) };
    const answer = await postJson(`${url()}/api/v2/GetCallStatus.php`, body, { timeoutMs: 30_000 });
    if (answer.status !== 200) {
      await pause(1_000);
      continue;
    }
    const { calls = [], return: said } = jsonOf<Page>(answer.text);
    found.push(...calls);
    if (!said?.pagination.has_more) return found;
    last = said.pagination.next_id;
  }
};

interface Page {
  return: { pagination: { has_more: boolean; next_id: number } };
  calls: Call[];
}

/** The records, the ledgers and the balances, as evidence. */
export const writeDown = async (options: SettleOptions): Promise<void> => {
  const { admin, accounts, ledger } = options;
  for (const account of accounts) {
    const of = { kind: 'record', account: account.id } as const;
    for (const { cd_id: id, ctid: tag, cd_status: status } of await callsOf(options, account))
      ledger.add({ ...of, work: 'call', id, tag, status, refunded: false });
    const messages = await admin.all<Message>(`/accounts/${account.id}/messages?limit=500`, 'messages');
    for (const { cdls_id, ctid: tag, channel, status, refunded } of messages)
      ledger.add({
        ...of,
        work: channel === 'sms' ? 'sms' : 'chat',
        id: String(cdls_id),
        tag,
        status,
        refunded,
      });
    const path = `/accounts/${account.id}/credits`;
    for (const { entry, amount, cdls_id } of await admin.all<Entry>(path, 'credits')) {
      const message = cdls_id === null ? '' : String(cdls_id);
      ledger.add({ kind: 'entry', account: account.id, entry, units: unitsOf(amount), message });
    }
    const { balance } = await admin.insist<{ balance: number }>('GET', path);
    ledger.add({ kind: 'balance', account: account.id, units: unitsOf(balance), prices: account.prices });
  }
};

/** Ten-thousandths, exactly: amounts have four decimals at the most. */
const unitsOf = (amount: number): number => Math.round(amount * 10_000);

/** The stories of messages of which it is not known what became of them, for people: a line each. */
export const storiesOfUnknown = async ({ admin, ledger }: SettleOptions): Promise<string[]> => {
  const unknown = only(ledger.lines, 'record').filter(({ status }) => status === 'unknown');
  const stories: string[] = [];
  for (const { id, tag } of unknown.slice(0, 40))
    stories.push(`${tag} ${(await admin.request('GET', `/machines/a_${id}`)).text}`);
  return stories;
};
