/** What happens to an account's calls and messages, for who follows it. */
import type { Router } from '@koa/router';
import { happenedAfter, type HappenedRow } from '../store/reads/accounts/events.ts';
import { writeCallId } from '../wire/callId.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { AdminError } from './respond.ts';

const pageSize = 500;
/** Earlier entries are read machine by machine. */
const mostAgoMs = 86_400_000;

export const eventRoutes = (router: Router, door: AdminDoor): void => {
  /** `after`: a cursor of an answer, or epoch milliseconds of the last day; without it, from now on. */
  router.get('/accounts/:account/events', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const now = door.engine.now(shard);
    const asked = ctx.query['after'];
    const after = asked === undefined ? { at: now, machine: 0, revision: 0 } : readCursor(asked);
    after.at = Math.max(after.at, now - mostAgoMs);
    const rows = await happenedAfter(door.pool(shard), { account, after, limit: pageSize });
    ctx.body = {
      events: rows.map((row) => ({ ...show(shard, row), cursor: cursorOf(row) })),
      // Where the next question begins.
      cursor: rows.length > 0 ? cursorOf(rows.at(-1)!) : `${after.at}_${after.machine}_${after.revision}`,
      more: rows.length === pageSize,
    };
  });
};

const show = (shard: string, { id, ...row }: HappenedRow) => ({ id: writeCallId(shard, id), ...row });

const cursorOf = ({ at, id, revision }: HappenedRow): string => `${at}_${id}_${revision}`;

const readCursor = (text: unknown): { at: number; machine: number; revision: number } => {
  const match = /^(\d{1,15})(?:_(\d{1,16})_(\d{1,9}))?$/.exec(String(text));
  if (!match) throw new AdminError(400, 'after: is no cursor of ours, and no moment', { field: 'after' });
  const [at, machine, revision] = match.slice(1).map((digits) => Number(digits ?? 0));
  return { at: at!, machine: machine!, revision: revision! };
};
