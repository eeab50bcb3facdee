/** What an operator does over the administration: accounts to play with, and what the service says of them at the end. */
import type { Prices } from '../evidence.ts';
import { ask, type Answer, jsonOf, postJson } from './ask.ts';
import { pause } from './ports.ts';

export interface Account {
  id: number;
  name: string;
  token: string;
  prices: Prices;
  webhookSecret: string;
}

export interface Admin {
  request(method: string, path: string, body?: object): Promise<Answer>;
  /** As `request`, again and again until it is answered well; throws what was said when it never is. */
  insist<T extends object>(method: string, path: string, body?: object): Promise<T>;
  /** An account with a token and money. */
  account(name: string, more?: object): Promise<Account>;
  /** Every page of a list, oldest last. `list`: the key it stands under. */
  all<T extends object>(path: string, list: string): Promise<T[]>;
}

/** A new account's tariff of SMS for every number; of chat messages as we set it. */
const prices: Prices = { sms: 800, chat: 500 };
const balance = '100000';

/** `url`: of a node that is up. */
export const adminOf = (url: () => string, token: string): Admin => {
  const headers = { Authorization: `Bearer ${token}` };
  const request = (method: string, path: string, body?: object): Promise<Answer> => {
    const address = `${url()}/admin/api${path}`;
    const timeoutMs = 30_000;
    if (!body) return ask(address, { method, headers, timeoutMs, mostBytes: 50_000_000 });
    return postJson(address, body, { method, headers, timeoutMs });
  };
  const insist = async <T extends object>(method: string, path: string, body?: object): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await request(method, path, body);
      if (answer.status >= 200 && answer.status < 300) return jsonOf<T>(answer.text) as T;
      if (tries === 20) throw new Error(`${method} ${path}: ${answer.status} ${answer.failed}${answer.text}`);
      await pause(1_000);
    }
  };
  return {
    request,
    insist,
    account: async (name, more = {}) => {
      const { cdcs_id: id, webhook_secret } = await insist<{ cdcs_id: number; webhook_secret: string }>(
        'POST',
        '/accounts',
        { name, balance, sms_night_cap: 1_000_000, price_1: '0.05', price_2: '0.05', ...more },
      );
      const apis = { telephony: true, sms: true, msgapp: true, pagechat: true, photodm: true };
      const { token: secret } = await insist<{ token: string }>('POST', `/accounts/${id}/tokens`, {
        label: name,
        permissions: { enabled: true, apis },
        requests_per_second: 1_000,
      });
      return { id, name, token: secret, prices, webhookSecret: webhook_secret };
    },
    all: async <T extends object>(path: string, list: string) => {
      const found: T[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const sign = path.includes('?') ? '&' : '?';
        const page: Page = await insist('GET', cursor === '' ? path : `${path}${sign}cursor=${cursor}`);
        found.push(...(page[list] as T[]));
        cursor = (page['cursor'] as string | null | undefined) ?? null;
      }
      return found;
    },
  };
};

type Page = Record<string, unknown>;
