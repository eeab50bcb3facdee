/** Which trunks may carry a leg, in which order, and why others do not: one rule for calls, forecasts and explanations. */
import { chooseCallerIdPool } from './chooseCallerId.ts';
import { findTrunkExclusionReason } from './whyTrunkExcluded.ts';
import { carrierCallCost } from './carrierCallCost.ts';
import { findTrunkRoute } from './findTrunkRoute.ts';
import type {
  TrunkCandidates,
  TrunkExclusionReason,
  Trunk,
  TrunkRoute,
  TrunkRoutingTable,
  TrunkChoiceRequest,
} from './trunkTypes.ts';

/**
 * Forced trunks are taken as they are named, and no others. Else the most particular route names them; where it leaves
 * none, no other route is asked. Where no route matches all trunks are named, by id.
 */
export const chooseTrunks = (wanted: TrunkChoiceRequest, table: TrunkRoutingTable): TrunkCandidates => {
  const route = wanted.forced.length > 0 ? undefined : findTrunkRoute(wanted, table.routes);
  const named = new Set(namesOf(wanted, table, route));
  const servers = new Map(table.servers.map((server) => [server.id, server]));
  const usable = new Map<string, Trunk>();
  const leftOut: { trunk: string; reason: TrunkExclusionReason }[] = [];
  for (const trunk of table.trunks) {
    const reason = named.has(trunk.name)
      ? findTrunkExclusionReason(trunk, servers.get(trunk.server), wanted)
      : 'notRouted';
    if (reason === undefined) usable.set(trunk.name, trunk);
    else leftOut.push({ trunk: trunk.name, reason });
  }
  leaveOut(usable, wanted.away ?? [], 'serverOff', leftOut);
  leaveOut(usable, wanted.resting ?? [], 'resting', leftOut);
  const listed = [...named].flatMap((name) => usable.get(name) ?? []);
  const candidates = route ? inOrder(listed, route, wanted) : listed;
  return { candidates, ...(route && { route: route.id }), leftOut };
};

/**
 * The same for a call that may show any caller id of its pool. Where no trunk that carries it may show one of them, it shows
 * its own, as it would without a pool.
 */
export const chooseTrunksWithPool = (
  wanted: TrunkChoiceRequest,
  table: TrunkRoutingTable,
): TrunkCandidates => {
  const pool = chooseCallerIdPool(wanted, table.callerIdPools ?? []);
  if (!pool) return chooseTrunks(wanted, table);
  const choice = chooseTrunks({ ...wanted, callerIds: pool.callerIds }, table);
  const isShown = choice.candidates.length > 0 || choice.leftOut.every(({ reason }) => reason !== 'callerId');
  return isShown ? { ...choice, pool } : chooseTrunks(wanted, table);
};

/** Those of this list, unless no other would be left: then all are tried. */
const leaveOut = (
  usable: Map<string, Trunk>,
  listed: readonly string[],
  reason: TrunkExclusionReason,
  leftOut: { trunk: string; reason: TrunkExclusionReason }[],
): void => {
  const unfit = listed.filter((name) => usable.has(name));
  if (unfit.length === usable.size) return;
  for (const trunk of unfit) {
    usable.delete(trunk);
    leftOut.push({ trunk, reason });
  }
};

const namesOf = (
  { forced }: TrunkChoiceRequest,
  { trunks }: TrunkRoutingTable,
  route: TrunkRoute | undefined,
): readonly string[] => {
  if (forced.length > 0) return forced;
  return route ? route.trunks.map(({ trunk }) => trunk) : trunks.map(({ name }) => name);
};

const inOrder = (
  listed: readonly Trunk[],
  route: TrunkRoute,
  wanted: TrunkChoiceRequest,
): readonly Trunk[] => {
  if (route.order === 'share') return drawnFirst(listed, route, wanted.draw);
  return route.order === 'leastCost' ? cheapestFirst(listed, wanted.number) : listed;
};

/** The one that is drawn, then the others as the route lists them. Shares of those left out fall to the others. */
const drawnFirst = (listed: readonly Trunk[], route: TrunkRoute, draw: number): readonly Trunk[] => {
  const shares = new Map(route.trunks.map(({ trunk, share = 0 }) => [trunk, share]));
  const shareOf = ({ name }: Trunk): number => shares.get(name)!;
  let rest = draw * listed.reduce((sum, trunk) => sum + shareOf(trunk), 0);
  const drawn = listed.find((trunk) => (rest -= shareOf(trunk)) < 0);
  return drawn ? [drawn, ...listed.filter((trunk) => trunk !== drawn)] : listed;
};

/** By the price of a minute's call, then by that of the shortest; without a price last; alike: as the route lists them. */
const cheapestFirst = (listed: readonly Trunk[], number: string): readonly Trunk[] => {
  const prices = new Map(
    listed.map((trunk) => [trunk, [60, 1].map((seconds) => carrierCallCost(trunk, number, seconds))]),
  );
  return listed.toSorted((one, other) => {
    const [ours, theirs] = [prices.get(one)!, prices.get(other)!];
    return compared(ours[0], theirs[0]) || compared(ours[1], theirs[1]);
  });
};

const compared = (one: bigint | undefined, other: bigint | undefined): number => {
  if (one === other) return 0;
  if (one === undefined) return 1;
  return other === undefined || one < other ? -1 : 1;
};
