/** Keys that only one machine may hold until a time: who lost one, who takes one, who gives one back. */
import {
  bigintParameterColumn,
  type RowOfMachineWrite,
  collectMachineChildRows,
  machineKeyColumns,
  sqlParameterColumnOfType,
  OK,
  type Part,
  part,
} from './commitStatementPart.ts';
import type { KeyClaimWrite, MachineWrite } from '../../../engine/contract/rows.ts';

type Claim = RowOfMachineWrite<KeyClaimWrite>;

const keys = [
  ...machineKeyColumns<Claim>(({ of }) => of),
  sqlParameterColumnOfType<Claim>('key', 'text', ({ row }) => row.key),
];
const values = [
  ...keys,
  bigintParameterColumn<Claim>('until', ({ row }) => row.until),
  sqlParameterColumnOfType<Claim>('answer', 'text', ({ row }) => row.answer),
];

const claimsOf = (batch: readonly MachineWrite[]): Claim[] =>
  collectMachineChildRows(batch, (write) => write.claims);

/**
 * Its time, the statement's own parameter, is the first one. The sum keeps PostgreSQL from looking at all claims that
 * stand, which have an index by `until`, instead of the few by their keys.
 */
export const lost = (batch: readonly MachineWrite[]): Part =>
  part(
    'L',
    claimsOf(batch),
    keys,
    (rows) => `lost AS (SELECT t.account_id, t.id FROM ${rows}
  JOIN claims c ON c.account_id = t.account_id AND c.key = t.key
  WHERE c.until + 0 > $1::bigint AND c.owner <> t.id::text)`,
  );

/** A claim that was taken since `lost` looked makes `until` null, which the table refuses: the statement is sent again. */
const IF_STILL_FREE = `CASE WHEN claims.until <= $1::bigint
  OR claims.owner = excluded.owner THEN excluded.until END`;

/** `isJudged`: `lost` looked. Else who takes a claim had it, though the step that gave it back may be in no journal. */
export const takeKeyClaimsSql = (batch: readonly MachineWrite[], isJudged: boolean): Part =>
  part(
    'C',
    claimsOf(batch),
    values,
    (rows) => `c AS (INSERT INTO claims (account_id, key, until, owner, answer)
  SELECT account_id, key, until, id::text, answer FROM ${rows} ${OK}
  ON CONFLICT (account_id, key) DO UPDATE SET until = ${isJudged ? IF_STILL_FREE : 'excluded.until'}, owner = excluded.owner, answer = excluded.answer)`,
    { name: 'claims' },
  );

const released = [
  ...machineKeyColumns<RowOfMachineWrite<string>>(({ of }) => of),
  sqlParameterColumnOfType<RowOfMachineWrite<string>>('key', 'text', ({ row }) => row),
];

export const releaseKeyClaimsSql = (batch: readonly MachineWrite[]): Part[] => {
  const rows = collectMachineChildRows(batch, (write) => write.releases);
  if (rows.length === 0) return [];
  return [
    part(
      'r',
      rows,
      released,
      (source) => `r AS (DELETE FROM claims c USING ${source} ${OK}
  WHERE c.account_id = t.account_id AND c.key = t.key AND c.owner = t.id::text)`,
      { name: 'releases' },
    ),
  ];
};
