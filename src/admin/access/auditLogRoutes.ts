/** The audit log, read: what was changed, which tokens were used, who was turned away. */
import * as z from 'zod';
import type { AuditRow } from '../../store/auditLog.ts';
import { defineRoute } from '../routeDeclaration.ts';
import {
  accountIdField,
  at,
  dateTimeFieldSchema,
  nextPageFieldsSchema,
  optionalQueryField,
} from '../fieldSchemas.ts';
import { omitUndefined } from '../adminErrorsAndRequestParsing.ts';

/** Rows read for a page; uses of one minute are one entry of it. */
const pageRows = 500;
const minuteMs = 60_000;

const date = z
  .string()
  .transform((written, context) => {
    const read = dateTimeFieldSchema.safeParse(/^\d+$/.test(written) ? Number(written) : written);
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: 'must be a date in ISO 8601 or epoch milliseconds' });
    return z.NEVER;
  })
  .meta({ format: 'moment', description: 'ISO 8601, or epoch milliseconds.' });

const filters = z.object({
  kind: optionalQueryField(z.enum(['change', 'token', 'session'], 'must be change, token or session')),
  actor: optionalQueryField(z.string().transform((written) => written.slice(0, 200))).describe(
    'Its beginning: `operator 1` finds the operator under any name.',
  ),
  account: optionalQueryField(accountIdField),
  since: optionalQueryField(date),
  until: optionalQueryField(date),
  cursor: optionalQueryField(
    z
      .string()
      .regex(/^\d{1,16}\.\d{1,16}$/, 'is not one of ours')
      .transform((written) => {
        const [at, id] = written.split('.').map(Number);
        return { at: at!, id: id! };
      }),
  ),
});

const entry = z.object({
  id: z.int(),
  at,
  kind: z.enum(['change', 'token', 'session']),
  actor: z.string().describe('`admin`, `operator 7 Ana`, `token 12 label` or `unknown`.'),
  address: z.string(),
  action: z.string().describe('`POST /accounts/3/tokens`, `MakeSMS` or `opened`.'),
  outcome: z.int().describe('HTTP status; of several uses, the last.'),
  count: z.int().describe('Uses that this entry stands for.'),
  cdcs_id: z.int().nullable().describe('Null: it concerns none, or none that is known.'),
  detail: z.unknown().describe('What was sent, without secrets; null: nothing.'),
});

export const auditRoutes = {
  'GET /audit': defineRoute({
    role: 'operator',
    summary: 'Lists what was changed, which tokens were used, and who was turned away, newest first.',
    query: filters,
    answer: z.object({ entries: z.array(entry), ...nextPageFieldsSchema.shape }),
    example: {
      query: { kind: 'change', account: '3' },
      answer: {
        entries: [
          {
            ...{ id: 747_602_262_048_825, at: 1_795_325_744_421, kind: 'change', actor: 'operator 1 Ana' },
            ...{ address: '127.0.0.1', action: 'PATCH /accounts/3', outcome: 403, count: 1, cdcs_id: 3 },
            detail: { body: { name: 'x' } },
          },
        ],
        cursor: null,
      },
    },
    handle: async ({ deps, query: { cursor, ...query } }) => {
      // What this node counted and has not written yet belongs to the answer.
      await deps.uses.flush();
      const rows = await deps.audit.read({
        ...omitUndefined({ ...query, after: cursor }),
        limit: pageRows + 1,
      });
      const { page, next } = pageOf(rows);
      return { entries: together(page).map(show), cursor: next ? `${next.at}.${next.id}` : null };
    },
  }),
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

const show = ({ account, detail, ...entry }: AuditRow) => ({
  ...entry,
  cdcs_id: account,
  detail: detail === '' ? null : (JSON.parse(detail) as unknown),
});
