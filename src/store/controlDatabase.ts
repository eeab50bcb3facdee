/**
 * The control database: accounts, their tokens, and the blocks of small ids. Few rows, asked on every request, so a
 * found token is believed for a few seconds; what this node changes it knows at once.
 */
import { escapeLikePattern } from '../lib/escapeLikePattern.ts';
import { type Account, Prisma, type PrismaClient, type Token } from '../generated/prisma/client.ts';
import { lockResellerChanges, checkResellerLoopAndDepth, maxResellerChainLength } from './resellers.ts';
import { reserveIds } from './smallIds.ts';
import { hashToken, newToken } from './tokenText.ts';
import { lruOf } from '../lib/lru.ts';

export type AccountRow = Account;
export type TokenRow = Token;

/** Null for a JSON column. */
export const sqlNullForJsonColumn = Prisma.DbNull;

/** How long other nodes' changes to an account or a token may go unnoticed, milliseconds. */
const believedForMs = 3_000;
const cacheSize = 10_000;
/** Where all of them are read. */
const accountsAtATime = 2_000;
/** `last_used_at` is kept to the minute. */
const usedEveryMs = 60_000;
/** For a connection, and for the whole with waiting for others that do the same, milliseconds. */
const patience = { maxWait: 5_000, timeout: 15_000 };

export interface TokenOwner {
  account: AccountRow;
  token: TokenRow;
}

export class ControlDatabase {
  readonly #db: PrismaClient;
  readonly #now: () => number;
  readonly #requestsPerSecond: number;
  readonly #tokens = lruOf<string, { owner: TokenOwner; since: number }>(cacheSize);
  /** Reads under way. Later requests share their answers, unless this node changed something since they began. */
  readonly #reads = new Map<string, Promise<TokenOwner | undefined>>();
  readonly #accounts = lruOf<number, { account: AccountRow; since: number }>(cacheSize);
  /** Of accounts and tokens, by this node. */
  #changes = 0;

  /** `now`: epoch milliseconds; `requestsPerSecond`: of a token that names no rate of its own. */
  constructor(db: PrismaClient, now: () => number, requestsPerSecond = 50) {
    this.#db = db;
    this.#now = now;
    this.#requestsPerSecond = requestsPerSecond;
  }

  /** Whose token this is, revoked and expired ones included; undefined when there is none such. */
  async tokenOwner(secret: string): Promise<TokenOwner | undefined> {
    const hash = hashToken(secret);
    const known = this.#tokens.get(hash);
    if (known && this.#isBelieved(known)) return known.owner;
    this.#tokens.delete(hash);
    const changes = this.#changes;
    const owner = await this.#readOnce(hash);
    // What was read before a change of ours is not believed after it.
    if (owner && changes === this.#changes) this.#believe(hash, owner);
    return owner;
  }

  /** Whether `tokenOwner` answers without asking the database. */
  isBelieved(secret: string): boolean {
    const known = this.#tokens.get(hashToken(secret));
    return known !== undefined && this.#isBelieved(known);
  }

  account(id: number): Promise<AccountRow | null> {
    return this.#db.account.findUnique({ where: { id } });
  }

  /**
   * The accounts that pay for what this one sends: itself, its reseller, and so on up. As believed for a few seconds;
   * what this node changes it knows at once.
   */
  async payersOf(account: AccountRow): Promise<AccountRow[]> {
    const payers = [account];
    let above = account.reseller_id;
    while (
      above !== null &&
      payers.length < maxResellerChainLength &&
      !payers.some(({ id }) => id === above)
    ) {
      const reseller: AccountRow | null = await this.cachedAccount(above);
      if (!reseller) break;
      payers.push(reseller);
      above = reseller.reseller_id;
    }
    return payers;
  }

  /**
   * The account that keeps this one from acting: itself, or the nearest reseller above it that is switched off. Undefined:
   * all are active (decisions/0001).
   */
  async switchedOff(account: AccountRow): Promise<number | undefined> {
    if (!account.active) return account.id;
    return (await this.payersOf(account)).find(({ active }) => !active)?.id;
  }

  /** Ids of the accounts that this one is a reseller of, and those below them. */
  async accountsUnder(id: number): Promise<number[]> {
    const rows = await this.#db.$queryRaw<{ id: number }[]>`
      WITH RECURSIVE under(id, depth) AS (
        SELECT accounts.id, 1 FROM accounts WHERE reseller_id = ${id}::int
        UNION ALL
        SELECT accounts.id, depth + 1 FROM accounts JOIN under ON accounts.reseller_id = under.id
        WHERE depth < ${maxResellerChainLength}::int)
      SELECT DISTINCT id FROM under`;
    return rows.map((row) => row.id);
  }

  /** An account as believed for a few seconds; what this node changes it knows at once. */
  async cachedAccount(id: number): Promise<AccountRow | null> {
    const known = this.#accounts.get(id);
    if (known && this.#isBelieved(known)) return known.account;
    const account = await this.account(id);
    if (account) this.#accounts.set(id, { account, since: this.#now() });
    return account;
  }

  /** Accounts by id, from after `after` on. `text`: only those with it in their name, or with this id. */
  accounts(after: number, limit: number, text?: string): Promise<AccountRow[]> {
    const where = { id: { gt: after }, ...(text !== undefined && accountsNamed(text)) };
    return this.#db.account.findMany({ where, orderBy: { id: 'asc' }, take: limit });
  }

  /** All accounts, by id. */
  async everyAccount(): Promise<AccountRow[]> {
    const all: AccountRow[] = [];
    for (;;) {
      const page = await this.accounts(all.at(-1)?.id ?? 0, accountsAtATime);
      all.push(...page);
      if (page.length < accountsAtATime) return all;
    }
  }

  /** Accounts whose webhook secret begins like this, or is missing. */
  accountsWithSecret(prefix: string, limit: number): Promise<{ id: number; webhook_secret: string }[]> {
    return this.#db.account.findMany({
      where: { OR: [{ webhook_secret: { startsWith: prefix } }, { webhook_secret: '' }] },
      select: { id: true, webhook_secret: true },
      take: limit,
    });
  }

  /** Throws `ResellerChainError` when its reseller cannot be that. */
  createAccount(data: Omit<Prisma.AccountCreateInput, 'created_at'>): Promise<AccountRow> {
    return this.#inChain(null, data.reseller_id, (db) =>
      db.account.create({ data: { ...data, created_at: this.#now() } }),
    );
  }

  /** Throws `ResellerChainError` when the account (null: a new one) cannot stand under this reseller. */
  checkReseller(reseller: number, account: number | null): Promise<void> {
    return checkResellerLoopAndDepth(this.#db, reseller, account);
  }

  /** Runs changes of an account's reseller one at a time. */
  #inChain<T>(
    account: number | null,
    reseller: Prisma.AccountUpdateInput['reseller_id'],
    work: (db: Prisma.TransactionClient) => Promise<T>,
  ): Promise<T> {
    if (typeof reseller !== 'number') return work(this.#db);
    return this.#db.$transaction(async (db) => {
      await lockResellerChanges(db);
      await checkResellerLoopAndDepth(db, reseller, account);
      return work(db);
    }, patience);
  }

  /**
   * The account as it is now; null when there is none, or none that is still as `only` says. Throws `ResellerChainError`, as
   * `createAccount` does.
   */
  async updateAccount(
    id: number,
    data: Prisma.AccountUpdateInput,
    only: Pick<Prisma.AccountWhereInput, 'webhook_secret' | 'callback_login'> = {},
  ): Promise<AccountRow | null> {
    const changed = await this.#inChain(id, data.reseller_id, (db) =>
      db.account.updateManyAndReturn({ where: { id, ...only }, data }),
    );
    this.#forget((owner) => owner.account.id === id);
    this.#accounts.delete(id);
    return changed[0] ?? null;
  }

  /** Accounts in each shard, so that a new one goes where there are fewest. */
  async accountsByShard(): Promise<Map<string, number>> {
    const groups = await this.#db.account.groupBy({ by: ['shard'], _count: { id: true } });
    return new Map(groups.map((group) => [group.shard, group._count.id]));
  }

  /** Makes a token. `secret` is shown this once; only its SHA-256 is kept. */
  async createToken(
    account: number,
    data: Pick<
      Prisma.TokenCreateInput,
      'label' | 'permissions' | 'allowed_ips' | 'rest' | 'requests_per_second' | 'expires_at'
    >,
    secret: string = newToken(),
  ): Promise<{ token: TokenRow; secret: string }> {
    const id = await this.reserveIds('token', 1);
    const token = await this.#db.token.create({
      data: {
        requests_per_second: this.#requestsPerSecond,
        ...data,
        account_id: account,
        id,
        hash: hashToken(secret),
        created_at: this.#now(),
      },
    });
    return { token, secret };
  }

  tokens(account: number): Promise<TokenRow[]> {
    return this.#db.token.findMany({ where: { account_id: account }, orderBy: { id: 'asc' } });
  }

  /** Of all accounts, the newest first: those whose label holds a text, whatever its case. Revoked ones too. */
  tokensLabelled(text: string, limit: number): Promise<TokenRow[]> {
    return this.#db.token.findMany({
      where: { label: { contains: escapeLikePattern(text), mode: 'insensitive' } },
      orderBy: [{ created_at: 'desc' }, { account_id: 'asc' }, { id: 'asc' }],
      take: limit,
    });
  }

  /** Revoked ones too. */
  countTokens(account: number): Promise<number> {
    return this.#db.token.count({ where: { account_id: account } });
  }

  /** Null: the account has none with this id. */
  token(account: number, id: number): Promise<TokenRow | null> {
    return this.#db.token.findUnique({ where: { account_id_id: { account_id: account, id } } });
  }

  /** The token as it is now; null when the account has none with this id that is in force. */
  async updateToken(account: number, id: number, data: Prisma.TokenUpdateInput): Promise<TokenRow | null> {
    const where = { account_id: account, id, revoked_at: null };
    const [changed] = await this.#db.token.updateManyAndReturn({ where, data });
    this.#forget((owner) => owner.token.account_id === account && owner.token.id === id);
    return changed ?? null;
  }

  /** Revokes a token for good; null when the account has none with this id. */
  async revokeToken(account: number, id: number): Promise<TokenRow | null> {
    await this.#db.token.updateMany({
      where: { account_id: account, id, revoked_at: null },
      data: { revoked_at: this.#now() },
    });
    this.#forget((owner) => owner.token.account_id === account && owner.token.id === id);
    return this.token(account, id);
  }

  /** Reserves `count` consecutive small ids and answers the first. Counters start at `from`. */
  reserveIds(name: string, count: number, from = 1): Promise<number> {
    return reserveIds(this.#db, name, count, from);
  }

  /** Answers when the control database does; rejects otherwise. */
  async ping(): Promise<void> {
    await this.#db.$queryRaw`SELECT 1`;
  }

  #readOnce(hash: string): Promise<TokenOwner | undefined> {
    const name = `${this.#changes} ${hash}`;
    let read = this.#reads.get(name);
    if (!read) {
      read = this.#readOwner(hash).finally(() => this.#reads.delete(name));
      this.#reads.set(name, read);
    }
    return read;
  }

  async #readOwner(hash: string): Promise<TokenOwner | undefined> {
    const token = await this.#db.token.findUnique({ where: { hash } });
    const account = token && (await this.account(token.account_id));
    if (!account) return undefined;
    await this.#markUsed(token);
    return { account, token };
  }

  async #markUsed(token: TokenRow): Promise<void> {
    const now = this.#now();
    if (Number(token.last_used_at ?? 0) > now - usedEveryMs) return;
    const { account_id, id } = token;
    await this.#db.token.updateMany({ where: { account_id, id }, data: { last_used_at: now } });
  }

  #believe(hash: string, owner: TokenOwner): void {
    this.#tokens.set(hash, { owner, since: this.#now() });
  }

  /** A clock that was set back is no reason to believe for longer. */
  #isBelieved({ since }: { since: number }): boolean {
    const age = this.#now() - since;
    return age >= 0 && age < believedForMs;
  }

  #forget(stale: (owner: TokenOwner) => boolean): void {
    this.#changes += 1;
    for (const [hash, { owner }] of [...this.#tokens]) if (stale(owner)) this.#tokens.delete(hash);
  }
}

const accountsNamed = (text: string) => ({
  OR: [
    { name: { contains: escapeLikePattern(text), mode: 'insensitive' as const } },
    ...(/^\d{1,9}$/.test(text) ? [{ id: Number(text) }] : []),
  ],
});
