import type { Kind } from '../contract/kind.ts';
import { compileChart, type Chart } from './chart.ts';
import type { MachineRow } from '../contract/rows.ts';

/** Every chart version of a build, made ready to step. */
export class Charts {
  readonly #byVersion = new Map<string, Chart>();
  readonly #current = new Map<string, Chart>();

  constructor(kinds: readonly Kind[]) {
    for (const kind of kinds)
      for (const version of Object.keys(kind.versions).map(Number)) {
        const chart = compileChart(kind, version);
        this.#byVersion.set(`${kind.name}:${version}`, chart);
        if (version === kind.current) this.#current.set(kind.name, chart);
      }
  }

  /** The chart new machines of a kind are born with. Throws `TypeError` when there is no such kind. */
  current(kind: string): Chart {
    const chart = this.#current.get(kind);
    if (!chart) throw new TypeError(`no machine of kind ${kind}`);
    return chart;
  }

  /** The chart of a row; undefined when this build lacks it. */
  of({ kind, version }: Pick<MachineRow, 'kind' | 'version'>): Chart | undefined {
    return this.#byVersion.get(`${kind}:${version}`);
  }

  /** Versions this build has, as `kind:version`. */
  get known(): string[] {
    return [...this.#byVersion.keys()];
  }
}
