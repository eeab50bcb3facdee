/**
 * One writer of a shard. It takes what is waiting whenever its connection is free and writes it with one statement:
 * no timer, and batches grow by themselves under load. A machine always goes through the same lane.
 *
 * Facts (events, timers, confirmations) are always admitted and written first; starts take at most a fifth of a batch.
 */
import { Draft, type DraftScope } from './draft.ts';
import type { Chart } from './chart.ts';
import type { Mail } from './mail.ts';
import type { Clock, EngineLog, EngineMetrics } from './ports.ts';
import type { Doubt, Resident } from './resident.ts';
import { BadBatch, type Key, type MachineRow, type ShardStore, type Write } from './store.ts';
import { writeOf } from './write.ts';
import { Unavailable, type ClaimRequest, type StartResult } from './verbs.ts';

/** Most machines in a statement, and most of them that may be starts. */
const BATCH = 500;
const BATCH_STARTS = BATCH / 5;
/** Most mail that one write folds together. */
const FOLD = 16;
/** Starts that may wait; more are refused early. */
const STARTS_WAITING = 2_000;
/** Between tries to read back after an error. */
const READ_BACK_MS = [20, 50, 100, 250, 500];

/** A start on its way. */
export interface Birth {
  chart: Chart;
  account: number;
  id: number;
  input: object;
  claims: ClaimRequest[];
  resolve(result: StartResult): void;
  reject(error: unknown): void;
  /** Its caller has gone; begin no further try. */
  abandoned: boolean;
}

/** One machine of a batch: its draft and what it was made of. */
interface Item {
  draft: Draft;
  mails: Mail[];
  resident: Resident | null;
  birth: Birth | null;
}

/** What the lane tells the shard; it decides nothing else itself. */
export interface LaneScope {
  index: number;
  shard: string;
  store: ShardStore;
  clock: Clock;
  metrics: EngineMetrics;
  log: EngineLog;
  drafts: DraftScope;
  now(): number;
  /** A draft is durable. `sentAt`: monotonic time its statement was sent. */
  landed(draft: Draft, resident: Resident | null, mails: readonly Mail[], sentAt: number): void;
  /** A draft did become durable, but others stepped since: its mail is dealt with, the rest is theirs. */
  overtaken(draft: Draft, mails: readonly Mail[]): void;
  /** The resident's mail is all dealt with and nothing was to be written. */
  rested(resident: Resident): void;
  /** The row stands otherwise than thought; here it is (or is not), and the mail that was not taken. */
  misplaced(resident: Resident, mails: Mail[], row: MachineRow | undefined): void;
  /** A machine whose very write is refused by the database for its data. */
  poisoned(resident: Resident, mails: Mail[], error: unknown): void;
}

export class Lane {
  readonly #scope: LaneScope;
  #ready: Resident[] = [];
  #births: Birth[] = [];
  #busy = false;
  #stopped = false;

  constructor(scope: LaneScope) {
    this.#scope = scope;
  }

  get waiting(): number {
    return this.#ready.length + this.#births.length;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Queues a resident that has mail and is neither being read nor written. */
  queue(resident: Resident): void {
    resident.phase = 'ready';
    this.#ready.push(resident);
    this.#kick();
  }

  /** Queues a start. Throws `Unavailable` when too many wait. */
  start(birth: Birth): void {
    if (this.#births.length >= STARTS_WAITING) throw new Unavailable('too many starts are waiting', 2);
    this.#births.push(birth);
    this.#kick();
  }

  /** Ends without a word, as a crash would. */
  abandon(): void {
    this.#stopped = true;
    this.#ready = [];
    this.#births = [];
  }

  #kick(): void {
    if (this.#busy || this.#stopped) return;
    this.#busy = true;
    this.#scope.clock.soon(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.waiting > 0 && !this.#stopped) {
      const items = this.#form();
      if (items.length > 0) await this.#write(items);
      await new Promise<void>((resolve) => this.#scope.clock.soon(resolve));
    }
    this.#busy = false;
    if (this.waiting > 0) this.#kick();
  }

  // ------------------------------------------------------------ forming a batch

  #form(): Item[] {
    const at = this.#scope.now();
    const items: Item[] = [];
    const claimed = new Set<string | number>();
    for (const resident of this.#ready.splice(0, BATCH)) {
      const item = this.#step(resident, at);
      if (item) this.#admit(item, items, claimed);
    }
    for (const birth of this.#births.splice(0, Math.min(BATCH_STARTS, BATCH - items.length))) {
      const item = this.#bear(birth, at);
      if (item) this.#admit(item, items, claimed);
    }
    return items;
  }

  /** A key, and an id, is claimed by one machine a statement; the next one waits its turn and will find it taken. */
  #admit(item: Item, items: Item[], claimed: Set<string | number>): void {
    const { draft } = item;
    const keys: (string | number)[] = [draft.id];
    for (const key of draft.claimants.keys()) keys.push(`${draft.account} ${key}`);
    if (!keys.some((key) => claimed.has(key))) {
      for (const key of keys) claimed.add(key);
      items.push(item);
      return;
    }
    if (item.birth) this.#births.push(item.birth);
    else this.#giveBack(item);
  }

  #step(resident: Resident, at: number): Item | null {
    resident.phase = 'writing';
    const mails = resident.takeMail(FOLD);
    const draft = Draft.next(resident.committed!, at, this.#scope.drafts, resident.settled);
    for (const mail of mails) draft.take(mail);
    if (!draft.idle) return { draft, mails, resident, birth: null };
    for (const mail of mails)
      if (mail.what === 'event') mail.done?.resolve({ outcome: 'stepped', state: draft.state });
    for (const mail of mails) if (mail.what === 'begin') mail.done?.(false);
    if (resident.mailbox.length > 0) this.queue(resident);
    else this.#scope.rested(resident);
    return null;
  }

  #bear(birth: Birth, at: number): Item | null {
    if (birth.abandoned) return null;
    try {
      const draft = Draft.birth(birth.chart, birth.account, birth.id, birth.input, at, this.#scope.drafts);
      for (const claim of birth.claims) draft.claim(claim.key, at + claim.forMs, claim.answer ?? null);
      return { draft, mails: [], resident: null, birth };
    } catch (error) {
      birth.reject(error);
      return null;
    }
  }

  #giveBack(item: Item): void {
    const resident = item.resident!;
    resident.mailbox.unshift(...item.mails);
    this.queue(resident);
  }

  // ------------------------------------------------------------ writing it

  async #write(items: Item[]): Promise<void> {
    const { clock, store, metrics } = this.#scope;
    let writes: Write[];
    try {
      writes = writesOf(items);
    } catch (error) {
      await this.#halve(items, error);
      return;
    }
    const sentAt = clock.monotonic();
    const count = writes.length;
    try {
      const written = await store.commit(this.#scope.index, writes, this.#scope.now());
      if (this.#stopped) return;
      metrics.committed(count, clock.monotonic() - sentAt);
      if (written === count) for (const item of items) this.#landed(item, sentAt);
      else await this.#readBack(items, sentAt, true);
    } catch (error) {
      if (this.#stopped) return;
      if (error instanceof BadBatch) await this.#halve(items, error);
      else {
        this.#scope.log.warn(
          { err: error, machines: items.length },
          'commit without an answer: reading back',
        );
        await this.#readBack(items, sentAt, false);
      }
    }
  }

  #landed(item: Item, sentAt: number): void {
    if (item.resident && item.resident.doubtful.length > 0) item.resident.doubtful = [];
    this.#scope.landed(item.draft, item.resident, item.mails, sentAt);
    item.birth?.resolve({
      outcome: 'started',
      ref: { shard: this.#scope.shard, account: item.draft.account, id: item.draft.id },
    });
  }

  /** Some data is at fault. Halves are written by themselves until the culprit is alone. */
  async #halve(items: Item[], error: unknown): Promise<void> {
    if (items.length > 1) {
      const middle = Math.ceil(items.length / 2);
      await this.#write(items.slice(0, middle));
      await this.#write(items.slice(middle));
      return;
    }
    const item = items[0]!;
    if (item.draft.claimants.size > 0 && (await this.#lostClaim(item))) return;
    if (item.birth) item.birth.reject(error);
    else this.#scope.poisoned(item.resident!, item.mails, error);
  }

  // ------------------------------------------------------------ reading back

  /** `answered`: what has not landed by now never will. */
  async #readBack(items: Item[], sentAt: number, answered: boolean): Promise<void> {
    const keys: Key[] = items.map(({ draft }) => ({ account: draft.account, id: draft.id }));
    const rows = await this.#insist(() => this.#scope.store.read(keys));
    if (!rows) return;
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const item of items) {
      const { resident, draft, mails } = item;
      if (resident) resident.doubtful = [...resident.doubtful, { draft, mails }];
      const row = byId.get(item.draft.id);
      if (row?.stepId === item.draft.stepId) this.#landed(item, sentAt);
      else if (item.birth) await this.#birthMissed(item, row);
      else await this.#stepMissed(item, row, answered);
    }
  }

  async #birthMissed(item: Item, row: MachineRow | undefined): Promise<void> {
    const birth = item.birth!;
    // The id was minted for this start: a row under it is this start's, landed by an earlier try and stepped since.
    if (row) {
      birth.resolve({
        outcome: 'started',
        ref: { shard: this.#scope.shard, account: birth.account, id: birth.id },
      });
      return;
    }
    if (item.draft.claimants.size > 0 && (await this.#lostClaim(item))) return;
    if (!birth.abandoned) this.#births.unshift(birth);
  }

  async #stepMissed(item: Item, row: MachineRow | undefined, answered: boolean): Promise<void> {
    const resident = item.resident!;
    const landed = row && (await this.#landedEarlier(resident, row));
    if (landed) {
      resident.doubtful = [];
      const rest = item.mails.filter((mail) => !landed.mails.includes(mail));
      if (landed.draft.stepId !== row.stepId) {
        this.#scope.overtaken(landed.draft, landed.mails);
        this.#scope.misplaced(resident, rest, row);
        return;
      }
      // When it was sent is long ago, so its effects begin under a new commit.
      resident.mailbox.unshift(...rest);
      this.#scope.landed(landed.draft, resident, landed.mails, -Infinity);
      return;
    }
    if (answered) resident.doubtful = resident.doubtful.slice(0, -1);
    if (
      row?.revision === resident.committed?.revision &&
      item.draft.claimants.size > 0 &&
      (await this.#lostClaim(item))
    )
      return;
    this.#scope.misplaced(resident, item.mails, row);
  }

  /** Which of the writes without an answer did land: the row names it or, when others stepped since, the history. */
  async #landedEarlier(resident: Resident, row: MachineRow): Promise<Doubt | undefined> {
    for (const doubt of resident.doubtful)
      if (doubt.draft.stepId === row.stepId || (await this.#isHistory(doubt.draft, row))) return doubt;
    return undefined;
  }

  async #isHistory({ account, id, entry }: Draft, row: MachineRow): Promise<boolean> {
    if (!entry || row.revision <= entry.revision) return false;
    const key = { account, id };
    const found = await this.#insist(() => this.#scope.store.history(key, entry.revision - 1, 1));
    const stands = found?.[0];
    return (
      stands?.revision === entry.revision &&
      stands.at === entry.at &&
      stands.event === entry.event &&
      stands.payload === entry.payload
    );
  }

  /** Whether another owner holds one of the item's claims; if so its caller, or its chart, is told. */
  async #lostClaim(item: Item): Promise<boolean> {
    const { draft } = item;
    const keys = [...draft.claimants.keys()].map((key) => ({ account: draft.account, key }));
    const held = await this.#insist(() => this.#scope.store.claims(keys, this.#scope.now()));
    const lost = held?.find((claim) => claim.owner !== String(draft.id));
    if (!lost) return false;
    if (item.birth) {
      item.birth.resolve({ outcome: 'claimed', key: lost.key, owner: lost.owner, answer: lost.answer });
      return true;
    }
    const asking = draft.claimants.get(lost.key);
    const refused: Mail = { what: 'claimRefused', key: lost.key, owner: lost.owner };
    if (asking?.what === 'event')
      asking.done?.resolve({ outcome: 'stepped', state: item.resident!.committed!.state });
    item.mails = item.mails.map((mail) => (mail === asking ? refused : mail));
    this.#giveBack(item);
    return true;
  }

  /** Asks until the database answers; undefined when the lane was stopped meanwhile. */
  async #insist<T>(ask: () => Promise<T>): Promise<T | undefined> {
    for (let tries = 0; !this.#stopped; tries++) {
      try {
        return await ask();
      } catch (error) {
        this.#scope.log.warn({ err: error }, 'database does not answer');
        const wait = READ_BACK_MS[Math.min(tries, READ_BACK_MS.length - 1)]!;
        await new Promise<void>((resolve) => void this.#scope.clock.after(wait, resolve));
      }
    }
    return undefined;
  }
}

const writesOf = (items: readonly Item[]): Write[] => {
  const writes: Write[] = [];
  for (const { draft } of items) {
    writes.push(writeOf(draft));
    for (const birth of draft.births) writes.push(writeOf(birth, draft.id));
  }
  return writes.toSorted(byKey);
};

const byKey = (one: Write, other: Write): number => one.account - other.account || one.id - other.id;
