/** The accounts: customers with good carriers, an innocent, and a neighbour whose own are broken now and then. */
import { gatewaySettings } from '../actors/gateway.ts';
import { routes } from '../faults/neighbours.ts';
import type { Account, Admin } from '../world/admin.ts';

export interface FarEnds {
  /** Where an account's callbacks go. */
  callbackUrl(account: Account): string;
  smscPort: number;
  gatewayPort: number;
  oddSmscPort: number;
}

export interface Accounts {
  shop: Account;
  innocent: Account;
  neighbour: Account;
  /** Runs campaigns. */
  caller: Account;
  /** `app_id` of the shop's chat line. */
  line: number;
}

/** As the number stands in international format after `MakeSMS` has read it. */
const prefix = (digit: string): string => `551198${digit}`;

export const makeAccounts = async (
  admin: Admin,
  far: FarEnds,
  secrets: Map<string, string>,
): Promise<Accounts> => {
  const open = async (name: string): Promise<Account> => {
    const account = await admin.account(name);
    secrets.set(account.token, `the token of ${name}`);
    secrets.set(account.webhookSecret, `the webhook secret of ${name}`);
    const path = `/accounts/${account.id}/sms-routes`;
    const { sms_routes } = await admin.insist<{ sms_routes: { route_id: number }[] }>('GET', path);
    for (const { route_id } of sms_routes) await admin.request('DELETE', `${path}/${route_id}`);
    await smpp(account, far.smscPort, { system_id: name });
    return account;
  };
  const route = (account: Account, body: object): Promise<object> =>
    admin.insist('POST', `/accounts/${account.id}/sms-routes`, body);
  const smpp = (account: Account, port: number, more: object, at = ''): Promise<object> => {
    const settings = { host: '127.0.0.1', port, from: 'RAMAL', enquire_ms: 2_000, ...more };
    const password = `Smpp0${account.name.slice(0, 3)}`;
    secrets.set(password, `the SMPP password of ${account.name}`);
    return route(account, { name: `smsc ${at}`, kind: 'smpp', prefix: at, settings, secret: { password } });
  };
  const http = (account: Account, host: string, place: string, at: string): Promise<object> => {
    const settings = gatewaySettings(host, far.gatewayPort, place);
    return route(account, { name: `gateway ${at}`, kind: 'http', prefix: at, settings });
  };
  const calledBack = (account: Account): Promise<object> =>
    admin.insist('PATCH', `/accounts/${account.id}`, {
      callback_url: far.callbackUrl(account),
      callback_events: 'all',
    });

  const shop = await open('shop');
  await http(shop, '127.0.0.1', 'good', prefix('0'));
  await calledBack(shop);
  const innocent = await open('innocent');
  await calledBack(innocent);
  const neighbour = await open('neighbour');
  await http(neighbour, '127.0.0.1', 'odd', prefix(routes.oddGateway));
  const odd = { system_id: 'odd', receipts: false, answer_ms: 4_000, slow_ms: 1_000 };
  await smpp(neighbour, far.oddSmscPort, odd, prefix(routes.oddSmsc));
  await http(neighbour, 'gateway.silent.test', 'good', prefix(routes.silentGateway));
  const caller = await open('caller');
  await admin.insist('PATCH', `/accounts/${caller.id}`, { callback_url: far.callbackUrl(caller) });
  return { shop, innocent, neighbour, caller, line: await chatLine(admin, shop) };
};

const chatLine = async (admin: Admin, { id }: Account): Promise<number> => {
  const { v8l_id } = await admin.insist<{ v8l_id: number }>('POST', `/accounts/${id}/lines`, {
    ...{ v8l_class: 'msgapp', v8l_wa_provider: 'cloud', v8l_wa_app_name: '100000000000001' },
    ...{ v8l_wa_api_key: 'OutsideLineKey0000000000000key', v8l_wa_number: '5511900000000' },
    v8l_wa_business_id: '100000000000002',
  });
  return v8l_id;
};
