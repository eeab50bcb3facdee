/** Hooks put together: whose a line is, over all shards, and the one way in for the door and the sandbox upstream. */
import type { Middleware } from 'koa';
import type { Engine } from '../engine/verbs.ts';
import { hookDoor } from '../hooks/door.ts';
import { hookReceiver, type ReceiveHook } from '../hooks/receive.ts';
import type { HookScope } from '../hooks/scope.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { FindLine } from '../providers/chat.ts';
import { failed } from '../rest/failed.ts';
import { remember } from '../rules/remember.ts';
import type { Control } from '../store/control.ts';
import { accountOfLine, lineByIdentity } from '../store/reads/hooks.ts';
import { poolOf } from './books.ts';
import type { Databases } from './databases.ts';

export interface HookNeeds {
  databases: Databases;
  control: Control;
  engine: Pick<Engine, 'send' | 'start' | 'waitFor' | 'now'>;
  line: FindLine;
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
  const { metrics } = needs;
  return {
    receive,
    door: hookDoor({ scope, receive, observe: (...answered) => metrics.request(...answered) }),
  };
};

/** How long it is believed whose a line is, or that there is none, milliseconds. */
const believedForMs = 5_000;

const scopeOf = ({ databases, control, engine, line, log }: HookNeeds): HookScope => {
  const ownerOf = remember((id: number) => findOwner(databases, id), {
    keyOf: (id) => id,
    now: Date.now,
    forMs: believedForMs,
  });
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

/** Ids of lines come from one counter, so one shard at most has it. Throws when one that may have it is away. */
const findOwner = async (
  databases: Databases,
  id: number,
): Promise<{ shard: string; account: number } | undefined> => {
  const asked = await Promise.allSettled(
    [...databases.shards].map(async ([shard, { pool }]) => {
      const account = await accountOfLine(pool, id);
      return account === undefined ? undefined : { shard, account };
    }),
  );
  for (const one of asked) if (one.status === 'fulfilled' && one.value) return one.value;
  for (const one of asked) if (one.status === 'rejected') throw one.reason;
  return undefined;
};
