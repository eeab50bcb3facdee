/** The audit log, read: what was changed, which tokens were used, who was turned away. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { AuditQuery, AuditRow } from '../store/auditLog.ts';
import type { AdminDoor } from './api.ts';
import { moment } from './fields.ts';
import { AdminError, given } from './respond.ts';

/** Rows read for a page; uses of one minute are one entry of it. */
const pageRows = 500;
const minuteMs = 60_000;

export const auditRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/audit', async (ctx) => {
    const query = readQuery(ctx);
    // What this node counted and has not written yet belongs to the answer.
    await door.uses.flush();
    const rows = await door.audit.read({ ...query, limit: pageRows + 1 });
    const { page, next } = pageOf(rows);
    ctx.body = { entries: together(page).map(show), cursor: next ? `${next.at}.${next.id}` : null };
  });
};

/** Uses of one minute stand in several rows, of several nodes; a page does not end between them unless it must. */
const pageOf = (rows: readonly AuditRow[]): { page: readonly AuditRow[]; next?: AuditRow } => {
  const page = rows.slice(0, pageRows);
  const beyond = rows[pageRows];
  if (!beyond) return { page };
  const whole = page.filter(({ at }) => minuteOf(at) !== minuteOf(beyond.at));
  const shown = whole.length > 0 ? whole : page;
  return { page: shown, next: shown.at(-1)! };
};

const minuteOf = (at: number): number => Math.floor(at / minuteMs);

/** Rows, newest first, with the uses of a token from one address for one operation in one minute as one. */
const together = (rows: readonly AuditRow[]): AuditRow[] => {
  const entries = new Map<unknown, AuditRow>();
  for (const row of rows) {
    const { kind, actor, address, action, account, detail } = row;
    const isCounted = kind === 'token' || action === 'refused';
    const key = isCounted
      ? JSON.stringify([minuteOf(row.at), kind, actor, address, action, account, detail])
      : row;
    const newer = entries.get(key);
    if (newer) Object.assign(newer, { at: row.at, id: row.id, count: newer.count + row.count });
    else entries.set(key, { ...row });
  }
  return [...entries.values()];
};

const readQuery = ({ query }: Context): Omit<AuditQuery, 'limit'> => {
  const asked = (name: string): string | undefined =>
    typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined;
  return given({
    kind: kindOf(asked('kind')),
    actor: asked('actor')?.slice(0, 200),
    account: accountOf(asked('account')),
    since: momentOf('since', asked('since')),
    until: momentOf('until', asked('until')),
    after: cursorOf(asked('cursor')),
  });
};

const wrong = (field: string, wish: string): AdminError =>
  new AdminError(400, `${field}: ${wish}`, { field });

const kindOf = (text: string | undefined): string | undefined => {
  if (text === undefined || ['change', 'token', 'session'].includes(text)) return text;
  throw wrong('kind', 'must be change, token or session');
};

const accountOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw wrong('account', 'must be a number');
  return Number(text);
};

const momentOf = (field: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const read = moment.safeParse(/^\d+$/.test(text) ? Number(text) : text);
  if (!read.success) throw wrong(field, 'must be a date in ISO 8601 or epoch milliseconds');
  return read.data;
};

const cursorOf = (text: string | undefined): { at: number; id: number } | undefined => {
  if (text === undefined) return undefined;
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(text);
  if (!match) throw wrong('cursor', 'is not one of ours');
  return { at: Number(match[1]), id: Number(match[2]) };
};

const show = ({ account, detail, ...entry }: AuditRow) => ({
  ...entry,
  cdcs_id: account,
  detail: detail === '' ? null : (JSON.parse(detail) as unknown),
});
