/** Hooks put together: whose a line is, over all shards, and the one way in for the door and the sandbox upstream. */
import type { Middleware } from 'koa';
import type { Pool } from 'pg';
import type { BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import { clientAddress } from '../access/clientAddress.ts';
import type { Engine } from '../engine/contract/api.ts';
import { hookDoor } from '../hooks/door.ts';
import { hookReceiver, type ReceiveHook } from '../hooks/receive.ts';
import type { HookScope } from '../hooks/scope.ts';
import { type SmsHookScope, smsHookReceiver } from '../hooks/sms.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Limits } from '../providers/limits.ts';
import { failed } from '../rest/failed.ts';
import { cacheFor } from '../rules/cacheFor.ts';
import type { Control } from '../store/control.ts';
import { accountOfLine, accountOfRoute, lineByIdentity } from '../store/reads/hooks.ts';
import { poolOf } from './repositories.ts';
import type { Databases } from './databases.ts';
import type { Providers } from './providers.ts';

export interface HookNeeds {
  databases: Databases;
  control: Control;
  engine: Pick<Engine, 'send' | 'start' | 'waitFor' | 'now' | 'isOpen'>;
  providers: Pick<Providers, 'chat' | 'sms'>;
  limits: Limits;
  bodies: BodyMemoryBudget;
  trustedProxies: readonly string[];
  metrics: Metrics;
  log: Log;
}

export interface Hooks {
  /** For an upstream in this process. */
  receive: ReceiveHook;
  /** For all others, by HTTP. */
  door: Middleware;
}

export const openHooks = (needs: HookNeeds): Hooks => {
  const scope = scopeOf(needs);
  const receive = hookReceiver(scope);
  const { metrics, limits, bodies, trustedProxies } = needs;
  return {
    receive,
    door: hookDoor({
      scope,
      bodies,
      limits,
      addressOf: (ctx) => clientAddress(ctx.req, trustedProxies),
      receive,
      receiveSms: smsHookReceiver(smsScopeOf(needs)),
      observe: (...answered) => metrics.request(...answered),
    }),
  };
};

/** How long it is believed whose a line is, or that there is none, milliseconds. */
const believedForMs = 5_000;

const scopeOf = ({ databases, control, engine, providers, log }: HookNeeds): HookScope => {
  const { line } = providers.chat;
  const ownerOf = owners(databases, accountOfLine);
  return {
    engine,
    database: (shard) => poolOf(databases, shard),
    findLine: async (id) => {
      const owner = await ownerOf(id);
      return owner && line(owner, id);
    },
    sibling: async ({ shard, account, class: channel }, identity) => {
      const id = await lineByIdentity(poolOf(databases, shard), { account, channel, identity });
      return id === undefined ? undefined : line({ shard, account }, id);
    },
    callbackUrl: async (account) => (await control.account(account))?.callback_url ?? '',
    failed: (error) => failed(error, log),
    log,
  };
};

const smsScopeOf = ({ databases, providers: { sms }, log }: HookNeeds): SmsHookScope => {
  const ownerOf = owners(databases, accountOfRoute);
  return {
    findRoute: async (id) => {
      const owner = await ownerOf(id);
      return owner && sms.route(owner, id);
    },
    take: sms.take,
    now: Date.now,
    failed: (error) => failed(error, log),
  };
};

type AccountOf = (pool: Pool, id: number) => Promise<number | undefined>;

/** Whose something is, by its id alone. */
const owners = (databases: Databases, accountOf: AccountOf) =>
  cacheFor((id: number) => findOwner(databases, accountOf, id), {
    keyOf: (id) => id,
    now: Date.now,
    forMs: believedForMs,
  });

/** Ids of lines, and of routes, come from one counter, so one shard at most has it. Throws when that may be away. */
const findOwner = async (
  databases: Databases,
  accountOf: AccountOf,
  id: number,
): Promise<{ shard: string; account: number } | undefined> => {
  const asked = await Promise.allSettled(
    [...databases.shards].map(async ([shard, { pool }]) => {
      const account = await accountOf(pool, id);
      return account === undefined ? undefined : { shard, account };
    }),
  );
  for (const one of asked) if (one.status === 'fulfilled' && one.value) return one.value;
  for (const one of asked) if (one.status === 'rejected') throw one.reason;
  return undefined;
};
