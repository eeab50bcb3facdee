/** What happens to Asterisks and their carriers. */
import type { AsteriskPhase } from '../trunkEvidence.ts';
import type { PlannedFault } from '../plan.ts';
import type { AsteriskWorld } from '../world.ts';
import type { Asterisk } from '../world/asterisks.ts';
import { pause } from '../world/ports.ts';
import type { Fault } from './fault.ts';

/** The Asterisk that a fault is planned for. */
export const asteriskOf = ({ asterisks }: AsteriskWorld, { node }: PlannedFault): Asterisk =>
  asterisks[node % asterisks.length]!;

const note = ({ ledger }: AsteriskWorld, { name }: Asterisk, phase: AsteriskPhase): void =>
  ledger.add({ kind: 'asterisk', asterisk: name, phase });

/** SIGKILL, and a start some seconds later. Its carrier stays. */
const killAsterisk: Fault<AsteriskWorld> = async (world, planned) => {
  const asterisk = asteriskOf(world, planned);
  await asterisk.kill();
  note(world, asterisk, 'killed');
  await pause(planned.lastsMs);
  await asterisk.start();
  note(world, asterisk, 'started');
  return { count: 1 };
};

/** By the administration, as an operator does before work on it. */
const drainAsterisk: Fault<AsteriskWorld> = async (world, planned) => {
  const asterisk = asteriskOf(world, planned);
  const path = `/trunk-servers/${asterisk.serverId}`;
  await world.admin.insist('PATCH', path, { state: 'draining' });
  note(world, asterisk, 'draining');
  await pause(planned.lastsMs);
  note(world, asterisk, 'on');
  await world.admin.insist('PATCH', path, { state: 'on' });
  return { count: 1 };
};

/** Every call is refused with 503; those that it has go on. */
const closeCarrier: Fault<AsteriskWorld> = async (world, planned) => {
  const asterisk = asteriskOf(world, planned);
  await asterisk.refuse(true);
  note(world, asterisk, 'refusing');
  await pause(planned.lastsMs);
  await asterisk.refuse(false);
  note(world, asterisk, 'open');
  return { count: 1 };
};

/** By their names in the catalogue. */
export const ofAsterisks = { killAsterisk, drainAsterisk, closeCarrier };
