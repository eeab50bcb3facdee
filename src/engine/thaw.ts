import type { AgendaEntry } from './agenda.ts';
import type { Chart, FrozenSnapshot } from './chart.ts';
import type { Committed } from './committed.ts';
import type { MachineRow } from './store.ts';

/** A row as it was read, in live form. */
export const thawRow = (chart: Chart, row: MachineRow): Committed => {
  const frozen = JSON.parse(row.snapshot) as FrozenSnapshot & { n?: Record<string, number> };
  const shape = chart.kind.record;
  const life = shape?.life(frozen.c, row.state);
  return {
    account: row.account,
    id: row.id,
    chart,
    revision: row.revision,
    snapshot: chart.thaw(frozen),
    state: row.state,
    milestones: JSON.parse(row.milestones) as string[],
    agenda: JSON.parse(row.agenda) as AgendaEntry[],
    seen: frozen.n ?? {},
    // A record follows from the snapshot, so what was written last follows from it too.
    life: shape && life ? chart.columns.living.map((column) => life[column]) : null,
    parts: new Map(),
    attention: row.attention,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
  };
};
