import type { AgendaEntry } from './agenda.ts';
import type { Chart } from './chart.ts';
import type { Committed } from './committed.ts';
import type { MachineRow } from './store.ts';
import type { FrozenSnapshot, Snapshot } from './stepper.ts';
import { unbornIn } from './unborn.ts';

/** A row as it was read, in live form. */
export const thawRow = (chart: Chart, row: MachineRow): Committed => ({
  account: row.account,
  id: row.id,
  chart,
  revision: row.revision,
  state: row.state,
  milestones: JSON.parse(row.milestones) as string[],
  agenda: JSON.parse(row.agenda) as AgendaEntry[],
  parts: new Map(),
  attention: row.attention,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
  ...livingPart(chart, row),
});

type LivingPart = Pick<Committed, 'snapshot' | 'unborn' | 'seen' | 'life'>;

const livingPart = (chart: Chart, row: MachineRow): LivingPart => {
  const unborn = unbornIn(row);
  if (unborn) return { unborn, snapshot: undefined as unknown as Snapshot, seen: {}, life: null };
  const frozen = JSON.parse(row.snapshot) as FrozenSnapshot & { n?: Record<string, number> };
  const shape = chart.kind.record;
  const life = shape?.life(frozen.c, row.state);
  return {
    unborn,
    snapshot: chart.thaw(frozen),
    seen: frozen.n ?? {},
    // A record follows from the snapshot, so what was written last follows from it too.
    life: shape && life ? chart.columns.living.map((column) => life[column]) : null,
  };
};
