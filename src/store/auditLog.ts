/**
 * The audit log, in the control database: what was changed and which tokens were used. Entries are added, and after
 * so many days removed; nothing changes one.
 */
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import { findActorOfEachAction, type Deed } from './reads/why/auditLogActors.ts';

/** `change`: of anything, by an administrator. `token`: uses of a token. `session`: of the administration. */
export type AuditKind = 'change' | 'token' | 'session';

export interface AuditEntry {
  /** Epoch milliseconds; of several uses, the first. */
  at: number;
  kind: AuditKind;
  /** `admin`, `operator 7 Ana`, `token 12 label`, `unknown`. */
  actor: string;
  address: string;
  /** `POST /accounts/3/tokens`, `MakeSMS`, `opened`. */
  action: string;
  /** Null: it concerns none, or none that is known. */
  account: number | null;
  /** HTTP status; of several uses, the last. */
  outcome: number;
  /** Uses that this entry stands for. */
  count: number;
  /** JSON, without secrets; empty: none. */
  detail: string;
}

export interface AuditRow extends AuditEntry {
  id: number;
}

/** Which entries are wanted; what is absent is not asked for. */
export interface AuditQuery {
  kind?: string;
  actor?: string;
  account?: number;
  /** Epoch milliseconds, the first included, the last not. */
  since?: number;
  until?: number;
  /** Entries after this one, that is older ones. */
  after?: { at: number; id: number };
  limit: number;
}

/** Ids of one millisecond (`src/engine/contract/idGenerator.ts`). */
const idsOfMillisecond = 8_192;

export class AuditLog {
  readonly #pool: Pool;
  readonly #now: () => number;

  /** `pool`: the control database's; `now`: epoch milliseconds. */
  constructor(pool: Pool, now: () => number) {
    this.#pool = pool;
    this.#now = now;
  }

  /** Durable when it resolves. */
  async add(entries: readonly AuditEntry[]): Promise<void> {
    // No node slot mints these ids, so two nodes may take the same: the later one takes another.
    for (let left = [...entries]; left.length > 0;) {
      const first = firstIdAt(this.#now()) + randomInt(idsOfMillisecond);
      const written = await this.#insert(first, left);
      left = left.filter((_, at) => !written.has(first + at));
    }
  }

  async #insert(first: number, entries: readonly AuditEntry[]): Promise<Set<number>> {
    const { rows } = await this.#pool.query<{ id: number }>({
      name: 'addToAudit',
      text: `INSERT INTO audit_log (id, at, kind, actor, address, action, account_id, outcome, count, detail)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[],
          $8::int[], $9::int[], $10::text[])
        ON CONFLICT (id) DO NOTHING RETURNING id`,
      values: [
        entries.map((_, at) => first + at),
        entries.map(({ at }) => at),
        entries.map(({ kind }) => kind),
        entries.map(({ actor }) => actor),
        entries.map(({ address }) => address),
        entries.map(({ action }) => action),
        entries.map(({ account }) => account),
        entries.map(({ outcome }) => outcome),
        entries.map(({ count }) => count),
        entries.map(({ detail }) => detail),
      ],
    });
    return new Set(rows.map(({ id }) => id));
  }

  /** Newest first. */
  async read({ kind, actor, account, since, until, after, limit }: AuditQuery): Promise<AuditRow[]> {
    const { rows } = await this.#pool.query<AuditRow>({
      text: `SELECT id, at, kind, actor, address, action, account_id AS account, outcome, count, detail
        FROM audit_log
        WHERE ($1::text IS NULL OR kind = $1) AND ($2::text IS NULL OR actor = $2 OR starts_with(actor, $2 || ' '))
          AND ($3::int IS NULL OR account_id = $3)
          AND at >= COALESCE($4::bigint, 0) AND ($5::bigint IS NULL OR at < $5)
          AND ($6::bigint IS NULL OR (at, id) < ($6, $7::bigint))
        ORDER BY at DESC, id DESC LIMIT $8`,
      values: [kind, actor, account, since, until, after?.at, after?.id, limit],
    });
    return rows;
  }

  /** Who did each of them; undefined: it is not known, or not certain. */
  actorsOf(deeds: readonly Deed[]): Promise<(string | undefined)[]> {
    return findActorOfEachAction(this.#pool, deeds);
  }

  /** Removes what is older than this moment (epoch milliseconds), at most so many at once; answers how many. */
  async forget(before: number, most: number): Promise<number> {
    const { rowCount } = await this.#pool.query({
      name: 'forgetAudit',
      text: `DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE at < $1::bigint ORDER BY at LIMIT $2)`,
      values: [before, most],
    });
    return rowCount ?? 0;
  }
}
