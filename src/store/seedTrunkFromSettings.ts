/** The server and the trunk that the settings name, written at each start where they are missing. */
import type { PrismaClient } from '../generated/prisma/client.ts';
import { ignoreUniqueViolation } from './ignoreUniqueViolation.ts';
import { reserveIds } from './smallIds.ts';

/** What the settings say of the carrier. */
export interface TrunkFromSettings {
  kind: 'asterisk' | 'sandbox';
  /** Text for the record's `route`. */
  route: string;
  callsPerSecond: number;
  legs: number;
  /** Empty for the sandbox. */
  dialPattern: string;
}

/**
 * Makes them under the names of the carrier, and keeps how the trunk dials as the settings say; what operators changed
 * otherwise stays. A server of settings that name another carrier now takes no more calls. Several processes may do so at
 * once.
 */
export const writeTrunksOfSettings = async (
  db: PrismaClient,
  wanted: TrunkFromSettings,
  now: number,
): Promise<void> => {
  const server = await serverOf(db, wanted, now);
  await followCarrier(db, wanted.kind);
  const where = { server_id: server, from_settings: true };
  const trunk = await db.trunk.findFirst({ where });
  if (!trunk) await ignoreUniqueViolation(() => createTrunk(db, wanted, server, now));
  else if (trunk.dial_pattern !== wanted.dialPattern)
    await db.trunk.updateMany({ where, data: { dial_pattern: wanted.dialPattern } });
};

const serverOf = async (db: PrismaClient, { kind }: TrunkFromSettings, now: number): Promise<number> => {
  const find = () => db.trunkServer.findFirst({ where: { kind, from_settings: true } });
  const known = await find();
  if (known) return known.id;
  const id = await reserveIds(db, 'trunkServer', 1);
  const data = { id, name: kind, kind, from_settings: true, created_at: now };
  await ignoreUniqueViolation(() => db.trunkServer.create({ data }));
  const made = await find();
  if (!made)
    throw new Error(
      `a trunk server named ${kind} stands where that of the settings belongs: name it otherwise`,
    );
  return made.id;
};

/** The server of the settings' carrier takes over from that of the former one; a server that an operator switched off stays so. */
const followCarrier = async (db: PrismaClient, kind: TrunkFromSettings['kind']): Promise<void> => {
  const former = { kind: { not: kind }, from_settings: true, state: { not: 'off' } };
  if (!(await db.trunkServer.findFirst({ where: former }))) return;
  await db.trunkServer.updateMany({ where: former, data: { state: 'off' } });
  await db.trunkServer.updateMany({ where: { kind, from_settings: true }, data: { state: 'on' } });
};

const createTrunk = async (
  db: PrismaClient,
  { route, callsPerSecond, legs, dialPattern }: TrunkFromSettings,
  server: number,
  now: number,
): Promise<void> => {
  const id = await reserveIds(db, 'trunk', 1);
  await db.trunk.create({
    data: {
      ...{ id, name: route, server_id: server, from_settings: true, created_at: now },
      ...{ calls_per_second: callsPerSecond, legs, dial_pattern: dialPattern },
    },
  });
};
