/** The voices that may be named (spec 2.6), in the control database: for all accounts, or for one. */
import type { Prisma, PrismaClient, Voice } from '../generated/prisma/client.ts';
import { reserveIds } from './smallIds.ts';

export type VoiceRow = Voice;

/** Null: for all accounts. */
export type VoiceOwnerAccountId = number | null;

export type NewVoice = Pick<VoiceRow, 'provider' | 'name' | 'title' | 'language' | 'gender'> &
  Partial<Pick<VoiceRow, 'type' | 'active'>>;

export type VoiceRowUpdate = Partial<Pick<VoiceRow, 'title' | 'language' | 'gender' | 'type' | 'active'>>;

/** For a connection, and for the whole with waiting for others that do the same, milliseconds. */
const patience = { maxWait: 5_000, timeout: 15_000 };

/** An owner has a name once, however its letters are written. */
export class VoiceTable {
  readonly #db: PrismaClient;
  readonly #now: () => number;

  /** `now`: epoch milliseconds. */
  constructor(db: PrismaClient, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Voices of one owner by id, from after `after` on; inactive ones too. */
  of(owner: VoiceOwnerAccountId, after = 0, limit?: number): Promise<VoiceRow[]> {
    const where = { account_id: owner, id: { gt: after } };
    return this.#db.voice.findMany({ where, orderBy: { id: 'asc' }, ...(limit && { take: limit }) });
  }

  /** Null: the owner has none with this id. */
  one(owner: VoiceOwnerAccountId, id: number): Promise<VoiceRow | null> {
    return this.#db.voice.findFirst({ where: { account_id: owner, id } });
  }

  /** A voice of any account. */
  anyones(id: number): Promise<VoiceRow | null> {
    return this.#db.voice.findUnique({ where: { id } });
  }

  /** Null: the owner has one of this name already. */
  add(owner: VoiceOwnerAccountId, voice: NewVoice): Promise<VoiceRow | null> {
    return this.#alone(async (db) => {
      const [missing] = await this.#missing(db, owner, voice.provider, [voice]);
      if (!missing) return null;
      const [row] = await this.#insert(db, owner, [missing]);
      return row ?? null;
    });
  }

  /** Null: the owner has none with this id. */
  async change(owner: VoiceOwnerAccountId, id: number, change: VoiceRowUpdate): Promise<VoiceRow | null> {
    const where = { account_id: owner, id };
    const [row] = await this.#db.voice.updateManyAndReturn({ where, data: change });
    return row ?? null;
  }

  /** False: the owner has none with this id. */
  async remove(owner: VoiceOwnerAccountId, id: number): Promise<boolean> {
    return (await this.#db.voice.deleteMany({ where: { account_id: owner, id } })).count > 0;
  }

  /**
   * Adds those of a provider's voices that are not for all accounts yet; the others keep their id and what was changed
   * in them. `only`: voices for all accounts that the provider does not list go.
   */
  keep(provider: string, voices: readonly NewVoice[], { only }: { only: boolean }): Promise<void> {
    return this.#alone(async (db) => {
      const missing = await this.#missing(db, null, provider, voices);
      if (missing.length > 0) await this.#insert(db, null, missing);
      const name = { notIn: voices.map((voice) => voice.name) };
      if (only) await db.voice.deleteMany({ where: { account_id: null, provider, name } });
    });
  }

  /** Nodes list voices at the same moment, and each name may stand here once. */
  #alone<Answer>(act: (db: Prisma.TransactionClient) => Promise<Answer>): Promise<Answer> {
    return this.#db.$transaction(async (db) => {
      await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('voices'))`;
      return act(db);
    }, patience);
  }

  async #missing(
    db: Prisma.TransactionClient,
    owner: VoiceOwnerAccountId,
    provider: string,
    voices: readonly NewVoice[],
  ): Promise<NewVoice[]> {
    const known = await db.voice.findMany({ where: { account_id: owner, provider }, select: { name: true } });
    const names = new Set(known.map(({ name }) => name.toLowerCase()));
    return voices.filter(({ name }) => !names.has(name.toLowerCase()));
  }

  async #insert(
    db: Prisma.TransactionClient,
    owner: VoiceOwnerAccountId,
    voices: NewVoice[],
  ): Promise<VoiceRow[]> {
    const first = await reserveIds(db, 'voice', voices.length);
    const fixed = { account_id: owner, created_at: this.#now() };
    const data = voices.map((voice, nth) => ({ ...voice, ...fixed, id: first + nth }));
    return db.voice.createManyAndReturn({ data });
  }
}
