/** Counts whole answers while they wait to be taken, at whatever door they were made. */
import { finished } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { type ResponseCapacity, getResponseOwner } from '../access/unsentResponseLimits.ts';

/** Shorter answers are not counted: a connection's own buffers take them. */
const countedFrom = 32 * 1024;

/** `addressOf`: who is really asking, for answers to callers that showed no token. */
export const reserveRoomForUnsentResponse =
  (room: ResponseCapacity, addressOf: (ctx: Context) => string): Middleware =>
  async (ctx, next) => {
    await next();
    // Buffers are not counted: they are static pages, the same for all clients.
    const bytes = typeof ctx.body === 'string' ? ctx.body.length : 0;
    if (bytes < countedFrom) return;
    const leave = room.keep(getResponseOwner(ctx) ?? addressOf(ctx), bytes);
    finished(ctx.res, leave);
  };
