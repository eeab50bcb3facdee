/**
 * What this node knows of a shard that the database may have forgotten: the numbers of its writers' commits.
 *
 * A standby that was promoted, and a backup that was restored, may lack what was acknowledged. Every commit moves its
 * writer's number on by one, and is written only while the shard is open on this server's history (`store.ts`). Where a
 * number is lower than one that this node was told of, or the history is another, the shard is doubted:
 *
 *   open      machines step
 *   checking  every node compares its numbers; where all that hold machines vouch, the shard opens by itself
 *   closed    commits were lost, or may be: an operator decides
 */
import type { Clock, EngineLog } from './ports.ts';
import type { NodeRow, ShardState, ShardStore, Standing, Ticket } from './store.ts';

/** One writer's numbers. */
interface Writer {
  token: string;
  /** Of the last commit that is known to stand. */
  number: number;
  /** The highest that may stand: a commit that was sent and has no answer may have moved it on, or may still. */
  most: number;
}

export interface GuardScope {
  shard: string;
  store: ShardStore;
  clock: Clock;
  log: EngineLog;
  /** The shard's time, epoch milliseconds. */
  now(): number;
}

export class Guard {
  readonly #scope: GuardScope;
  #incarnation = 0;
  #writers: Writer[] = [];
  #state: ShardState = 'open';
  #reason = '';
  #losses = 0;
  /** Those who wait for the shard to open. */
  #waiting: (() => void)[] = [];
  #looking: Promise<void> | undefined;
  #overruled = false;
  #suspicion: string | undefined;
  #stopped = false;

  constructor(scope: GuardScope) {
    this.#scope = scope;
  }

  /** This node has a new incarnation, whose numbers begin at 0. */
  async begin(incarnation: number, tokens: readonly string[]): Promise<void> {
    this.#incarnation = incarnation;
    this.#writers = tokens.map((token) => ({ token, number: 0, most: 0 }));
    const { losses } = await this.#scope.store.standing(incarnation);
    this.#losses = losses;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Why nothing is written, as the end of "the shard …"; undefined: the shard is open. */
  get problem(): string | undefined {
    if (this.#state === 'open') return undefined;
    return `is ${this.#state}: ${this.#reason}; ${this.#rest}`;
  }

  /** The same for a caller, who knows no nodes; undefined: the shard is open. */
  get refusal(): string | undefined {
    if (this.#state === 'open') return undefined;
    return this.#state === 'closed'
      ? 'is closed until an operator decides'
      : 'is being checked: ask again soon';
  }

  /** What has to come before the shard opens. */
  get #rest(): string {
    if (this.#state === 'closed') return `an operator decides (ramal shard open ${this.#scope.shard})`;
    return this.#suspicion === undefined ? 'its nodes compare what they know' : 'it opens when that is over';
  }

  /** Commits that this node was told of are lost, and the shard was opened all the same: nothing in memory is true. */
  get isOverruled(): boolean {
    return this.#overruled;
  }

  /** Settles when the shard is open, or this node stops. */
  async opened(): Promise<void> {
    while (!this.isOpen && !this.#stopped)
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  /** For the next commit of a lane. */
  ticket(lane: number): Ticket {
    const writer = this.#writers[lane]!;
    const { token, number } = writer;
    writer.most = number + 1;
    return { incarnation: this.#incarnation, lane, token, number };
  }

  /** A commit under this ticket was written. */
  written({ incarnation, lane, number }: Ticket): void {
    if (incarnation !== this.#incarnation) return;
    Object.assign(this.#writers[lane]!, { number: number + 1, most: number + 1 });
  }

  /** Compares what this node knows with what stands, and moves the shard on from there. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /**
   * What speaks from outside against the server that is in use, a split brain say, as the end of "the shard …"; undefined:
   * nothing does any more. As long as it stands this node does not vouch, so the shard does not open.
   */
  async suspect(reason: string | undefined): Promise<void> {
    this.#suspicion = reason;
    await this.look();
  }

  /** Ends without a word. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  async #look(): Promise<void> {
    const { store, now } = this.#scope;
    const writers = this.#writers;
    // What is acknowledged while the question is under way may not stand in its answer.
    const known = writers.map(({ number }) => number);
    let standing = await store.standing(this.#incarnation);
    // This node has another incarnation since, or none yet.
    if (writers !== this.#writers) return;
    const missing = this.#missing(standing, known);
    if (standing.state === 'open' && standing.losses === this.#losses) {
      const reason = missing ?? this.#suspicion ?? anotherHistory(standing);
      if (reason !== undefined) {
        await store.doubt(reason, now());
        standing = await store.standing(this.#incarnation);
      }
    }
    if (standing.state === 'checking') standing = await this.#check(standing, missing);
    this.#overruled = standing.losses !== this.#losses;
    if (!(this.#overruled && standing.state === 'open')) this.#stands(standing);
  }

  /** Vouches for its own numbers, or says that commits are missing; where all have vouched the shard opens. */
  async #check(standing: Standing, missing: string | undefined): Promise<Standing> {
    const { store, now } = this.#scope;
    if (missing !== undefined) await store.close(missing, now());
    else if (this.#suspicion === undefined) {
      await store.vouch(this.#incarnation, standing.doubt);
      const { opened, missing: others } = await store.openVouched(standing.doubt, now());
      if (!opened && others.length > 0 && others.every(({ stoppedAt }) => stoppedAt !== null))
        await store.close(`${standing.reason}, and ${heldByEnded(others)}`, now());
    }
    return store.standing(this.#incarnation);
  }

  /** What of this node's commits does not stand, in words. Numbers without an answer are taken from what stands. */
  #missing({ writers }: Standing, known: readonly number[]): string | undefined {
    for (const [lane, writer] of this.#writers.entries()) {
      const found = writers.find((one) => one.lane === lane);
      const acknowledged = known[lane]!;
      if (found?.token !== writer.token)
        return `the database does not know node ${this.#incarnation}, which has written to it`;
      if (found.number < acknowledged) return lacking(acknowledged - found.number, this.#incarnation);
      if (found.number > writer.most)
        return `the database has commits of node ${this.#incarnation} that it never sent`;
    }
    for (const { lane, number } of writers) {
      const writer = this.#writers[lane]!;
      // A commit whose answer is missing, or on its way, stands: the next one goes after it.
      if (number > writer.number) Object.assign(writer, { number, most: number });
    }
    return undefined;
  }

  #stands({ state, reason }: Standing): void {
    const before = this.#state;
    this.#state = state;
    this.#reason = reason;
    if (state === before) return;
    const fields = { shard: this.#scope.shard, state, reason };
    if (state === 'open') this.#scope.log.info(fields, 'the shard is open again');
    else if (state === 'checking')
      this.#scope.log.warn(fields, 'the shard is being checked: nothing is dialled');
    else this.#scope.log.error(fields, 'the shard is closed: nothing is dialled until an operator decides');
    if (state === 'open') this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const lacking = (commits: number, node: number): string =>
  commits === 1
    ? `1 acknowledged commit of node ${node} is not in the database`
    : `${commits} acknowledged commits of node ${node} are not in the database`;

const anotherHistory = ({ opened, now }: Standing): string | undefined =>
  opened === null || opened === now
    ? undefined
    : `the database server writes another history (${now}) than the one that the shard was opened on (${opened}): ` +
      'a standby was promoted, or a backup restored';

const heldByEnded = (nodes: readonly NodeRow[]): string => {
  const names = nodes.map(({ name, incarnation }) => `${name} ${incarnation}`.trim()).join(', ');
  return nodes.length === 1
    ? `machines are held by a node that has ended and cannot vouch for them (${names})`
    : `machines are held by nodes that have ended and cannot vouch for them (${names})`;
};
