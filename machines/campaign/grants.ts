/** Grants that are out: each counts until its call has said what became of it. */
import type { Grant } from './context.ts';

/** A call that says nothing of its grant for so long is asked for it. */
export const AWAITED_MS = 600_000;

export const isSilent = ({ at }: Grant, now: number): boolean => at + AWAITED_MS <= now;

/** The grants with those that were just asked for; they stay in the order of `at`. */
export const awaited = (grants: readonly Grant[], now: number): Grant[] => [
  ...grants.filter((grant) => !isSilent(grant, now)),
  ...grants
    .filter((grant) => isSilent(grant, now))
    .map((grant) => ({ ...grant, at: now, awaited: (grant.awaited ?? 0) + 1 })),
];

/** The call has this one, and waits for the carrier. */
export const held = (grants: Grant[], call: number, ask: number, now: number): Grant[] => {
  const isThis = (grant: Grant): boolean => grant.call === call && askOf(grant) === ask;
  const found = grants.find(isThis);
  if (!found) return grants;
  const { region } = found;
  const kept = { call, ask, at: now, ...(region !== undefined && { region }) };
  return [...grants.filter((grant) => !isThis(grant)), kept];
};

/** Without those of this call: all, or those for its questions up to this one. */
export const settled = (grants: Grant[], call: number, ask = Infinity): Grant[] =>
  grants.some((grant) => grant.call === call)
    ? grants.filter((grant) => grant.call !== call || askOf(grant) > ask)
    : grants;

/** Whether this question of the call has its grant already, or one that was called back. */
export const isAnswered = (grants: readonly Grant[], call: number, ask = Infinity): boolean =>
  grants.some((grant) => grant.call === call && askOf(grant) >= ask);

const askOf = ({ ask = 0 }: Grant): number => ask;
