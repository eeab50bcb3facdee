/**
 * Uses of tokens, and who was turned away: counted in memory by token, address, operation and minute, and written in
 * batches. A process that is killed loses the counts of its last seconds; who came in the first time that minute is
 * written within `firstMs`, the rest of the minute's count within `restMs`.
 */
import { ipAddressGroup } from '../../lib/ipAddressRanges.ts';
import type { AuditEntry } from '../../store/auditLog.ts';
import type { AccessRecord } from '../accessRecord.ts';

export interface TokenUseAuditOptions {
  /** Adds entries to the audit log; rejects when it cannot now. */
  write(entries: readonly AuditEntry[]): Promise<void>;
  /** Epoch milliseconds. */
  now(): number;
  /** Hears of entries that could not be written. */
  failed(error: unknown): void;
}

/**
 * Different visits of a minute that are told apart; more are counted together, without their addresses. Clients without
 * a known token must not be able to fill the log from a network of many addresses.
 */
const mostApart = { known: 5_000, unknown: 200 } as const;

const minuteMs = 60_000;
const firstMs = 2_000;
const restMs = 15_000;
const batch = 2_000;
/** Kept while the database is away. */
const mostWaiting = 50_000;

interface Use {
  entry: AuditEntry;
  /** To be written from this moment on. */
  due: number;
}

export class AccessTokenUsageCounter {
  readonly #options: TokenUseAuditOptions;
  readonly #waiting = new Map<string, Use>();
  /** What was told apart in the present minute, written or not. */
  readonly #apart = { known: new Set<string>(), unknown: new Set<string>() };
  #minute = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: TokenUseAuditOptions) {
    this.#options = options;
  }

  /** Counts one. `outcome`: HTTP status. Costs a look into a map. */
  note(record: AccessRecord, outcome: number): void {
    const at = this.#options.now();
    this.#turnTo(Math.floor(at / minuteMs));
    const { kind, account, action, code = '', actor } = record;
    const address = record.address.includes(':') ? ipAddressGroup(record.address) : record.address;
    const key = `${this.#minute} ${kind} ${account} ${address} ${action} ${code} ${actor}`;
    const use = this.#waiting.get(key) ?? this.#begin(key, { ...record, address }, at);
    use.entry.count += 1;
    use.entry.outcome = outcome;
  }

  #turnTo(minute: number): void {
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#apart.known.clear();
    this.#apart.unknown.clear();
    for (const use of this.#waiting.values()) use.due = 0;
  }

  #begin(key: string, record: AccessRecord, at: number): Use {
    const sort = record.account === null ? 'unknown' : 'known';
    const apart = this.#apart[sort];
    const wasThere = apart.has(key);
    if (!wasThere && apart.size >= mostApart[sort]) return this.#inCrowd(sort, record, at);
    apart.add(key);
    const detail = record.code === undefined ? '' : JSON.stringify({ code: record.code });
    const { kind, actor, address, action, account } = record;
    return this.#wait(key, at + (wasThere ? restMs : firstMs), {
      ...{ at, kind, actor, address, action, account, outcome: 0, count: 0, detail },
    });
  }

  #inCrowd(sort: string, { kind, action }: AccessRecord, at: number): Use {
    const key = `${this.#minute} many ${sort} ${kind} ${action}`;
    return (
      this.#waiting.get(key) ??
      this.#wait(key, at + restMs, {
        ...{ at, kind, actor: 'many', address: '', action, account: null, outcome: 0, count: 0, detail: '' },
      })
    );
  }

  #wait(key: string, due: number, entry: AuditEntry): Use {
    const use = { entry, due };
    this.#waiting.set(key, use);
    return use;
  }

  /** Begins to write in the background. */
  start(): void {
    this.#timer = setInterval(() => {
      this.#flush((due) => due <= this.#options.now()).catch((error: unknown) => this.#options.failed(error));
    }, firstMs / 2);
    this.#timer.unref();
  }

  /** Writes all that waits; rejects when it cannot be written now, and keeps it. */
  flush(): Promise<void> {
    return this.#flush(() => true);
  }

  /** Ends, and writes what waits; what cannot be written now is lost. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch((error: unknown) => this.#options.failed(error));
  }

  /** One at a time. */
  #flush(isDue: (due: number) => boolean): Promise<void> {
    const written = this.#writing.then(() => this.#write(isDue));
    this.#writing = written.catch(() => {});
    return written;
  }

  async #write(isDue: (due: number) => boolean): Promise<void> {
    this.#turnTo(Math.floor(this.#options.now() / minuteMs));
    const taken = [...this.#waiting].filter(([, { due }]) => isDue(due));
    for (let from = 0; from < taken.length; from += batch) {
      const part = taken.slice(from, from + batch);
      for (const [key] of part) this.#waiting.delete(key);
      try {
        await this.#options.write(part.map(([, { entry }]) => entry));
      } catch (error) {
        for (const [key, use] of taken.slice(from)) this.#returnToWaiting(key, use);
        throw error;
      }
    }
  }

  #returnToWaiting(key: string, { entry, due }: Use): void {
    const since = this.#waiting.get(key);
    if (since) since.entry.count += entry.count;
    else if (this.#waiting.size < mostWaiting) this.#wait(key, due, entry);
  }
}
