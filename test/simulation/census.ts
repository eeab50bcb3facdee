/** The nodes of the simulated shard: who joined, beats and is declared dead, judged the moment it is done. */
import type { Beat, NodeRow, ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { JournalOwner } from '../../src/engine/contract/journal.ts';
import type { MemoryTables } from '../../src/store/memory.ts';
import type { Book } from './book.ts';
import { CROWD } from './crowd.ts';
import type { Identities } from './identities.ts';
import { EPOCH, GRACE_MS, type Break } from './plan.ts';
import type { World } from './world.ts';

/** Clocks of nodes do not run alike, and what a heartbeat was sent for is done a moment later; milliseconds. */
const LATEST_MS = 50;

type Place = Awaited<ReturnType<ShardMachineStore['register']>>;

export interface CensusScope {
  world: World;
  book: Book;
  tables: MemoryTables;
  identities: Identities;
  broken: Break | undefined;
  /** How far the database's clock was set from the truth. */
  clockSetMs(): number;
}

export class Census {
  readonly #scope: CensusScope;
  /** When an incarnation beat last, virtual. */
  readonly #beatenAt = new Map<number, number>();
  /** The last heartbeat of a node that runs machines, and how the clocks stood. */
  #lastBeat = { beat: { at: EPOCH, aheadMs: 0 }, now: 0, clockSetMs: 0 };

  constructor(scope: CensusScope) {
    this.#scope = scope;
  }

  /** What it knows now, given back with the database: a heartbeat that the database forgot is none. */
  remember(): () => void {
    const beatenAt = new Map(this.#beatenAt);
    return () => {
      this.#beatenAt.clear();
      for (const [incarnation, at] of beatenAt) this.#beatenAt.set(incarnation, at);
    };
  }

  /** What is about to be asked, as a database that lacks a guard takes it. */
  asked(verb: keyof ShardMachineStore, given: unknown[]): void {
    if (verb !== 'declareDead' || this.#scope.broken !== 'heartbeats') return;
    given[2] &&= this.#scope.tables.nodes.get(given[0] as number);
  }

  /** What was done, and its answer as the node hears it. A node is declared dead for its silence only when it has been silent. */
  done(verb: keyof ShardMachineStore, given: unknown[], result: unknown): unknown {
    if (verb === 'register') this.#joined(result as Place);
    if (verb === 'enlist') this.#enlisted(given, result as Pick<Place, 'slot'>);
    // One that has left is dead to others without having been silent.
    if (verb === 'leaveNode') this.#beatenAt.delete(given[0] as number);
    if (verb === 'declareDead' && given[2] !== null && result === true) this.#judgeDeath(given[0] as number);
    if (verb !== 'beat') return result;
    const { alive, nodes } = result as { alive: boolean; nodes: NodeRow[] };
    if (alive) this.#beaten(given[0] as Beat);
    return { alive, nodes: nodes.map((node) => this.#listed(node)) };
  }

  /** Nodes that only beat do so, by the time of those who work; the shard's time, and how far it is ahead. */
  crowdBeats(): [at: number, aheadMs: number] {
    const { world, tables, clockSetMs } = this.#scope;
    const { beat, now, clockSetMs: setThen } = this.#lastBeat;
    const beatAt = Math.round(beat.at + world.now - now);
    const aheadMs = Math.round(beat.aheadMs + setThen - clockSetMs());
    for (const node of tables.nodes.values())
      if (node.name === CROWD)
        Object.assign(node, { beats: node.beats + 1, beatAt, aheadMs, confirmed: tables.state.doubt });
    return [beatAt, aheadMs];
  }

  /** Without its guards the database gives away a slot that is in use, or does not know how far its users minted. */
  #joined(place: Place): void {
    const { world, identities, broken } = this.#scope;
    if (broken === 'minted') place.mintedMs = 0;
    if (broken === 'slots') this.#giveTaken(place);
    this.#beatenAt.set(place.incarnation, world.now);
    identities.joined(place);
  }

  /** One that a database had forgotten is known again, with the slot it has from now on. */
  #enlisted([owner, , stoppedAt]: unknown[], { slot }: Pick<Place, 'slot'>): void {
    const { incarnation } = owner as JournalOwner;
    this.#scope.book.count('enlisted');
    if (stoppedAt !== null) return;
    this.#beatenAt.set(incarnation, this.#scope.world.now);
    this.#scope.identities.joined({ incarnation, slot });
  }

  #giveTaken(place: Place): void {
    const { nodes } = this.#scope.tables;
    const users = [...nodes.values()].filter(({ incarnation }) => incarnation !== place.incarnation);
    const left = new Set(users.filter(({ stoppedAt }) => stoppedAt !== null).map(({ slot }) => slot));
    const taken = users.find(({ slot, stoppedAt }) => stoppedAt === null && left.has(slot));
    if (taken) nodes.get(place.incarnation)!.slot = place.slot = taken.slot;
  }

  #beaten(beat: Beat): void {
    const { now } = this.#scope.world;
    this.#beatenAt.set(beat.incarnation, now);
    this.#scope.identities.beaten(beat);
    this.#lastBeat = { beat, now, clockSetMs: this.#scope.clockSetMs() };
  }

  #judgeDeath(incarnation: number): void {
    const { world, book } = this.#scope;
    const beatenAt = this.#beatenAt.get(incarnation);
    this.#beatenAt.delete(incarnation);
    const silentMs = world.now - (beatenAt ?? -Infinity);
    if (silentMs < GRACE_MS - LATEST_MS)
      book.violated('declared dead alive', incarnation, `it beat ${Math.round(silentMs)} ms before`);
  }

  /** Without beats that are counted (`--break heartbeats`) those whose stamps are old by the clock seem to stand still. */
  #listed(node: NodeRow): NodeRow {
    const { world, broken, clockSetMs } = this.#scope;
    const clock = EPOCH + world.now + clockSetMs();
    if (broken !== 'heartbeats' || node.beatAt >= clock - GRACE_MS) return node;
    return { ...node, beats: -1, beatAt: -1 };
  }
}
