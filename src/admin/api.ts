/** The admin door: plain JSON REST under `/admin/api`, for whoever holds the admin token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import type { Pool } from 'pg';
import type { Kind } from '../../machines/kind.ts';
import type { Engine } from '../engine/verbs.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Limits } from '../providers/limits.ts';
import type { Control } from '../store/control.ts';
import type { VoiceTable } from '../store/voices.ts';
import { accountRoutes } from './accounts.ts';
import { agentRoutes } from './agents.ts';
import { approvedModelRoutes } from './approvedModels.ts';
import { audioRoutes, type AudioShelf } from './audios.ts';
import { blocklistRoutes } from './blocklist.ts';
import { callbackRoutes } from './callbacks.ts';
import type { CallbackWorkshop } from './callbackSettings.ts';
import { campaignRoutes } from './campaigns.ts';
import { chatLineRoutes, type LineSafe } from './chatLines.ts';
import { creditRoutes } from './credits.ts';
import { deliveryRoutes } from './deliveries.ts';
import { deliveryProfileRoutes, type ProfileWorkshop } from './deliveryProfiles.ts';
import { forecastRoutes } from './forecasts.ts';
import { groupRoutes } from './groups.ts';
import { incomingRoutes } from './incoming.ts';
import { listRoutes } from './lists.ts';
import { machineRoutes } from './machines.ts';
import { messageRoutes } from './messages.ts';
import { queueRoutes } from './queues.ts';
import { AdminError, toJson } from './respond.ts';
import { type RouteWorkshop, smsRouteRoutes } from './smsRoutes.ts';
import { tariffRoutes } from './tariffs.ts';
import { templateMediaRoutes } from './templateMedia.ts';
import { templateRoutes } from './templates.ts';
import { tokenRoutes } from './tokens.ts';
import { voiceRoutes } from './voices.ts';

export interface AdminDoor {
  /** What opens it. */
  adminToken: string;
  limits: Limits;
  /** Who is really asking. */
  addressOf(ctx: Context): string;
  control: Control;
  engine: Engine;
  /** Names of the data shards. */
  shards: readonly string[];
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
  /** Epoch milliseconds. */
  now(): number;
  callbacks: CallbackWorkshop;
  audios: AudioShelf;
  deliveryProfiles: ProfileWorkshop;
  smsRoutes: RouteWorkshop;
  chatLines: LineSafe;
  /** Private ranges (CIDRs) that callbacks may reach. */
  openTargets: readonly string[];
  forecasts: Forecasts;
  /** What the carrier bears. */
  carrier: { callsPerSecond: number; legs: number };
  health(): Promise<{ ok: boolean; body: object }>;
  /** Turns what was thrown into an answer: 503 on a bad day, else 500 with an incident id. */
  failed(error: unknown): { http: number; text: string; retryAfterSeconds?: number };
}

const prefix = '/admin/api';

export const adminDoor = (door: AdminDoor): Middleware => {
  const router = new Router({ prefix });
  accountRoutes(router, door);
  callbackRoutes(router, door);
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
  router.get('/health', async (ctx) => {
    const { ok, body } = await door.health();
    ctx.status = ok ? 200 : 503;
    ctx.body = body;
  });
  const routes = router.routes();
  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next();
      return;
    }
    await answering(door, ctx, async () => {
      await checkToken(door, ctx);
      await readBody(ctx);
      // The router's own context type is wider than Koa's; it is the same object.
      await routes(ctx as Parameters<typeof routes>[0], () =>
        Promise.reject(new AdminError(404, 'no such page')),
      );
    });
  };
};

const answering = async (door: AdminDoor, ctx: Context, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
    if (ctx.body !== undefined && ctx.body !== null) sendJson(ctx, ctx.body);
  } catch (error) {
    if (error instanceof AdminError) {
      ctx.status = error.status;
      sendJson(ctx, { error: error.message, ...error.more });
      return;
    }
    const { http, text, retryAfterSeconds } = door.failed(error);
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    ctx.status = http;
    sendJson(ctx, { error: text });
  }
};

const sendJson = (ctx: Context, value: unknown): void => {
  ctx.body = toJson(value);
  ctx.type = 'application/json; charset=utf-8';
};

/** Digests are compared, so that neither length nor content can be learned from the time it takes. */
const checkToken = async (door: AdminDoor, ctx: Context): Promise<void> => {
  const address = door.addressOf(ctx);
  const isKeptOut = (await door.limits.standing(address)) !== 'free';
  const shown = /^Bearer +(\S+) *$/i.exec(ctx.get('authorization'))?.[1] ?? '';
  const isRight = timingSafeEqual(digest(shown), digest(door.adminToken));
  if (!isRight && shown !== '') await door.limits.failed(address);
  // Whoever is kept out learns nothing of the token that was tried.
  if (isKeptOut) throw new AdminError(429, 'too many failed authentications from this address');
  if (isRight) return;
  ctx.set('WWW-Authenticate', 'Bearer');
  throw new AdminError(401, 'the admin token is missing or wrong');
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const jsonBody = koaBody({
  json: true,
  jsonLimit: '1mb',
  urlencoded: false,
  text: false,
  multipart: false,
  patchNode: false,
});

const readBody = async (ctx: Context): Promise<void> => {
  try {
    await jsonBody(ctx, () => Promise.resolve());
  } catch (error) {
    if ((error as { status?: number }).status === 413)
      throw new AdminError(413, 'the body is larger than 1 MB');
    throw new AdminError(400, 'the body is not JSON', { field: null });
  }
};
