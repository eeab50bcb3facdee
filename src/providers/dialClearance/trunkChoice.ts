/** Trunks as call admission asks for them: which may carry an attempt, and what follows when none may. */
import type { DialClearanceEvent, DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import { chooseTrunks, chooseTrunksWithPool } from '../../rules/trunks/chooseTrunks.ts';
import type { LegTariff } from '../../../machines/contracts/price.ts';
import { randomDrawForAttempt } from '../../rules/trunks/randomDrawForAttempt.ts';
import type {
  TrunkCandidates,
  TrunkExclusionReason,
  Trunk,
  TrunkRoutingTable,
  TrunkChoiceRequest,
} from '../../rules/trunks/trunkTypes.ts';
import { legTariffOf } from '../../rules/trunks/carrierCallCost.ts';
import type { CallMachineRef } from '../contracts/dialClearance.ts';
import type { TrunkCapacity } from './capacityLimiter.ts';
import type { DialClearanceRequest } from './checkDialRules.ts';

/** The trunks of the installation, as they are at this moment. */
export interface TrunkChooser {
  /**
   * Which may carry this leg, the best first, and why others do not. `callerIdAsked`: no pool of caller ids chooses another.
   */
  choose(wanted: TrunkChoiceRequest, callerIdAsked?: boolean): TrunkCandidates;
  /** What this process may put on a trunk. */
  capacityOf(trunk: string): TrunkCapacity;
}

/** Calls that wait for a trunk that is not there any more are let through, and choose anew. */
const GONE: TrunkCapacity = { callsPerSecond: 1_000, legs: 1_000_000 };

/** Where the trunks are known. */
interface TrunkTables {
  now(): TrunkRoutingTable;
  trunk(name: string): Trunk | undefined;
  /** What this process may put on a trunk. Default: what the trunk bears. */
  capacityOf?(trunk: string): TrunkCapacity | undefined;
  /** Whether a trunk failed too often of late. Default: none did. */
  rests?(trunk: string): boolean;
  /** What a trunk's calls of today cost, ten-thousandths of the currency. Default: nothing. */
  spentToday?(trunk: number): number;
  /** Whether a server cannot be reached from here. Default: none is away. */
  isAway?(server: number): boolean;
}

/** The trunks of a table that is read anew now and then. */
export const openTrunkChooser = (tables: TrunkTables): TrunkChooser => ({
  choose: (wanted, callerIdAsked) => {
    const table = tables.now();
    const choose = callerIdAsked ? chooseTrunks : chooseTrunksWithPool;
    const resting = namesOf(table, ({ name }) => tables.rests?.(name));
    const spentOut = namesOf(
      table,
      ({ id, spendPerDay }) =>
        typeof spendPerDay === 'number' && (tables.spentToday?.(id) ?? 0) >= spendPerDay,
    );
    const away = namesOf(table, ({ server }) => tables.isAway?.(server));
    return choose(
      {
        ...wanted,
        ...(spentOut && { spentOut }),
        ...(resting && { resting }),
        ...(away && { away }),
      },
      table,
    );
  },
  capacityOf: (trunk) => tables.capacityOf?.(trunk) ?? tables.trunk(trunk) ?? GONE,
});

/** Names of the trunks that are so; undefined: none is. */
const namesOf = (
  { trunks }: TrunkRoutingTable,
  isSo: (trunk: Trunk) => boolean | undefined,
): readonly string[] | undefined => {
  const those = trunks.filter((trunk) => isSo(trunk));
  return those.length > 0 ? those.map(({ name }) => name) : undefined;
};

/** No trunk may carry it now: it asks again after this long. */
const AGAIN_MS = 60_000;

/** Reasons that no time changes. */
const FOR_GOOD: ReadonlySet<TrunkExclusionReason> = new Set(['closedPrefix', 'callerId', 'tried']);

/** So many trunks are named in an answer. */
const NAMED_AT_MOST = 5;
/** All answers together take 300 bytes at most; what is said of trunks has what the others leave, without the caller id and the wait for a line. */
const ROOM_BYTES = 300 - ',"trunks":[],"tried":8,"callerId":"123456789012345","line":99999999'.length;

/** What a question wants of a trunk. `at`: time of the shard. */
export const trunkCriteriaFor = (
  question: DialClearanceRequest,
  { account, id }: CallMachineRef,
  at: number,
): TrunkChoiceRequest => ({
  ...{ number: question.destination, account, at },
  ...(question.campaign !== undefined && { campaign: question.campaign }),
  callerId: question.callerId ?? '',
  forced: question.forcedRoutes ?? [],
  draw: randomDrawForAttempt(id, question.attempt),
  ...(question.tried && { tried: question.tried }),
});

/** Why no trunk may carry the attempt: for now, or for good; undefined where one may. */
export const objectIfNoTrunkAvailable = (
  { destination, forcedRoutes = [] }: DialClearanceRequest,
  choice: TrunkCandidates,
  at: number,
): DialClearanceEvent | undefined => {
  if (choice.candidates.length > 0) return undefined;
  const against = namedOf(choice);
  const why =
    against.length > 0 ? against.map(({ trunk, reason }) => `${trunk}: ${reason}`) : ['none is there'];
  const list = why.slice(0, NAMED_AT_MOST).join(', ');
  const detail =
    forcedRoutes.length > 0
      ? `none of the trunks of "tfix" may carry ${destination} (${list})`
      : `no trunk may carry ${destination} (${list})`;
  const isForGood = against.length > 0 && against.every(({ reason }) => FOR_GOOD.has(reason));
  if (isForGood) return { type: 'refused', reason: 'route', detail };
  return { type: 'postponed', reason: 'route', detail, until: at + AGAIN_MS };
};

/** What stands in the history: trunks that would carry it, and do not; and how many refused it. Absent where there are none. */
export const explainTrunkChoice = (
  { tried = [] }: DialClearanceRequest,
  choice: TrunkCandidates,
  others: DialRuleAnswers,
): Pick<DialRuleAnswers, 'trunks' | 'tried'> => {
  const named = namedOf(choice).map(({ trunk, reason }) => `${trunk}:${reason}`);
  const against = named.length === 0 ? named : fitting(named, others);
  return {
    ...(against.length > 0 && { trunks: against }),
    ...(tried.length > 0 && { tried: tried.length }),
  };
};

/** SIP statuses after which another trunk is tried, one that rests included; absent where there is no other. */
export const getTrunkFailoverSipStatuses = (
  { candidates, leftOut }: TrunkCandidates,
  trunk: string,
): { failover?: readonly number[] } => {
  const taken = candidates.find(({ name }) => name === trunk);
  const hasOther = candidates.length > 1 || leftOut.some(({ reason }) => reason === 'resting');
  return taken && hasOther && taken.failover.length > 0 ? { failover: taken.failover } : {};
};

/** What the trunk that was taken asks for the leg; absent where it has no price for the number. */
export const trunkLegTariff = (
  { candidates }: TrunkCandidates,
  trunk: string,
  number: string,
): { price?: LegTariff } => {
  const taken = candidates.find(({ name }) => name === trunk);
  const price = taken && legTariffOf(taken, number);
  return price ? { price } : {};
};

/** The first of them, as many as there is room for. */
const fitting = (texts: readonly string[], others: DialRuleAnswers): string[] => {
  let bytes = Buffer.byteLength(JSON.stringify(others));
  return texts.slice(0, NAMED_AT_MOST).filter((text) => (bytes += text.length + 3) <= ROOM_BYTES);
};

const namedOf = ({ leftOut }: TrunkCandidates): TrunkCandidates['leftOut'] =>
  leftOut.filter(({ reason }) => reason !== 'notRouted');
