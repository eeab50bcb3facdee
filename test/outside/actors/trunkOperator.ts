/** An operator who connects Asterisks and their trunks by the administration, and changes the routes now and then. */
import type { Dice } from '../dice.ts';
import type { Ledger } from '../evidence.ts';
import type { TrunkAsked } from '../trunkEvidence.ts';
import type { Admin } from '../world/admin.ts';
import type { Asterisk } from '../world/asterisks.ts';
import { pause } from '../world/ports.ts';

/** What each trunk bears: little enough that campaigns reach it. */
const bears = [
  { calls_per_second: 5, legs: 14 },
  { calls_per_second: 4, legs: 12 },
] as const;
const prices = [
  [{ per_minute: '0.02' }, { prefix: '5511985', per_minute: '0.06' }],
  [{ per_minute: '0.04' }, { prefix: '5511985', per_minute: '0.03' }],
] as const;

/** The first is that of the settings; the others are told of in requests. Settles when all nodes have heard of them. */
export const connectTrunks = async (
  admin: Admin,
  asterisks: readonly Asterisk[],
  ledger: Ledger,
): Promise<string[]> => {
  const trunks: string[] = [];
  for (const [nth, asterisk] of asterisks.entries()) {
    const body = { ...bears[nth]!, prices: prices[nth]! };
    const made = nth === 0 ? await first(admin, body) : await another(admin, asterisk, body);
    const { trunk_servers } = await admin.insist<Servers>('GET', '/trunk-servers');
    asterisk.serverId = trunk_servers.find(({ name }) => name === made.server)!.server_id;
    const asked: TrunkAsked = {
      ...{ trunk: made.name, asterisk: asterisk.name, failover: made.failover },
      ...{ callsPerSecond: bears[nth]!.calls_per_second, legs: bears[nth]!.legs },
    };
    ledger.add({ kind: 'trunk', ...asked });
    trunks.push(made.name);
  }
  await pause(heardMs);
  return trunks;
};

/** Other nodes read the table every two seconds; shares take some more to become level. */
const heardMs = 10_000;

interface Trunk {
  trunk_id: number;
  name: string;
  server: string;
  failover: number[];
}
interface Servers {
  trunk_servers: { server_id: number; name: string }[];
}

const first = async (admin: Admin, body: object): Promise<Trunk> => {
  const { trunks } = await admin.insist<{ trunks: Trunk[] }>('GET', '/trunks');
  return admin.insist<Trunk>('PATCH', `/trunks/${trunks[0]!.trunk_id}`, body);
};

const another = async (admin: Admin, { name, login }: Asterisk, body: object): Promise<Trunk> => {
  const server = `asterisk-${name}`;
  const { url, user: username, password } = login;
  await admin.insist('POST', '/trunk-servers', { name: server, url, username, password });
  const dial = { name: `carrier-${name}`, server, dial_pattern: 'PJSIP/{number}@carrier' };
  return admin.insist<Trunk>('POST', '/trunks', { ...dial, ...body });
};

/** So long a route stands, milliseconds: from, to. */
const routeLasts = [15_000, 30_000] as const;

/** By price, by share and in a fixed order, again and again, until it is stopped. */
export const startRouting = (
  admin: Admin,
  trunks: readonly string[],
  dice: Dice,
  ledger: Ledger,
): { stop(): Promise<void> } => {
  let over = false;
  const set = async (path: string, order: string, those: readonly object[]): Promise<string> => {
    const method = path.endsWith('routes') ? 'POST' : 'PATCH';
    const { route_id } = await admin.insist<{ route_id: number }>(method, path, { order, trunks: those });
    ledger.add({ kind: 'routed', order, trunks: those.map((one) => (one as { trunk: string }).trunk) });
    return `/trunk-routes/${route_id}`;
  };
  const running = (async () => {
    let path = '/trunk-routes';
    while (!over) {
      for (const order of dice.shuffle(['leastCost', 'share', 'fixed', 'fixed'])) {
        if (over) return;
        path = await set(path, order, those(order, dice.shuffle(trunks)));
        const end = ledger.now() + dice.between(...routeLasts);
        while (!over && ledger.now() < end) await pause(200);
      }
    }
  })();
  running.catch(() => {});
  return {
    stop: () => {
      over = true;
      return running;
    },
  };
};

const those = (order: string, trunks: readonly string[]): object[] =>
  trunks.map((trunk) => (order === 'share' ? { trunk, share: 100 / trunks.length } : { trunk }));
