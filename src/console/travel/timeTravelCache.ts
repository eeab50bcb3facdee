/** Travels of the machines that pages look at, brought up to date whenever they are asked for. */
import type { MachineEngine, HistoryEntryView, MachineRef, MachineView } from '../../engine/contract/api.ts';
import type { Kind } from '../../engine/contract/kind.ts';
import { compileChart } from '../../engine/step/compileChart.ts';
import { lruOf } from '../../lib/lru.ts';
import { readStatechart } from '../statechart/statechartData.ts';
import { historyEntryPathFinder } from '../statechart/highlightMachineHistory.ts';
import {
  type PastMachineState,
  MachineTimeTravel,
  type ReplayableChartVersion,
} from './machineTimeTravel.ts';

/** Machines that are kept. */
const mostTravels = 16;
/** Entries of one machine that can be travelled; of a longer history, the first ones. */
const mostEntries = 100_000;
/** Read at a time: in between, others are served. */
const page = 500;

export type MachineHistorySource = Pick<MachineEngine, 'history'>;

interface Kept {
  travel: MachineTimeTravel;
  /** Who asks meanwhile waits for the same. */
  growing: Promise<void>;
}

export class MachineTimeTravelCache {
  readonly #engine: MachineHistorySource;
  readonly #charts = new Map<string, ReplayableChartVersion>();
  readonly #kept = lruOf<string, Kept>(mostTravels);

  constructor(engine: MachineHistorySource) {
    this.#engine = engine;
  }

  /** The way of a machine until now; undefined: this build lacks its chart version. */
  async of(
    ref: MachineRef,
    view: Pick<MachineView, 'version'>,
    kind: Kind | undefined,
  ): Promise<MachineTimeTravel | undefined> {
    if (!kind?.versions[view.version]) return undefined;
    const key = keyOf(ref);
    const kept = this.#kept.get(key) ?? {
      travel: new MachineTimeTravel(this.#chartOf(kind, view.version), ref.id),
      growing: Promise.resolve(),
    };
    this.#kept.set(key, kept);
    kept.growing = kept.growing.then(() => this.#grow(ref, kept.travel));
    try {
      await kept.growing;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
    return kept.travel;
  }

  /** A moment of a travel; undefined: entries are gone that it was made of, and it must be made anew. */
  async moment(
    ref: MachineRef,
    travel: MachineTimeTravel,
    index: number,
  ): Promise<PastMachineState | undefined> {
    const from = travel.checkpointOf(index);
    const entries = await this.entries(ref, travel, from, index - from + 1);
    return entries && travel.moment(index, entries);
  }

  /** Entries by index, at most 500; undefined: some of them are gone. */
  async entries(
    ref: MachineRef,
    travel: MachineTimeTravel,
    from: number,
    count: number,
  ): Promise<HistoryEntryView[] | undefined> {
    const asked = Math.max(0, Math.min(count, page, travel.count - from));
    if (asked === 0) return [];
    const entries = await this.#engine.history(ref, travel.revisionAt(from - 1), asked);
    if (entries[0]?.revision === travel.revisionAt(from) && entries.length === asked) return entries;
    this.#kept.delete(keyOf(ref));
    return undefined;
  }

  async #grow(ref: MachineRef, travel: MachineTimeTravel): Promise<void> {
    while (travel.count < mostEntries) {
      const entries = await this.#engine.history(ref, travel.revisionAt(travel.count - 1), page);
      travel.add(entries);
      if (entries.length < page) return;
    }
  }

  #chartOf(kind: Kind, version: number): ReplayableChartVersion {
    const name = `${kind.name} ${version}`;
    let known = this.#charts.get(name);
    if (!known) {
      const legOf = historyEntryPathFinder(readStatechart(kind.name, version, kind.versions[version]!));
      this.#charts.set(name, (known = { chart: compileChart(kind, version), legOf }));
    }
    return known;
  }
}

const keyOf = ({ shard, account, id }: MachineRef): string => `${shard} ${account} ${id}`;
