/**
 * The servers of an address with several hosts, and which of them takes writes. Every connection asks here where to go;
 * one that breaks, or is refused a write, casts doubt, and the next one has the servers looked at again. When another
 * server has taken over, connections to the one before are cut: what they wait for would not come, or not be kept.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseHost, parseMultiHostDatabaseUrl } from '../lib/multiHostDatabaseUrl.ts';
import { noWritableHostError } from './databaseFailover/noWritableHostError.ts';
import { DatabaseHostProbe, type DatabaseHostStatus } from './databaseFailover/hostProbe.ts';

/** A connection, open or on its way. */
export interface DatabaseHostConnection {
  host: DatabaseHost;
  /** The server that was there when it was opened. */
  server: string | undefined;
  /** Ends it at once; what is under way on it fails. */
  cut(): void;
}

/** Between the beginnings of two rounds, milliseconds: many who ask at once are one round. */
const spacingMs = 200;
/** A round does not wait longer; who answers later is heard in a later one, milliseconds. */
const roundMs = 500;
/** While a standby answers a promotion may come: so long a connection waits for it, milliseconds. */
const holdMs = 2_500;
/** Once a server takes writes, the others have so long to answer in the same round, milliseconds. */
const othersMs = 100;

const within = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });

/** The servers of `url`; undefined for an address that names one server, whatever it is. */
export const databaseHostsOf = (url: string): WritableDatabaseHostSelector | undefined => {
  const { single, hosts } = parseMultiHostDatabaseUrl(url);
  return hosts && new WritableDatabaseHostSelector(single, hosts);
};

export class WritableDatabaseHostSelector {
  readonly #probes: readonly DatabaseHostProbe[];
  readonly #open = new Set<DatabaseHostConnection>();
  #chosen: DatabaseHostStatus | undefined;
  #doubted = false;
  #round: Promise<readonly DatabaseHostStatus[]> | undefined;
  /** What the last round saw, where all refused. */
  #refusal: readonly DatabaseHostStatus[] | undefined;
  /** Answers that came after their round: the next one takes them. */
  #late = new Map<DatabaseHostProbe, DatabaseHostStatus>();
  /** Monotonic. */
  #nextRoundAt = 0;
  #moved: ((from: string, to: string) => void) | undefined;

  /** `single`: the address with one host, whichever. */
  constructor(single: string, hosts: readonly DatabaseHost[]) {
    this.#probes = hosts.map((host) => new DatabaseHostProbe(host, single));
  }

  /** Where the connections go; undefined: nothing is known yet. */
  get inUse(): DatabaseHostStatus | undefined {
    return this.#chosen;
  }

  /**
   * The server that takes writes; one that is merely slow is still it. Rejects when none does: at once where all refuse,
   * after 2.5 s where a standby answers, which may be promoted meanwhile.
   */
  async writable(): Promise<DatabaseHost> {
    const deadline = performance.now() + holdMs;
    for (;;) {
      if (this.#chosen && !this.#doubted) return this.#chosen.host;
      // All refused a moment ago: who asks now hears that, instead of waiting in line for the next round.
      if (this.#refusal && performance.now() < this.#nextRoundAt) throw noWritableHostError(this.#refusal);
      const seen = await this.look();
      if (this.#chosen && !this.#doubted) return this.#chosen.host;
      const slow = this.#slow(seen);
      if (slow) return slow;
      const mayCome =
        seen.length < this.#probes.length ||
        seen.some(({ state }) => state === 'standby' || state === 'readOnly');
      if (!mayCome) this.#refusal = seen;
      if (!mayCome || performance.now() > deadline) throw noWritableHostError(seen);
    }
  }

  /** The server that may still be the one: that in use has not answered yet, or before there was one, the first silent. */
  #slow(seen: readonly DatabaseHostStatus[]): DatabaseHost | undefined {
    const isOpen = (one?: DatabaseHostStatus): boolean => one === undefined || one.state === 'silent';
    const chosen = this.#chosen;
    if (!chosen) return seen.find(isOpen)?.host;
    return isOpen(seen.find(({ host }) => host === chosen.host)) ? chosen.host : undefined;
  }

  /** A connection to this server broke, or was refused a write: before the next one the servers are looked at. */
  doubt(host: DatabaseHost): void {
    if (this.#chosen?.host !== host) return;
    this.#doubted = true;
    if (this.#moved) void this.look();
  }

  /** Remembers a connection until the answered function is called, and cuts it when another server takes over. */
  register(connection: DatabaseHostConnection): () => void {
    this.#open.add(connection);
    return () => this.#open.delete(connection);
  }

  /**
   * Looks at all servers, and chooses anew where it must. What did not answer in time is missing; while the server in use
   * is well, one that refused a moment ago is not asked again. Never rejects.
   */
  look(): Promise<readonly DatabaseHostStatus[]> {
    this.#round ??= this.#lookRound().finally(() => (this.#round = undefined));
    return this.#round;
  }

  /** Looks at all of them, and waits for each. */
  async lookAtAll(): Promise<DatabaseHostStatus[]> {
    const seen = await Promise.all(this.#probes.map((probe) => probe.look(true)));
    this.#choose(seen);
    return seen;
  }

  /** Looks at one of them by itself, after all that was asked before. */
  async lookAgain(host: DatabaseHost): Promise<DatabaseHostStatus> {
    const probe = this.#probes.find((one) => one.host === host)!;
    await probe.look(true);
    return await probe.look(true);
  }

  /** From now on a doubt is looked into at once, on connections that stay open; `moved` hears of every new choice. */
  keepWatch(moved: (from: string, to: string) => void): void {
    this.#moved = moved;
    for (const probe of this.#probes) probe.keep();
  }

  /** Ends the connections of the watch. */
  close(): void {
    this.#moved = undefined;
    for (const probe of this.#probes) probe.close();
  }

  async #lookRound(): Promise<readonly DatabaseHostStatus[]> {
    const now = performance.now();
    if (this.#nextRoundAt > now) await pause(this.#nextRoundAt - now);
    this.#nextRoundAt = performance.now() + spacingMs;
    this.#refusal = undefined;
    const haste = this.#doubted || !this.#chosen;
    const seen = this.#late;
    this.#late = new Map();
    let isOver = false;
    const looks = this.#probes.map(async (probe) => {
      const status = seen.get(probe) ?? (await probe.look(haste));
      (isOver ? this.#late : seen).set(probe, status);
      if (!this.#settles(status)) throw new Error('look further');
    });
    const settled = Promise.any(looks).then(() => within(othersMs));
    // A server that hangs is not waited for.
    await Promise.race([Promise.allSettled(looks), within(roundMs), settled.catch(() => within(roundMs))]);
    isOver = true;
    const round = this.#probes.flatMap((probe) => seen.get(probe) ?? []);
    this.#choose(round);
    return round;
  }

  /** Whether this answer alone says where to go: the server in use, or one that was promoted after it. */
  #settles({ host, state, timeline = 0 }: DatabaseHostStatus): boolean {
    if (state !== 'writable') return false;
    return !this.#chosen || this.#chosen.host === host || timeline > this.#chosen.timeline!;
  }

  /** The server in use as long as it takes writes; else the latest that was promoted, the first listed of those. */
  #choose(seen: readonly DatabaseHostStatus[]): void {
    const before = this.#chosen;
    const writable = seen.filter(({ state }) => state === 'writable');
    const same = writable.find(({ host }) => host === before?.host);
    const [best] = same ? [same] : writable.toSorted((one, other) => other.timeline! - one.timeline!);
    if (!best) {
      this.#doubted = true;
      return;
    }
    this.#chosen = best;
    this.#doubted = false;
    // An address may move: another server answers at the same place then.
    if (before && (before.host !== best.host || before.server !== best.server)) this.#failOver(before, best);
  }

  #failOver(before: DatabaseHostStatus, now: DatabaseHostStatus): void {
    if (before.host !== now.host || before.timeline !== now.timeline) this.#moved?.(before.name, now.name);
    for (const { host, server, cut } of this.#open) if (host !== now.host || server !== now.server) cut();
  }
}
