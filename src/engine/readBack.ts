/** What became of writes that did not answer, or of which some did not land: the rows are read until it is known. */
import { Backoff } from './backoff.ts';
import type { Draft } from './draft.ts';
import type { Item } from './item.ts';
import type { LaneScope } from './laneScope.ts';
import type { Mail } from './mail.ts';
import type { Doubt, Resident } from './resident.ts';
import { type Held, purseOf, pursesOf, shortOf } from './purses.ts';
import type { Key, MachineRow, ShardStore } from './store.ts';
import { Unavailable } from './verbs.ts';

/** Pauses between tries to read back, milliseconds. */
const PAUSES_MS = { firstMs: 20, longestMs: 5_000 };
/**
 * Writes without an answer that are remembered of a machine. So many come only when the database answers every read and
 * no write, with growing pauses: the oldest was sent minutes ago, and its statement has ended since, however it did.
 */
const MOST_DOUBTS = 32;

/** What the lane does with what is found. */
export interface Found {
  /** It did land. */
  landed(item: Item, sentAt: number): void;
  /** It must be tried once more. */
  again(item: Item): void;
}

export class ReadBack {
  readonly #scope: LaneScope;
  readonly #part: string;
  readonly #found: Found;
  readonly #backoff: Backoff;
  #stopped = false;

  /** `part`: the name of its lane among the parts of the shard that may fail. */
  constructor(scope: LaneScope, part: string, found: Found) {
    this.#scope = scope;
    this.#part = part;
    this.#found = found;
    this.#backoff = new Backoff(scope.clock, scope.random, PAUSES_MS);
  }

  /** Ends without a word. */
  abandon(): void {
    this.#stopped = true;
    this.#backoff.end();
  }

  /** Finds out about each. `answered`: what has not landed by now never will. */
  async find(items: readonly Item[], sentAt: number, answered: boolean): Promise<void> {
    const standing = await this.#insist(() => this.#read(items));
    if (!standing) return;
    const { byId, held } = standing;
    for (const item of items) {
      const { resident, draft, mails } = item;
      if (resident) resident.doubtful = [...resident.doubtful.slice(1 - MOST_DOUBTS), { draft, mails }];
      const row = byId.get(draft.id);
      if (row?.stepId === draft.stepId) this.#found.landed(item, sentAt);
      else if (item.birth) await this.#birthMissed(item, row, { held, answered });
      else await this.#stepMissed(item, row, { sentAt, answered });
    }
  }

  /**
   * What stands of them, in a database that has not gone back. What it shows of a write without an answer is in the journal
   * before anything follows from that.
   */
  async #read(items: readonly Item[]): Promise<{ byId: Map<number, MachineRow>; held: Held }> {
    const { store, guard } = this.#scope;
    const keys: Key[] = items.map(({ draft }) => ({ account: draft.account, id: draft.id }));
    const byId = new Map((await store.read(keys)).map((row) => [row.id, row]));
    const held = await this.#held(items.filter(({ draft }) => !byId.has(draft.id)));
    await guard.lookAfresh();
    return { byId, held };
  }

  /** Whether another owner holds one of the item's claims; if so its caller, or its chart, is told. */
  async lostClaim(item: Item): Promise<boolean> {
    const { draft, birth } = item;
    if (draft.claimants.size === 0) return false;
    const keys = [...draft.claimants.keys()].map((key) => ({ account: draft.account, key }));
    const held = await this.#insist(() => this.#scope.store.claims(keys, this.#scope.lowWatermark()));
    const lost = held?.find((claim) => claim.owner !== String(draft.id));
    if (!lost) return false;
    const { key, owner, answer } = lost;
    if (birth) birth.caller.resolve({ outcome: 'claimed', key, owner, answer });
    else this.#refuseClaim(item, key, owner);
    return true;
  }

  /** The mail that asked for the claim is put by; its chart hears instead that another holds it. */
  #refuseClaim(item: Item, key: string, owner: string): void {
    const asking = item.draft.claimants.get(key);
    if (!asking) throw new Error(`no mail asked for the claim ${key}`);
    const refused: Mail = { what: 'claimRefused', key, owner, asked: asking };
    if (asking.what === 'event')
      asking.done?.resolve({ outcome: 'stepped', state: item.resident!.committed!.state });
    const mails = item.mails.map((mail) => (mail === asking ? refused : mail));
    this.#found.again({ ...item, mails });
  }

  /** What the purses of these hold, read together: when one runs dry, it does so for many. */
  async #held(missed: readonly Item[]): Promise<Held> {
    const keys = pursesOf(missed);
    const purses = keys.length === 0 ? [] : await this.#scope.store.purses(keys);
    return new Map(purses.map((purse) => [purseOf(purse), purse.amount]));
  }

  async #birthMissed(
    item: Item,
    row: MachineRow | undefined,
    { held, answered }: { held: Held; answered: boolean },
  ): Promise<void> {
    const birth = item.birth!;
    const { account, id, caller } = birth;
    const { shard } = this.#scope;
    birth.doubtful ||= !answered;
    // The id was minted for this start: a row under it is this start's, landed by an earlier try and stepped since.
    if (row) caller.resolve({ outcome: 'started', ref: { shard, account, id } });
    else if (!(await this.lostClaim(item)) && !this.#isShort(item, held) && !caller.gone)
      this.#found.again(item);
  }

  /**
   * Whether a purse holds too little for the item alone; if so its caller is told. Where an earlier write may still
   * land, and be paid for by then, nobody can say that it is refused.
   */
  #isShort(item: Item, held: Held): boolean {
    const short = shortOf(item, held);
    if (!short) return false;
    const { caller, doubtful } = item.birth!;
    if (doubtful) caller.reject(new Unavailable('it is not known whether the step was written', 2));
    else caller.resolve({ outcome: 'short', account: short.account, purse: short.purse });
    return true;
  }

  async #stepMissed(
    item: Item,
    row: MachineRow | undefined,
    { sentAt, answered }: { sentAt: number; answered: boolean },
  ): Promise<void> {
    const resident = item.resident!;
    const landed = row && (await this.#landedEarlier(resident, row));
    if (landed) {
      this.#landedLate(item, landed, row);
      return;
    }
    if (answered) resident.doubtful = resident.doubtful.slice(0, -1);
    const stands = row?.revision === resident.committed?.revision;
    if (stands && (await this.lostClaim(item))) return;
    // What was heard before may have been read once more from a database that had gone back.
    const steady = stands && this.#scope.guard.reopenedAt < sentAt;
    this.#scope.told.misplaced(resident, item.mails, row, steady);
  }

  /** An earlier write of this machine had landed: its mail is not taken twice. */
  #landedLate(item: Item, landed: Doubt, row: MachineRow): void {
    const { told } = this.#scope;
    const resident = item.resident!;
    resident.doubtful = [];
    const rest = item.mails.filter((mail) => !landed.mails.includes(mail));
    if (landed.draft.stepId !== row.stepId) {
      told.overtaken(landed.draft, landed.mails);
      told.misplaced(resident, rest, row, false);
      return;
    }
    // When it was sent is long ago, so its effects begin under a new commit.
    resident.mailbox.unshift(...rest);
    told.landed(landed.draft, resident, landed.mails, -Infinity);
  }

  /** Which of the writes without an answer did land: the row names it or, when others stepped since, the history. */
  async #landedEarlier(resident: Resident, row: MachineRow): Promise<Doubt | undefined> {
    for (const doubt of resident.doubtful)
      if (await this.#insist(() => hasLanded(this.#scope.store, doubt.draft, row))) return doubt;
    return undefined;
  }

  /** Asks until the database answers; undefined when the lane was stopped meanwhile. */
  async #insist<T>(ask: () => Promise<T>): Promise<T | undefined> {
    while (!this.#stopped) {
      // What stands while the shard is not open may be older than what this node knows.
      await this.#scope.guard.opened();
      try {
        const answer = await ask();
        this.#backoff.succeeded();
        return answer;
      } catch (error) {
        this.#backoff.failed();
        this.#scope.health.failed(this.#part, error);
        await this.#backoff.wait();
      }
    }
    return undefined;
  }
}

/** Whether a step was written: the row names it or, when others stepped since, the history. */
export const hasLanded = async (
  store: Pick<ShardStore, 'history'>,
  { account, id, entry, stepId }: Draft,
  row: MachineRow,
): Promise<boolean> => {
  if (row.stepId === stepId) return true;
  if (!entry || row.revision <= entry.revision) return false;
  const [stands] = await store.history({ account, id }, entry.revision - 1, 1);
  return (
    stands?.revision === entry.revision &&
    stands.at === entry.at &&
    stands.event === entry.event &&
    stands.payload === entry.payload
  );
};
