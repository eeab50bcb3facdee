/** Grants that are out: each counts until its call has said what became of it. */
import type { DialGrant } from './context.ts';

/** A call that says nothing of its grant for so long is asked for it. */
export const GRANT_INQUIRY_AFTER_MS = 600_000;

export const isGrantAnswerOverdue = ({ at }: DialGrant, now: number): boolean =>
  at + GRANT_INQUIRY_AFTER_MS <= now;

/** The grants with those that were just asked for; they stay in the order of `at`. */
export const dialGrantsMarkedAwaited = (grants: readonly DialGrant[], now: number): DialGrant[] => [
  ...grants.filter((grant) => !isGrantAnswerOverdue(grant, now)),
  ...grants
    .filter((grant) => isGrantAnswerOverdue(grant, now))
    .map((grant) => ({ ...grant, at: now, awaited: (grant.awaited ?? 0) + 1 })),
];

/** The call has this one, and waits for the carrier. */
export const markGrantHeld = (grants: DialGrant[], call: number, ask: number, now: number): DialGrant[] => {
  const isThis = (grant: DialGrant): boolean => grant.call === call && askOf(grant) === ask;
  const found = grants.find(isThis);
  if (!found) return grants;
  const { region } = found;
  const kept = { call, ask, at: now, ...(region !== undefined && { region }) };
  return [...grants.filter((grant) => !isThis(grant)), kept];
};

/** Without those of this call: all, or those for its questions up to this one. */
export const removeGrantsOfCall = (grants: DialGrant[], call: number, ask = Infinity): DialGrant[] =>
  grants.some((grant) => grant.call === call)
    ? grants.filter((grant) => grant.call !== call || askOf(grant) > ask)
    : grants;

/** Whether this question of the call has its grant already, or one that was called back. */
export const isDialRequestAlreadyGranted = (
  grants: readonly DialGrant[],
  call: number,
  ask = Infinity,
): boolean => grants.some((grant) => grant.call === call && askOf(grant) >= ask);

const askOf = ({ ask = 0 }: DialGrant): number => ask;
