import type { TimerOrPendingEffect } from '../contract/timersAndPendingEffects.ts';
import type { CompiledChart } from './compileChart.ts';
import type { MachineState } from './machineState.ts';
import type { PersistedSnapshot, MachineSnapshot } from './stepperTypes.ts';
import { deferredInputOf } from '../contract/deferredStart.ts';
import type { MachineRow } from '../contract/rows.ts';

/** A row as it was read, in live form. */
export const deserializeMachineRow = (chart: CompiledChart, row: MachineRow): MachineState => ({
  account: row.account,
  id: row.id,
  chart,
  revision: row.revision,
  state: row.state,
  milestones: JSON.parse(row.milestones) as string[],
  agenda: JSON.parse(row.agenda) as TimerOrPendingEffect[],
  jsonCache: new Map(),
  attention: row.attention,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
  ...livingPart(chart, row),
});

type LivingPart = Pick<MachineState, 'snapshot' | 'deferred' | 'lastSeq' | 'recordValues'>;

const livingPart = (chart: CompiledChart, row: MachineRow): LivingPart => {
  const deferred = deferredInputOf(row);
  if (deferred)
    return { deferred, snapshot: undefined as unknown as MachineSnapshot, lastSeq: {}, recordValues: null };
  const frozen = JSON.parse(row.snapshot) as PersistedSnapshot & { n?: Record<string, number> };
  const shape = chart.kind.record;
  const life = shape?.onUpdate(frozen.c, row.state);
  return {
    deferred,
    snapshot: chart.thaw(frozen),
    lastSeq: frozen.n ?? {},
    // A record follows from the snapshot, so what was written last follows from it too.
    recordValues: shape && life ? chart.columns.living.map((column) => life[column]) : null,
  };
};
