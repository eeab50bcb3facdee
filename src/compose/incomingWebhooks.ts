/**
 * Wires hooks together: finds the line of a hook over all shards, and gives the endpoint and the sandbox upstream one
 * receiver.
 */
import type { Middleware } from 'koa';
import type { BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import { clientAddress } from '../access/clientAddress.ts';
import type { MachineEngine } from '../engine/contract/api.ts';
import { hookEndpoint } from '../hooks/endpoint.ts';
import { chatHookReceiver, type ReceiveHook } from '../hooks/receiveChatWebhook.ts';
import { openAcknowledgementWaits } from '../hooks/acknowledgementWaits.ts';
import type { ChatHookHandlerDeps } from '../hooks/scope.ts';
import { type SmsReceiptHookDeps, smsReceiptHookReceiver } from '../hooks/receiveSmsReceipts.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { RateLimitsAndLockouts } from '../providers/contracts/rateLimitsAndLockouts.ts';
import { answerForThrownError } from '../rest/serverErrors.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import {
  accountOfLine,
  accountOfSmsRoute,
  lineByIdentity,
} from '../store/reads/chat/webhookLineAndMessage.ts';
import type { Databases } from './databases.ts';
import type { Providers } from './providers.ts';
import { getShardPool } from '../store/pools.ts';
import { createOwningAccountLookup } from '../store/repositories/owningAccountAcrossShards.ts';

export interface IncomingWebhookDeps {
  databases: Databases;
  control: ControlDatabase;
  engine: Pick<MachineEngine, 'send' | 'start' | 'waitFor' | 'now' | 'standsOpen'>;
  providers: Pick<Providers, 'chat' | 'sms'>;
  limits: RateLimitsAndLockouts;
  bodies: BodyMemoryBudget;
  trustedProxies: readonly string[];
  metrics: Metrics;
  log: Log;
}

export interface IncomingWebhooks {
  /** For an upstream in this process. */
  receive: ReceiveHook;
  /** For all others, by HTTP. */
  endpoint: Middleware;
}

export const openIncomingWebhooks = (needs: IncomingWebhookDeps): IncomingWebhooks => {
  const scope = scopeOf(needs);
  const receive = chatHookReceiver(scope);
  const { metrics, limits, bodies, trustedProxies } = needs;
  return {
    receive,
    endpoint: hookEndpoint({
      scope,
      bodies,
      limits,
      addressOf: (ctx) => clientAddress(ctx.req, trustedProxies),
      receive,
      receiveSms: smsReceiptHookReceiver(smsScopeOf(needs)),
      observe: (...answered) => metrics.request(...answered),
    }),
  };
};

const scopeOf = ({
  databases,
  control,
  engine,
  providers,
  log,
}: IncomingWebhookDeps): ChatHookHandlerDeps => {
  const { line } = providers.chat;
  const ownerOf = createOwningAccountLookup(databases, accountOfLine);
  return {
    engine,
    database: (shard) => getShardPool(databases, shard),
    findLine: async (id) => {
      const owner = await ownerOf(id);
      return owner && line(owner, id);
    },
    sibling: async ({ shard, account, class: channel }, identity) => {
      const id = await lineByIdentity(getShardPool(databases, shard), { account, channel, identity });
      return id === undefined ? undefined : line({ shard, account }, id);
    },
    waits: openAcknowledgementWaits(),
    callbackUrl: async (account) => (await control.account(account))?.callback_url ?? '',
    failed: (error) => answerForThrownError(error, log),
    log,
  };
};

const smsScopeOf = ({ databases, providers: { sms }, log }: IncomingWebhookDeps): SmsReceiptHookDeps => {
  const ownerOf = createOwningAccountLookup(databases, accountOfSmsRoute);
  return {
    findRoute: async (id) => {
      const owner = await ownerOf(id);
      return owner && sms.route(owner, id);
    },
    take: sms.take,
    now: Date.now,
    failed: (error) => answerForThrownError(error, log),
  };
};
