/** The table of trunks as this process knows it: read every two seconds, and at once when this process changed it. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { isProcessDead, ownProcessName } from '../lib/processIdentity.ts';
import type { Log } from '../log.ts';
import {
  type TrunkCapacitySharesOptions,
  TrunkCapacityShareRenewer,
} from '../providers/trunks/processCapacityShares.ts';
import { exchangeTrunkShares } from '../store/trunkCapacityShares.ts';
import type { TelephonyCarrierCapacity } from '../providers/contracts/telephony.ts';
import type { Trunk, TrunkRoutingTable } from '../rules/trunks/trunkTypes.ts';
import { type StoredTrunkTable, readTrunkTable } from '../store/reads/trunks.ts';
import { writeTrunksOfSettings } from '../store/seedTrunkFromSettings.ts';
import type { Databases } from './databases.ts';

export interface TrunkTableCache<Table extends TrunkRoutingTable = TrunkRoutingTable> {
  /** The table as it was read last, also while the control database is away. */
  now(): Table;
  /** One of its trunks; undefined: there is none of that name. */
  trunk(name: string): Trunk | undefined;
  /** Reads it again: this process has changed it. Settles when that is known here. */
  changed(): Promise<void>;
  /** Hears each time that it was read. */
  watch(hear: () => void): void;
  /** Begins to look for other nodes' changes. */
  start(): void;
  stop(): Promise<void>;
}

export interface TrunkTableCacheDeps<Table extends TrunkRoutingTable = TrunkRoutingTable> {
  read(): Promise<Table>;
  clock: { after(ms: number, run: () => void): () => void };
  log: Pick<Log, 'warn' | 'info'>;
}

/** How long other nodes' changes may go unnoticed, milliseconds. */
const believedForMs = 2_000;

/** Writes what the settings say where it is missing, and reads the table. Throws when the control database is away. */
export const openStoredTrunkTable = async (
  { config, databases, log }: { config: Config; databases: Pick<Databases, 'control'>; log: Log },
  { name, ...capacity }: TelephonyCarrierCapacity,
  clock: TrunkTableCacheDeps['clock'],
): Promise<TrunkTableCache<StoredTrunkTable>> => {
  const { carrier } = config;
  const dialPattern = carrier.kind === 'asterisk' ? carrier.endpoint : '';
  await writeTrunksOfSettings(databases.control.prisma, { kind: name, ...capacity, dialPattern }, Date.now());
  const read = async () => asOf(name, await readTrunkTable(databases.control.pool));
  return openTrunkBook({ read, clock, log });
};

/** Servers of the other kind take no calls: this process has no way to them. */
const asOf = (kind: TelephonyCarrierCapacity['name'], table: StoredTrunkTable): StoredTrunkTable => ({
  ...table,
  servers: table.servers.map((server) => (server.kind === kind ? server : { ...server, state: 'off' })),
});

/** Reads the table once; from its start on it is kept up to date. */
export const openTrunkBook = async <Table extends TrunkRoutingTable>({
  read,
  clock,
  log,
}: TrunkTableCacheDeps<Table>): Promise<TrunkTableCache<Table>> => {
  let table = await read();
  let byName = namedIn(table);
  let isAway = false;
  let stopped = false;
  let again = false;
  let reading: Promise<void> | undefined;
  let callOff = () => {};
  const watching: (() => void)[] = [];

  const readOnce = async (): Promise<void> => {
    try {
      table = await read();
      byName = namedIn(table);
      if (isAway) log.info('trunks are read again');
      isAway = false;
      for (const hear of watching) hear();
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'trunks cannot be read: calls go by those that were read last');
      isAway = true;
    }
  };
  /** What was read before a change is read once more. */
  const readAll = async (): Promise<void> => {
    do {
      again = false;
      await readOnce();
    } while (again && !stopped);
    reading = undefined;
    plan();
  };
  const refresh = async (): Promise<void> => {
    callOff();
    if (stopped) return;
    if (reading) again = true;
    await (reading ??= readAll());
  };
  const plan = (): void => {
    if (!stopped) callOff = clock.after(believedForMs, () => void refresh());
  };

  return {
    now: () => table,
    trunk: (name) => byName.get(name),
    changed: refresh,
    watch: (hear) => void watching.push(hear),
    start: plan,
    stop: async () => {
      stopped = true;
      callOff();
      await reading;
    },
  };
};

/** Shares of this process, kept in the control database. */
export const openTrunkShares = ({
  databases,
  trunks,
  usageOf,
  clock,
  log,
}: {
  databases: Pick<Databases, 'control'>;
  trunks: TrunkTableCache;
  usageOf: TrunkCapacitySharesOptions['usageOf'];
  clock: TrunkTableCacheDeps['clock'];
  log: Log;
}): TrunkCapacityShareRenewer => {
  const process = `${ownProcessName()} ${randomUUID()}`;
  const { pool } = databases.control;
  return new TrunkCapacityShareRenewer({
    ...{ process, usageOf, log },
    trunks: () => trunks.now().trunks,
    exchange: (decide) => exchangeTrunkShares(pool, process, decide),
    isProcessDead: (other) => isProcessDead(other.split(' ')[0]!),
    clock: { now: () => performance.now(), wall: () => Date.now(), after: clock.after },
  });
};

const namedIn = ({ trunks }: TrunkRoutingTable): Map<string, Trunk> =>
  new Map(trunks.map((trunk) => [trunk.name, trunk]));
