/** Brings an Asterisk in line: the trunks that are wanted are there, and no others of ours. */
import { setTimeout as pause } from 'node:timers/promises';
import { NotRetryable } from '../../../../engine/contract/performer.ts';
import { endpointOfTrunk, trunkOfEndpoint } from '../../../../rules/trunks/sipTrunkDetails.ts';
import type { Ari } from '../ariRestClient.ts';
import { listSipEndpointNames, isAs, put, removePjsipObject } from './writePjsipObjects.ts';
import { sipObjectsOf, type SipTrunk } from './trunkToPjsipObjects.ts';

/**
 * A carrier is told when a registration ends, and asks for the login of that as well: so long the login stays, and so long
 * a new registration waits, which the old one's end would take away again. Milliseconds.
 */
const GOODBYE_MS = 2_000;

/**
 * Settles with why Asterisk does not take a trunk, by the trunk's id. What stands there already is left alone. Rejects with
 * `Retryable` when Asterisk cannot be reached.
 */
export const writeTrunksToAsterisk = async (
  ari: Ari,
  trunks: readonly SipTrunk[],
): Promise<ReadonlyMap<number, string>> => {
  const gone = await left(ari, new Set(trunks.map(({ id }) => id)));
  const ends = [...gone];
  for (const trunk of trunks)
    if (!(await isRegistrationSame(ari, trunk))) ends.push(endpointOfTrunk(trunk.id));
  let said = false;
  for (const name of ends) said = (await removePjsipObject(ari, 'registration', name)) || said;
  if (said) await pause(GOODBYE_MS);
  for (const name of gone)
    for (const sort of ['auth', 'aor', 'endpoint'] as const) await removePjsipObject(ari, sort, name);
  return writeAll(ari, trunks);
};

/** Endpoints of ours whose trunks are not wanted. They are removed last: by them what else there is would be found again. */
const left = async (ari: Ari, wanted: ReadonlySet<number>): Promise<string[]> =>
  (await listSipEndpointNames(ari)).filter((name) => {
    const trunk = trunkOfEndpoint(name);
    return trunk !== undefined && !wanted.has(trunk);
  });

/** Asterisk would go on with a former login until the registration expires: one whose login changes is made anew. */
const isRegistrationSame = async (ari: Ari, trunk: SipTrunk): Promise<boolean> => {
  const id = endpointOfTrunk(trunk.id);
  const { auth, registration } = sipObjectsOf(trunk);
  if (!registration || !auth) return false;
  return (await isAs(ari, 'auth', id, auth)) && (await isAs(ari, 'registration', id, registration));
};

const writeAll = async (ari: Ari, trunks: readonly SipTrunk[]): Promise<Map<number, string>> => {
  const refused = new Map<number, string>();
  for (const trunk of trunks)
    await writeTrunk(ari, trunk).catch((error: unknown) => {
      if (!(error instanceof NotRetryable)) throw error;
      refused.set(trunk.id, error.message);
    });
  return refused;
};

const writeTrunk = async (ari: Ari, trunk: SipTrunk): Promise<void> => {
  const id = endpointOfTrunk(trunk.id);
  const { auth, aor, endpoint, registration } = sipObjectsOf(trunk);
  if (auth) await put(ari, 'auth', id, auth);
  else await removePjsipObject(ari, 'auth', id);
  await put(ari, 'aor', id, aor);
  await put(ari, 'endpoint', id, endpoint);
  if (registration) await put(ari, 'registration', id, registration);
};
