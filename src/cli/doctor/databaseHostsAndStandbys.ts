/** The servers of an address with several hosts, and the standbys of the one that takes writes. */
import type { Pool } from 'pg';
import { databaseHostsOf } from '../../store/databaseFailover.ts';
import type { DatabaseHostStatus } from '../../store/databaseFailover/hostProbe.ts';
import { findSplitBrain } from '../../store/databaseFailover/splitBrainWatch.ts';
import {
  readDatabaseStandbys,
  synchronousStandbyAdvice,
  describeAsynchronousStandbyRisk,
} from '../../store/checkSynchronousStandbys.ts';
import { type DoctorFinding, failedFinding, ok, describeError, warningFinding } from './finding.ts';

/** Nothing for an address that names one server. `setting`: the one that names it. */
export const checkDatabaseHosts = async (place: {
  name: string;
  url: string;
  setting: string;
}): Promise<DoctorFinding[]> => {
  const hosts = databaseHostsOf(place.url);
  if (!hosts) return [];
  const seen = await hosts.lookAtAll();
  const split = await findSplitBrain(hosts);
  const own = seen.find(({ name }) => name === hosts.inUse?.name);
  const found = seen.map((one) => findingOf(place, one, own));
  if (split === undefined) return found;
  const todo = 'Stop the one that was replaced, and rebuild it as a standby; until then records are lost.';
  return [...found, failedFinding(place.name, split, todo)];
};

const findingOf = (
  { name, setting }: { name: string; setting: string },
  one: DatabaseHostStatus,
  own: DatabaseHostStatus | undefined,
): DoctorFinding => {
  if (one.error) {
    const todo = `Start it, or take it out of ${setting}: it cannot take over.`;
    return warningFinding(name, `${one.name} does not serve: ${describeError(one.error)}`, todo);
  }
  if (own && one.cluster !== own.cluster)
    return failedFinding(
      name,
      `${one.name} is no copy of ${own.name}`,
      `Correct ${setting}: it cannot take over.`,
    );
  const on = `(timeline ${one.timeline})`;
  if (one.state === 'writable') return ok(name, `${one.name} takes writes ${on}`);
  if (one.state === 'standby') return ok(name, `${one.name} is a standby ${on}`);
  const todo = 'If it was replaced, rebuild it as a standby; else turn default_transaction_read_only off.';
  return warningFinding(name, `${one.name} takes no writes, and follows no other ${on}`, todo);
};

/** Nothing where no standby is attached, or where it cannot be seen. */
export const checkDatabaseStandbys = async (name: string, pool: Pool): Promise<DoctorFinding[]> => {
  const standbys = await readDatabaseStandbys(pool);
  const sentence = describeAsynchronousStandbyRisk(standbys);
  if (sentence !== undefined) return [warningFinding(name, sentence, synchronousStandbyAdvice)];
  if (!standbys?.synchronous) return [];
  return [ok(name, `what it confirms is on a standby as well (${standbys.synchronous} synchronous)`)];
};
