/**
 * Wires hooks together: finds the line of a hook over all shards, and gives the endpoint and the sandbox upstream one
 * receiver.
 */
import type { Middleware } from 'koa';
import type { BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import { clientAddress } from '../access/clientAddress.ts';
import type { Engine } from '../engine/contract/api.ts';
import { hookEndpoint } from '../hooks/endpoint.ts';
import { hookReceiver, type ReceiveHook } from '../hooks/receive.ts';
import type { HookScope } from '../hooks/scope.ts';
import { type SmsHookScope, smsHookReceiver } from '../hooks/sms.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Limits } from '../providers/requestLimits.ts';
import { failed } from '../rest/serverErrors.ts';
import type { Control } from '../store/control.ts';
import { accountOfLine, accountOfRoute, lineByIdentity } from '../store/reads/chat/hooks.ts';
import type { Databases } from './databases.ts';
import type { Providers } from './providers.ts';
import { poolOf } from '../store/pools.ts';
import { ownersBy } from '../store/repositories/owners.ts';

export interface HookDeps {
  databases: Databases;
  control: Control;
  engine: Pick<Engine, 'send' | 'start' | 'waitFor' | 'now' | 'standsOpen'>;
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
  endpoint: Middleware;
}

export const openHooks = (needs: HookDeps): Hooks => {
  const scope = scopeOf(needs);
  const receive = hookReceiver(scope);
  const { metrics, limits, bodies, trustedProxies } = needs;
  return {
    receive,
    endpoint: hookEndpoint({
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

const scopeOf = ({ databases, control, engine, providers, log }: HookDeps): HookScope => {
  const { line } = providers.chat;
  const ownerOf = ownersBy(databases, accountOfLine);
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

const smsScopeOf = ({ databases, providers: { sms }, log }: HookDeps): SmsHookScope => {
  const ownerOf = ownersBy(databases, accountOfRoute);
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
