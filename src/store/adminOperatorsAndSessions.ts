/** Who may administer, in the control database: operators with keys of their own, and sessions of the console. */
import { randomBytes } from 'node:crypto';
import type { AdminSession, Operator, Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { reserveIds } from './smallIds.ts';
import { hashToken, newToken } from './tokenText.ts';

export type AdminOperatorRow = Operator;
export type SessionRow = AdminSession;

/** `operator`: reads, and tries again what failed. `admin`: everything. */
export const operatorRoles = ['operator', 'admin'] as const;
export type Role = (typeof operatorRoles)[number];

/** What is said of an operator who is made. */
export interface NewAdminOperator {
  name: string;
  role: Role;
  /** Role operator sees telephone numbers masked. Default: whole. */
  masked_numbers?: boolean;
}

/** A session that was found open. */
export interface AdminSessionWithOperator {
  session: SessionRow;
  /** Null: it was opened with the admin token. */
  operator: AdminOperatorRow | null;
}

/** Longer than tokens of accounts, so that one is not mistaken for the other. */
const keyLength = 40;
/** `last_used_at` is kept to the minute. */
const usedEveryMs = 60_000;
/** Open sessions of one operator, or of the admin token; one more ends the oldest. */
const mostSessions = 50;
/** Ended sessions can be listed so long. */
const sessionsKeptMs = 30 * 86_400_000;

export class AdminOperatorStore {
  readonly #db: PrismaClient;
  readonly #now: () => number;

  /** `now`: epoch milliseconds. */
  constructor(db: PrismaClient, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Makes an operator. `key` is shown this once; only its SHA-256 is kept. */
  async create(about: NewAdminOperator): Promise<{ operator: AdminOperatorRow; key: string }> {
    const key = newToken(keyLength);
    const id = await reserveIds(this.#db, 'operator', 1);
    const data = { id, ...about, key_hash: hashToken(key), created_at: this.#now() };
    return { operator: await this.#db.operator.create({ data }), key };
  }

  count(): Promise<number> {
    return this.#db.operator.count({ where: { revoked_at: null } });
  }

  /** By id, from after `after` on; revoked ones too. */
  list(after: number, limit: number): Promise<AdminOperatorRow[]> {
    return this.#db.operator.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: limit });
  }

  one(id: number): Promise<AdminOperatorRow | null> {
    return this.#db.operator.findUnique({ where: { id } });
  }

  /** Null: there is none such, or none any more. Sessions that are open follow at once. */
  async change(
    id: number,
    data: Pick<Prisma.OperatorUpdateInput, keyof NewAdminOperator>,
  ): Promise<AdminOperatorRow | null> {
    const where = { id, revoked_at: null };
    const [changed] = await this.#db.operator.updateManyAndReturn({ where, data });
    return changed ?? null;
  }

  /** Revokes a key for good and ends its sessions; null when there is none such. */
  async revoke(id: number): Promise<AdminOperatorRow | null> {
    const now = this.#now();
    await this.#db.$transaction(async (db) => {
      await db.operator.updateMany({ where: { id, revoked_at: null }, data: { revoked_at: now } });
      await db.adminSession.updateMany({
        where: { operator_id: id, ended_at: null },
        data: { ended_at: now },
      });
    });
    return this.one(id);
  }

  /** The operator whose key this is; undefined: there is none, or the key was revoked. */
  async ownerOf(key: string): Promise<AdminOperatorRow | undefined> {
    if (key.length !== keyLength) return undefined;
    const operator = await this.#db.operator.findUnique({ where: { key_hash: hashToken(key) } });
    if (!operator || operator.revoked_at !== null) return undefined;
    await this.#markUsed(operator);
    return operator;
  }

  async #markUsed({ id, last_used_at }: AdminOperatorRow): Promise<void> {
    const now = this.#now();
    if (Number(last_used_at ?? 0) > now - usedEveryMs) return;
    await this.#db.operator.updateMany({ where: { id }, data: { last_used_at: now } });
  }

  /** Opens a session. `secret`: what the browser will hold. */
  async openSession(
    secret: string,
    about: Pick<SessionRow, 'operator_id' | 'role' | 'address'>,
    expiresAt: number,
  ): Promise<SessionRow> {
    await this.#makeRoom(about.operator_id);
    const hash = hashToken(secret);
    return this.#db.adminSession.create({
      data: { ...about, hash, created_at: this.#now(), expires_at: expiresAt },
    });
  }

  async #makeRoom(operator_id: number | null): Promise<void> {
    const open = { operator_id, ended_at: null, expires_at: { gt: this.#now() } };
    const extra = await this.#db.adminSession.findMany({
      where: open,
      orderBy: [{ created_at: 'desc' }, { hash: 'asc' }],
      skip: mostSessions - 1,
      take: 1_000,
    });
    await this.#end({ hash: { in: extra.map(({ hash }) => hash) } });
  }

  /** The open session of what a browser holds; undefined: it has none. */
  async session(secret: string): Promise<AdminSessionWithOperator | undefined> {
    const where = { hash: hashToken(secret), ended_at: null, expires_at: { gt: this.#now() } };
    const session = await this.#db.adminSession.findFirst({ where });
    if (!session) return undefined;
    if (session.operator_id === null) return { session, operator: null };
    const operator = await this.one(session.operator_id);
    if (!operator || operator.revoked_at !== null) return undefined;
    await this.#markUsed(operator);
    return { session, operator };
  }

  async prolong(hash: string, expiresAt: number): Promise<void> {
    await this.#db.adminSession.updateMany({
      where: { hash, ended_at: null },
      data: { expires_at: expiresAt },
    });
  }

  /** Those that are open, the newest first. */
  sessions(limit: number): Promise<SessionRow[]> {
    const where = { ended_at: null, expires_at: { gt: this.#now() } };
    return this.#db.adminSession.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { hash: 'asc' }],
      take: limit,
    });
  }

  /** Ends the open sessions whose digest begins so; answers how many there were. */
  async endSessions(hashBegins: string): Promise<number> {
    return this.#end({ hash: { startsWith: hashBegins }, expires_at: { gt: this.#now() } });
  }

  async #end(which: Prisma.AdminSessionWhereInput): Promise<number> {
    const where = { ...which, ended_at: null };
    const { count } = await this.#db.adminSession.updateMany({ where, data: { ended_at: this.#now() } });
    return count;
  }

  /** Removes sessions that ended long ago. */
  async forgetSessions(): Promise<void> {
    await this.#db.adminSession.deleteMany({ where: { expires_at: { lt: this.#now() - sessionsKeptMs } } });
  }
}

/** What a browser holds: 32 random bytes. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url');
