/**
 * Uses of tokens, and who was turned away: counted in memory by token, address, operation and minute, and written in
 * batches. A process that is killed loses the counts of its last seconds; who came in the first time that minute is
 * written within `firstMs`, the rest of the minute's count within `restMs`.
 */
import { addressGroup } from '../../rules/addresses.ts';
import type { AuditEntry } from '../../store/auditLog.ts';
import type { Visit } from '../visit.ts';

export interface UsesOptions {
  /** Adds entries to the audit log; rejects when it cannot now. */
  write(entries: readonly AuditEntry[]): Promise<void>;
  /** Epoch milliseconds. */
  now(): number;
  /** Hears of entries that could not be written. */
  failed(error: unknown): void;
  /** Different visits counted at a time; beyond that they are counted together, without their addresses. Default 20,000. */
  most?: number;
}

const minuteMs = 60_000;
const firstMs = 2_000;
const restMs = 15_000;
const batch = 2_000;

interface Use {
  entry: AuditEntry;
  /** To be written from this moment on. */
  due: number;
}

export class Uses {
  readonly #options: UsesOptions;
  readonly #most: number;
  #waiting = new Map<string, Use>();
  /** What was written in the present minute already. */
  #known = new Set<string>();
  #minute = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: UsesOptions) {
    this.#options = options;
    this.#most = options.most ?? 20_000;
  }

  /** Counts one. `outcome`: HTTP status. Costs a look into a map. */
  note(visit: Visit, outcome: number): void {
    const at = this.#options.now();
    this.#turnTo(Math.floor(at / minuteMs));
    const { kind, account, action, code = '', actor } = visit;
    const address = visit.address.includes(':') ? addressGroup(visit.address) : visit.address;
    const key = `${this.#minute} ${kind} ${account} ${address} ${action} ${code} ${actor}`;
    const use = this.#waiting.get(key) ?? this.#begin(key, { ...visit, address }, at);
    use.entry.count += 1;
    use.entry.outcome = outcome;
  }

  #turnTo(minute: number): void {
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#known.clear();
    for (const use of this.#waiting.values()) use.due = 0;
  }

  #begin(key: string, visit: Visit, at: number): Use {
    const crowded = this.#waiting.size >= this.#most;
    const place = crowded ? `${this.#minute} crowd ${visit.kind} ${visit.action}` : key;
    const there = crowded ? this.#waiting.get(place) : undefined;
    if (there) return there;
    const entry: AuditEntry = {
      at,
      kind: visit.kind,
      actor: crowded ? 'many' : visit.actor,
      address: crowded ? '' : visit.address,
      action: visit.action,
      account: crowded ? null : visit.account,
      outcome: 0,
      count: 0,
      detail: visit.code === undefined || crowded ? '' : JSON.stringify({ code: visit.code }),
    };
    const use = { entry, due: at + (this.#known.has(key) ? restMs : firstMs) };
    this.#waiting.set(place, use);
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
        for (const [key, use] of taken.slice(from)) this.#putBack(key, use);
        throw error;
      }
      for (const [key] of part) if (key.startsWith(`${this.#minute} `)) this.#known.add(key);
    }
  }

  #putBack(key: string, { entry, due }: Use): void {
    const since = this.#waiting.get(key);
    if (since) since.entry.count += entry.count;
    else if (this.#waiting.size < 2 * this.#most) this.#waiting.set(key, { entry, due });
  }
}
