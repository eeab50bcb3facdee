/** The admin door: plain JSON REST under `/admin/api`, for whoever holds the admin token, a key, or a session. */
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Pool } from 'pg';
import type { Kind } from '../engine/contract/kind.ts';
import type { Engine } from '../engine/contract/api.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { AdminAccess } from '../access/admin/administrator.ts';
import { requestIdOf } from '../access/requestId.ts';
import type { TokenUsage } from '../access/audit/tokenUsage.ts';
import type { AuditLog } from '../store/auditLog.ts';
import type { Control } from '../store/control.ts';
import type { VoiceTable } from '../store/voices.ts';
import { accountRoutes } from './accounts.ts';
import { admit, checkMay, record, shownTo } from './admit.ts';
import { agentRoutes } from './agents.ts';
import { approvedModelRoutes } from './approvedModels.ts';
import { auditRoutes } from './audit.ts';
import { audioRoutes, type AudioShelf } from './audios.ts';
import { blocklistRoutes } from './blocklist.ts';
import { callbackReceiverRoutes } from './callbackReceivers.ts';
import { callbackRoutes } from './callbacks.ts';
import type { CallbackWorkshop } from './callbackSettings.ts';
import { campaignRoutes } from './campaigns.ts';
import { chatLineRoutes, type LineSafe } from './chatLines.ts';
import { creditRoutes } from './credits.ts';
import { deliveryRoutes } from './deliveries.ts';
import { deliveryProfileRoutes, type ProfileWorkshop } from './deliveryProfiles.ts';
import { eventRoutes } from './events.ts';
import { forecastRoutes } from './forecasts.ts';
import { frontOf, showFront } from './front.ts';
import { groupRoutes } from './groups.ts';
import { incomingRoutes } from './incoming.ts';
import { listRoutes } from './lists.ts';
import { lockoutRoutes } from './lockouts.ts';
import { machineRoutes } from './machines.ts';
import { messageRoutes } from './messages.ts';
import { operatorRoutes } from './operators.ts';
import { queueRoutes } from './queues.ts';
import { AdminError, toJson } from './respond.ts';
import { runningNodes } from '../store/reads/machines/nodes.ts';
import { readSent } from './sent.ts';
import { sessionRoutes } from './sessions.ts';
import { type RouteWorkshop, smsRouteRoutes } from './smsRoutes.ts';
import { tariffRoutes } from './tariffs.ts';
import { templateMediaRoutes } from './templateMedia.ts';
import { templateRoutes } from './templates.ts';
import { tokenRoutes } from './tokens.ts';
import { voiceRoutes } from './voices.ts';

export interface AdminDoor extends AdminAccess {
  audit: AuditLog;
  /** What is counted and not yet in the audit log. */
  uses: TokenUsage;
  /** Who is really asking. */
  addressOf(ctx: Context): string;
  /** As whom its wrong keys are counted. */
  countedAs(ctx: Context): string;
  control: Control;
  engine: Engine;
  /** Names of the data shards. */
  shards: readonly string[];
  /** Why shards are not served here, a sentence each: `shard a is closed: …`. */
  shardSentences(): string[];
  database(shard: string): PrismaClient;
  pool(shard: string): Pool;
  kind(name: string): Kind | undefined;
  voices: {
    table: VoiceTable;
    /** Those that speak here. */
    providers: readonly string[];
    /** Where a voice can be heard. */
    sampleUrl(id: number): string;
    /** The table was changed. */
    changed(): void;
  };
  callbacks: CallbackWorkshop;
  audios: AudioShelf;
  deliveryProfiles: ProfileWorkshop;
  smsRoutes: RouteWorkshop;
  /** `SANDBOX`: accounts begin with a sandbox route for SMS. */
  sandbox: boolean;
  chatLines: LineSafe;
  /** Private ranges (CIDRs) that callbacks may reach, and receivers that are admitted now. */
  openTargets: readonly string[];
  callbackTargets: {
    /** Admits one `host:port` for so long, milliseconds. False: there are too many. */
    admit(origin: string, forMs: number): boolean;
    /** False: it was not admitted. */
    dismiss(origin: string): boolean;
  };
  forecasts: Forecasts;
  /** What the carrier bears. */
  carrier: { callsPerSecond: number; legs: number };
  health(): Promise<{ ok: boolean; body: object }>;
  /** Turns what was thrown into an answer: 503 on a bad day, else 500 with the id of the request. */
  failed(
    error: unknown,
    request: string | undefined,
  ): { http: number; text: string; retryAfterSeconds?: number };
}

const prefix = '/admin/api';

/** All routes of the API. */
export const adminRouter = (door: AdminDoor): Router => {
  const router = new Router({ prefix });
  sessionRoutes(router, door);
  operatorRoutes(router, door);
  auditRoutes(router, door);
  lockoutRoutes(router, door);
  accountRoutes(router, door);
  callbackRoutes(router, door);
  callbackReceiverRoutes(router, door);
  tokenRoutes(router, door);
  blocklistRoutes(router, door);
  agentRoutes(router, door);
  audioRoutes(router, door);
  queueRoutes(router, door);
  campaignRoutes(router, door);
  forecastRoutes(router, door);
  listRoutes(router, door);
  deliveryProfileRoutes(router, door);
  smsRouteRoutes(router, door);
  deliveryRoutes(router, door);
  chatLineRoutes(router, door);
  templateRoutes(router, door);
  templateMediaRoutes(router, door);
  voiceRoutes(router, door);
  groupRoutes(router, door);
  incomingRoutes(router, door);
  tariffRoutes(router, door);
  creditRoutes(router, door);
  approvedModelRoutes(router, door);
  messageRoutes(router, door);
  machineRoutes(router, door);
  eventRoutes(router, door);
  router.get('/nodes', async (ctx) => {
    const ofShard = async (shard: string) =>
      (await runningNodes(door.pool(shard))).map((node) => ({ shard, ...node }));
    ctx.body = { nodes: (await Promise.all(door.shards.map(ofShard))).flat() };
  });
  router.get('/health', async (ctx) => {
    const { ok, body } = await door.health();
    ctx.status = ok ? 200 : 503;
    ctx.body = body;
  });
  return router;
};

export const adminDoor = (door: AdminDoor): Middleware => {
  const router = adminRouter(door);
  const routes = router.routes();
  const front = frontOf(router, prefix);
  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next();
      return;
    }
    if (isFront(ctx)) {
      showFront(ctx, front);
      return;
    }
    const route = routeOf(router, ctx);
    await answering(door, ctx, async () => {
      await admit(door, ctx, route);
      await readSent(ctx, route);
      checkMay(door, ctx, route);
      // The router's own context type is wider than Koa's; it is the same object.
      await routes(ctx as Parameters<typeof routes>[0], () =>
        Promise.reject(new AdminError(404, 'no such page')),
      );
    });
    await answering(door, ctx, () => recorded(door, ctx));
  };
};

const isFront = ({ method, path }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && (path === prefix || path === `${prefix}/`);

/** The route that will serve a request, the first that fits, as the table of roles names it. */
const routeOf = (router: Router, ctx: Context): string | undefined => {
  const { route, pathAndMethod } = router.match(ctx.path, ctx.method);
  const path = route ? pathAndMethod[0]?.path : undefined;
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  return path === undefined ? undefined : `${method} ${String(path).slice(prefix.length)}`;
};

/** A change that cannot be recorded is answered with that, whatever became of it. */
const recorded = async (door: AdminDoor, ctx: Context): Promise<void> => {
  try {
    await record(door, ctx);
  } catch (error) {
    const { http, text, retryAfterSeconds } = door.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    throw new AdminError(http, `the audit log cannot be written (${text}); what was asked for may be done`);
  }
};

const answering = async (door: AdminDoor, ctx: Context, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
    if (typeof ctx.body === 'object' && ctx.body !== null) sendJson(ctx, shownTo(ctx, ctx.body));
  } catch (error) {
    if (error instanceof AdminError) {
      ctx.status = error.status;
      sendJson(ctx, shownTo(ctx, { error: error.message, ...error.more }));
      return;
    }
    const { http, text, retryAfterSeconds } = door.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    ctx.status = http;
    sendJson(ctx, { error: text });
  }
};

const sendJson = (ctx: Context, value: unknown): void => {
  ctx.body = toJson(value);
  ctx.type = 'application/json; charset=utf-8';
};
