/** The carrier that `CARRIER` names. */
import type { AriSettings, Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { MediaStore } from '../providers/contracts/media.ts';
import type { DnsLookups } from '../providers/contracts/dns.ts';
import type { ReportFactToMachine } from '../engine/contract/performer.ts';
import type { Telephony } from '../providers/contracts/telephony.ts';
import type { Trunk } from '../rules/trunks/trunkTypes.ts';
import { serializeLegDials } from '../providers/telephony/serializeDialsPerLeg.ts';
import { openTelephonyPool, type TelephonyPool } from '../providers/telephony/serverPool.ts';
import { sandboxTelephony } from '../providers/telephony/sandbox.ts';
import type { StoredTrunkTable } from '../store/reads/trunks.ts';
import { findRecentNodeProcesses } from '../store/reads/machines/nodes.ts';
import type { Databases } from './databases.ts';
import { ownProcessName } from '../lib/processIdentity.ts';
import { getShardPool } from '../store/pools.ts';
import { areLegsOfLivingMachines } from '../store/repositories/legOwners.ts';

export interface TelephonyCarrierDeps {
  config: Config;
  databases: Databases;
  media: MediaStore;
  /** Where the carrier fetches prompts. */
  mediaUrl: (account: number, media: string) => string;
  report: ReportFactToMachine;
  /** Of customers' hosts. */
  names: DnsLookups;
  /** A trunk of the table by its name. */
  trunk: (name: string) => Trunk | undefined;
  /** All of them, with their servers, as they are now. */
  trunks: () => StoredTrunkTable;
  /** `SECRET_KEY`: opens passwords of servers. */
  secret: string;
  log: Log;
}

/** Nodes that were heard of within this time may have dialled legs that are looked for now, milliseconds. */
const DIALLED_MS = 6 * 3_600_000;

/** Of several servers it is a pool. */
export type TelephonyCarrier = Telephony & Partial<TelephonyPool>;

export const openTelephonyCarrier = async (needs: TelephonyCarrierDeps): Promise<TelephonyCarrier> => {
  const carrier = await namedCarrier(needs);
  return { ...carrier, performers: serializeLegDials(carrier.performers) };
};

/** Loads what a real carrier needs where there is one only. */
const namedCarrier = async (needs: TelephonyCarrierDeps): Promise<TelephonyCarrier> => {
  const { config, databases, media, report, trunk } = needs;
  if (config.carrier.kind === 'sandbox') {
    return sandboxTelephony({
      dataDir: config.dataDir,
      media,
      report,
      speed: config.sandboxSpeed,
      process: ownProcessName(),
      carrierOf: (name) => trunk(name)?.simulates ?? 'first',
      knowsAll: async (shard, openedBy) =>
        (await findRecentNodeProcesses(getShardPool(databases, shard), Date.now() - DIALLED_MS)).every(
          (process) => openedBy.has(process),
        ),
    });
  }
  return asterisk(needs, config.carrier);
};

/** Every Asterisk of the table. */
const asterisk = async (needs: TelephonyCarrierDeps, ari: AriSettings): Promise<TelephonyCarrier> => {
  const { config, databases, media, mediaUrl, report, names, log, trunk } = needs;
  const { createAsterisk, asteriskDefaultCapacity: asteriskProfile } =
    await import('../providers/telephony/asterisk.ts');
  const { asteriskAccessResolver: asteriskAccesses } = await import('./asteriskAccess.ts');
  const accesses = asteriskAccesses({ ari, chat: config.waEndpoint, secret: needs.secret, log });
  return openTelephonyPool({
    profile: asteriskProfile,
    servers: () => accesses(needs.trunks()),
    serverOf: (name) => serverOf(needs.trunks(), name),
    hasTrunk: (wanted) => needs.trunks().trunks.some(({ name }) => name === wanted),
    open: (access) =>
      createAsterisk({
        ...access,
        node: config.nodeName,
        owns: (legs) => areLegsOfLivingMachines(databases, legs),
        ...{ media, mediaUrl, report, trunk, names, log },
      }),
    now: () => performance.now(),
  });
};

const serverOf = ({ trunks, servers }: StoredTrunkTable, name: string | undefined): number | undefined => {
  const named = trunks.find((trunk) => trunk.name === name);
  return named?.server ?? servers.find(({ fromSettings, kind }) => fromSettings && kind === 'asterisk')?.id;
};
