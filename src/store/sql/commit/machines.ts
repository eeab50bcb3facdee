/** The rows of machines: `u` moves on those that stand where their step began from, `b` is born. */
import { removePackSeparators } from '../packArrayParameters.ts';
import type { Mode } from './advanceWriterSequenceNumber.ts';
import {
  bigintParameterColumn,
  type SqlParameterColumn,
  type CommitPreconditions,
  preconditionStatementSuffix,
  integerParameterColumn,
  machineKeyColumns,
  type Part,
  part,
  commitConditionsSql,
  packedTextParameterColumn,
} from './commitStatementPart.ts';
import type { MachineWrite } from '../../../engine/contract/rows.ts';

/** What a step leaves of a machine. The long ones stand first: the driver's buffer then grows in few bounds. */
const state: readonly SqlParameterColumn<MachineWrite>[] = [
  packedTextParameterColumn('snapshot', ({ row }) => row.snapshot),
  packedTextParameterColumn('agenda', ({ row }) => row.agenda),
  packedTextParameterColumn('state', ({ row }) => row.state),
  packedTextParameterColumn('milestones', ({ row }) => row.milestones),
  packedTextParameterColumn('attention', ({ row }) => row.attention && removePackSeparators(row.attention)),
  integerParameterColumn('revision', ({ row }) => row.revision),
  bigintParameterColumn('wake_at', ({ row }) => row.wakeAt),
  bigintParameterColumn('held_by', ({ row }) => row.heldBy),
  bigintParameterColumn('step_id', ({ row }) => row.stepId),
  bigintParameterColumn('ended_at', ({ row }) => row.endedAt),
];

const keys = machineKeyColumns<MachineWrite>((write) => write);

const updated = [...state, ...keys, integerParameterColumn<MachineWrite>('guard', ({ guard }) => guard)];

/** `mode`: steps that no journal has are passed over where others, which follow them, are written again. */
export const updateMachinesSql = (
  writes: readonly MachineWrite[],
  preconditions: CommitPreconditions,
  mode: Mode,
): Part =>
  part(
    `u${preconditionStatementSuffix(preconditions)}`,
    writes,
    updated,
    (rows) => `u AS (UPDATE machines m SET revision = t.revision, state = t.state, milestones = t.milestones,
  snapshot = t.snapshot::json, agenda = t.agenda, wake_at = t.wake_at, held_by = t.held_by, step_id = t.step_id,
  attention = t.attention, ended_at = t.ended_at FROM ${rows}
  WHERE m.account_id = t.account_id AND m.id = t.id AND m.revision ${mode === 'new' ? '=' : '<='} t.guard ${commitConditionsSql(
    preconditions,
  )
    .map((condition) => `AND ${condition}`)
    .join(' ')}
  RETURNING m.account_id, m.id)`,
    { name: 'steps' },
  );

const born = [
  ...state,
  ...keys,
  packedTextParameterColumn<MachineWrite>('kind', ({ insert: birth }) => birth!.kind),
  integerParameterColumn<MachineWrite>('version', ({ insert: birth }) => birth!.version),
  bigintParameterColumn<MachineWrite>('created_at', ({ insert: birth }) => birth!.createdAt),
];
const bornOfOthers = [...born, bigintParameterColumn<MachineWrite>('parent', ({ parent }) => parent)];

/** A machine that another's step starts is born only when that step stands. `withUpdates`: there is a part `u`. */
export const insertMachinesSql = (
  writes: readonly MachineWrite[],
  preconditions: CommitPreconditions,
  withUpdates: boolean,
): Part => {
  const children = writes.some((write) => write.parent !== null);
  const borne = withUpdates ? `(t.parent IS NULL OR ${stepIn('u')})` : 't.parent IS NULL';
  const conditions = [...commitConditionsSql(preconditions), ...(children ? [borne] : [])].join(' AND ');
  return part(
    `b${preconditionStatementSuffix(preconditions)}${children ? 'c' : ''}`,
    writes,
    children ? bornOfOthers : born,
    (rows) => `b AS (${inserted(rows, conditions)})`,
    { name: 'births' },
  );
};

/** Machines that are started by the first step of another in the same batch: born when that one is. */
export const insertChildrenOfNewMachinesSql = (
  writes: readonly MachineWrite[],
  preconditions: CommitPreconditions,
): Part =>
  part(
    `d${preconditionStatementSuffix(preconditions)}`,
    writes,
    bornOfOthers,
    (rows) => `d AS (${inserted(rows, [...commitConditionsSql(preconditions), stepIn('b')].join(' AND '))})`,
    { name: 'births' },
  );

/** Whether the step that bears it stands, by the part that writes it. */
const stepIn = (of: 'u' | 'b'): string =>
  `EXISTS (SELECT 1 FROM ${of} WHERE ${of}.account_id = t.account_id AND ${of}.id = t.parent)`;

const inserted = (
  rows: string,
  conditions: string,
): string => `INSERT INTO machines (account_id, id, kind, version, created_at, revision, state, milestones,
  snapshot, agenda, wake_at, held_by, step_id, attention, ended_at)
  SELECT account_id, id, kind, version, created_at, revision, state, milestones, snapshot::json, agenda, wake_at,
  held_by, step_id, attention, ended_at FROM ${rows} ${conditions ? `WHERE ${conditions}` : ''}
  ON CONFLICT (account_id, id) DO NOTHING RETURNING account_id, id`;
