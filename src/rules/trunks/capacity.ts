/** What the trunks bear together, as forecasts see them. */
import type { TrunkTable } from './trunk.ts';

/** New legs a second, and legs at a time, of the trunks that are on; of all, where none is: they may be on by then. */
export const capacityOfAll = ({ trunks, servers }: TrunkTable): { callsPerSecond: number; legs: number } => {
  const running = new Set(servers.filter(({ state }) => state === 'on').map(({ id }) => id));
  const usable = trunks.filter(({ state, server }) => state === 'on' && running.has(server));
  const counted = usable.length > 0 ? usable : trunks;
  return {
    callsPerSecond: counted.reduce((sum, one) => sum + one.callsPerSecond, 0),
    legs: counted.reduce((sum, one) => sum + one.legs, 0),
  };
};
