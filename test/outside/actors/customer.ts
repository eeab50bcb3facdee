/**
 * Customers who want calls placed and messages sent, and insist: a request that got no answer, or "not now", is made
 * again with the same Idempotency-Key until it is granted or refused. So each wish must come to exactly one thing.
 */
import { Agent } from 'node:http';
import type { Dice } from '../dice.ts';
import type { Ledger, Work } from '../evidence.ts';
import type { Account } from '../world/admin.ts';
import { type Answer, jsonOf, postJson } from '../world/ask.ts';
import { pause } from '../world/ports.ts';

export interface Customers {
  /** A wish beside those that they have themselves, e.g. one that meets a fault. */
  wish(account: Account, work: Work, tag: string, body: object): Promise<void>;
  /** No new wishes; settles when those that were made are granted or refused, or `withinMs` later. */
  finish(withinMs: number): Promise<void>;
}

export interface CustomersOptions {
  account: Account;
  /** What is wished for next. */
  wish(dice: Dice, tag: string): Wished;
  /** A node, as a balancer would choose it. */
  url(): { name: string; url: string } | undefined;
  dice: Dice;
  ledger: Ledger;
  /** Wishes a second, of all of them together. */
  perSecond: number;
}

/** A request for work, but for what names it. */
export interface Wished {
  work: Work;
  body: object;
}

export interface Envelope {
  return: { status?: string; status_code?: string | number; cd_id?: string; cdls_id?: string | number };
}

const operations: Record<Work, string> = { call: 'MakeTTSCall', sms: 'MakeSMS', chat: 'MakeMsgapp' };
const againMs = 1_000;
/** Of calls: answered, busy, silent, away, a machine, keys pressed, slow to answer. */
const callEndings = ['00', '00', '01', '02', '03', '04', '05', '06', '07', '11', '15'] as const;
/** Of messages: delivered, undelivered, refused. */
const smsEndings = ['00', '00', '00', '00', '00', '08', '09'] as const;

let wishes = 0;
/** A name that nothing else has: it stands in the text, and the far end finds it there. */
export const newTag = (): string => `w${(wishes += 1)}`;

/** A number without its ending. */
export const aNumber = (dice: Dice): string => `1198${String(dice.between(0, 99_999)).padStart(5, '0')}`;

/** Calls, SMS, and chat messages by the line with this `app_id`. */
export const anyWish =
  (line: number): CustomersOptions['wish'] =>
  (dice, tag) => {
    const number = aNumber(dice);
    const work = dice.pick(['call', 'call', 'call', 'sms', 'sms', 'sms', 'chat'] as const);
    const bodies = {
      call: () => ({
        dest: number + dice.pick(callEndings),
        text: `Wish ${dice.between(0, 9)}`,
        ringtime: 20,
      }),
      sms: () => ({ dest: number + dice.pick(smsEndings), message: `Your order ${tag} is here` }),
      chat: () => ({ dest: `55${number}00`, app_id: line, mdata: `Your order ${tag} is here` }),
    };
    return { work, body: bodies[work]() };
  };

export const startCustomers = (options: CustomersOptions): Customers => {
  const { account: shop, url, dice, ledger, perSecond } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const open = new Set<string>();
  let over = false;
  let late = false;

  const insist = async (account: Account, work: Work, tag: string, body: object): Promise<void> => {
    open.add(tag);
    ledger.add({ kind: 'asked', work, account: account.id, tag });
    for (let settled = false; !settled && !late;) {
      const node = url();
      if (node) {
        const answer = await postJson(
          `${node.url}/api/v2/${operations[work]}.php`,
          { tsid: account.token, ...body },
          { agent, headers: { 'Idempotency-Key': `key-of-${tag}` } },
        );
        settled = take(account, work, tag, node.name, answer);
      }
      if (!settled) await pause(againMs);
    }
    open.delete(tag);
  };

  /** Whether that was the last word. */
  const take = (account: Account, work: Work, tag: string, node: string, answer: Answer): boolean => {
    const { return: said = {} } = jsonOf<Envelope>(answer.text);
    const code = String(said.status_code ?? '');
    const { status: http, ms } = answer;
    const words = (answer.failed || (said.status ?? answer.text)).slice(0, 200);
    const about = { door: operations[work], tag, node, http, code, ms, said: words };
    ledger.add({ kind: 'answered', by: `customer ${account.name}`, ...about });
    const id = said.cd_id ?? String(said.cdls_id ?? '');
    const wish = { work, account: account.id, tag };
    if (http === 200) ledger.add({ kind: 'acknowledged', ...wish, id });
    else if (http >= 400 && http < 500 && http !== 429 && http !== 408)
      ledger.add({ kind: 'refused', ...wish, code, id });
    else return false;
    return true;
  };

  const one = (): void => {
    const tag = newTag();
    const { work, body } = options.wish(dice, tag);
    void insist(shop, work, tag, { ...body, ctid: tag, httpdup: 0 });
  };
  const wishing = (async () => {
    while (!over) {
      one();
      await pause((2_000 * dice.next()) / perSecond);
    }
  })();
  return {
    wish: insist,
    finish: async (withinMs) => {
      over = true;
      await wishing;
      for (const end = ledger.now() + withinMs; open.size > 0 && ledger.now() < end;) await pause(100);
      late = true;
      agent.destroy();
    },
  };
};
