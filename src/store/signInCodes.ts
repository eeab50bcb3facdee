/** Codes that open a session of the console, in the control database: each once, and within ten minutes. */
import type { PrismaClient, SignInCode } from '../generated/prisma/client.ts';
import { hashToken } from './tokenText.ts';

/** How long a code opens, milliseconds. */
const signInCodeMs = 10 * 60_000;
/** Unused codes of one operator, or of the admin token; one more ends the oldest. */
const mostUnused = 20;
/** Codes that open nothing any more are kept so long, milliseconds. */
const keptMs = 86_400_000;

/** `operator_id`: null for the holder of the admin token. */
export type SignInCodeOwner = Pick<SignInCode, 'operator_id'>;

export class SignInCodes {
  readonly #db: PrismaClient;
  readonly #now: () => number;

  /** `now`: epoch milliseconds. */
  constructor(db: PrismaClient, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Keeps the digest of a code; answers until when it opens, epoch milliseconds. */
  async add(code: string, { operator_id }: SignInCodeOwner): Promise<number> {
    const now = this.#now();
    await this.#makeRoom(operator_id);
    const data = { hash: hashToken(code), operator_id, created_at: now, expires_at: now + signInCodeMs };
    await this.#db.signInCode.create({ data });
    return data.expires_at;
  }

  /** Uses a code up. Of several who show it at once one is answered its owner; undefined: it opens nothing. */
  async use(code: string): Promise<SignInCodeOwner | undefined> {
    const now = this.#now();
    const [used] = await this.#db.signInCode.updateManyAndReturn({
      where: { hash: hashToken(code), used_at: null, expires_at: { gt: now } },
      data: { used_at: now },
    });
    return used;
  }

  /** Removes those that have opened nothing for a day. */
  async forget(): Promise<void> {
    await this.#db.signInCode.deleteMany({ where: { expires_at: { lt: this.#now() - keptMs } } });
  }

  async #makeRoom(operator_id: number | null): Promise<void> {
    const extra = await this.#db.signInCode.findMany({
      where: { operator_id, used_at: null, expires_at: { gt: this.#now() } },
      orderBy: [{ created_at: 'desc' }, { hash: 'asc' }],
      skip: mostUnused - 1,
      take: 1_000,
    });
    if (extra.length === 0) return;
    const hashes = extra.map(({ hash }) => hash);
    await this.#db.signInCode.updateMany({
      where: { hash: { in: hashes }, used_at: null },
      data: { used_at: this.#now() },
    });
  }
}
