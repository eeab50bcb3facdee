import type { Kind } from '../contract/kind.ts';
import { compileChart, type CompiledChart } from './compileChart.ts';
import type { MachineRow } from '../contract/rows.ts';

/** Every chart version of a build, made ready to step. */
export class CompiledCharts {
  readonly #byVersion = new Map<string, CompiledChart>();
  readonly #current = new Map<string, CompiledChart>();

  constructor(kinds: readonly Kind[]) {
    for (const kind of kinds)
      for (const version of Object.keys(kind.versions).map(Number)) {
        const chart = compileChart(kind, version);
        this.#byVersion.set(`${kind.name}:${version}`, chart);
        if (version === kind.current) this.#current.set(kind.name, chart);
      }
  }

  /** The chart new machines of a kind are born with. Throws `TypeError` when there is no such kind. */
  current(kind: string): CompiledChart {
    const chart = this.#current.get(kind);
    if (!chart) throw new TypeError(`no machine of kind ${kind}`);
    return chart;
  }

  /** The chart of a row; undefined when this build lacks it. */
  of({ kind, version }: Pick<MachineRow, 'kind' | 'version'>): CompiledChart | undefined {
    return this.#byVersion.get(`${kind}:${version}`);
  }

  /** Versions this build has, as `kind:version`. */
  get known(): string[] {
    return [...this.#byVersion.keys()];
  }

  /** Those of low-priority kinds. */
  get lowPriority(): string[] {
    return [...this.#byVersion].filter(([, { kind }]) => kind.lowPriority).map(([version]) => version);
  }
}
