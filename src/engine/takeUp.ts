/** Taking up what dead incarnations left, and what living ones seem to have forgotten. Taking up is a commit: one node wins. */
import type { Membership } from './membership.ts';
import type { Clock, EngineLog } from './ports.ts';
import type { ShardStore, TakenUp } from './store.ts';

/** Rows taken up in one transaction. */
const CHUNK = 2_000;
/** More machines waiting to be stepped than this, and taking up pauses. */
const BACKLOG = 4_000;

export interface TakeUpScope {
  store: ShardStore;
  clock: Clock;
  log: EngineLog;
  membership: Membership;
  /** Chart versions this build has, as `kind:version`. */
  known: string[];
  /** Machines waiting to be stepped. */
  backlog: () => number;
  taken: (row: TakenUp) => void;
}

export class TakeUp {
  readonly #scope: TakeUpScope;
  #busy = false;
  #stopped = false;

  constructor(scope: TakeUpScope) {
    this.#scope = scope;
  }

  /** Takes up everything unfinished that these incarnations held. */
  run(dead: number[]): void {
    void this.#take(dead, null);
  }

  /** Takes up rows whose time came long ago, whoever holds them: twice the grace time. */
  overdue(): void {
    const { membership } = this.#scope;
    if (membership.others > 0 && membership.fresh)
      void this.#take([], membership.now() - 2 * membership.graceMs);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #take(dead: number[], overdue: number | null): Promise<void> {
    if (this.#busy || this.#stopped) return;
    this.#busy = true;
    try {
      let count = 0;
      for (
        let rows = await this.#chunk(dead, overdue);
        rows.length > 0;
        rows = await this.#chunk(dead, overdue)
      ) {
        if (this.#stopped) return;
        count += rows.length;
        for (const row of rows) this.#scope.taken(row);
        await this.#breathe();
      }
      if (count > 0) this.#scope.log.info({ machines: count, dead, overdue }, 'machines taken up');
    } catch (error) {
      this.#scope.log.warn({ err: error }, 'taking up was interrupted');
    } finally {
      this.#busy = false;
    }
  }

  #chunk(dead: number[], overdue: number | null): Promise<TakenUp[]> {
    const { store, membership, known } = this.#scope;
    const { incarnation: heldBy } = membership;
    return store.takeUp({
      dead,
      overdue,
      heldBy,
      stepId: membership.mint(),
      at: membership.now(),
      known,
      limit: CHUNK,
    });
  }

  async #breathe(): Promise<void> {
    while (this.#scope.backlog() > BACKLOG && !this.#stopped)
      await new Promise<void>((resolve) => void this.#scope.clock.after(10, resolve));
  }
}
