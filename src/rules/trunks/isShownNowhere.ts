/** Whether a leg has no trunk for its caller id's sake alone: what an operation asks before it shows another one. */
import { chooseTrunks } from './chooseTrunks.ts';
import type { TrunkRoutingTable, TrunkChoiceRequest } from './trunkTypes.ts';

/**
 * True where trunks would carry the leg now or at another hour, and none of them may show its caller id. Trunks that are off or
 * draining carry nothing and do not count.
 */
export const isCallerIdRefusedByTrunks = (
  wanted: Omit<TrunkChoiceRequest, 'draw'>,
  table: TrunkRoutingTable,
): boolean => {
  const { candidates, leftOut } = chooseTrunks({ ...wanted, draw: 0 }, table);
  const reasons = new Set(leftOut.map(({ reason }) => reason));
  return candidates.length === 0 && reasons.has('callerId') && !reasons.has('hours');
};
