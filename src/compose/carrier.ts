/** The carrier that `CARRIER` names. */
import type { AriSettings, Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { MediaStore } from '../providers/media.ts';
import type { Names } from '../providers/dns.ts';
import type { Report } from '../engine/contract/performer.ts';
import type { Telephony } from '../providers/telephony.ts';
import type { Trunk } from '../rules/trunks/trunk.ts';
import { inDialOrder } from '../providers/telephony/dialOrder.ts';
import { openPool, type TelephonyPool } from '../providers/telephony/pool.ts';
import { sandboxTelephony } from '../providers/telephony/sandbox.ts';
import type { StoredTrunks } from '../store/reads/trunks.ts';
import { recentProcesses } from '../store/reads/machines/nodes.ts';
import type { Databases } from './databases.ts';
import { ownProcess } from '../lib/processName.ts';
import { poolOf } from '../store/pools.ts';
import { areOwned } from '../store/repositories/legOwners.ts';

export interface CarrierDeps {
  config: Config;
  databases: Databases;
  media: MediaStore;
  /** Where the carrier fetches prompts. */
  mediaUrl: (account: number, media: string) => string;
  report: Report;
  /** Of customers' hosts. */
  names: Names;
  /** A trunk of the table by its name. */
  trunk: (name: string) => Trunk | undefined;
  /** All of them, with their servers, as they are now. */
  trunks: () => StoredTrunks;
  /** `SECRET_KEY`: opens passwords of servers. */
  secret: string;
  log: Log;
}

/** Nodes that were heard of within this time may have dialled legs that are looked for now, milliseconds. */
const DIALLED_MS = 6 * 3_600_000;

/** Of several servers it is a pool. */
export type Carrier = Telephony & Partial<TelephonyPool>;

export const openCarrier = async (needs: CarrierDeps): Promise<Carrier> => {
  const carrier = await namedCarrier(needs);
  return { ...carrier, performers: inDialOrder(carrier.performers) };
};

/** Loads what a real carrier needs where there is one only. */
const namedCarrier = async (needs: CarrierDeps): Promise<Carrier> => {
  const { config, databases, media, report, trunk } = needs;
  if (config.carrier.kind === 'sandbox') {
    return sandboxTelephony({
      dataDir: config.dataDir,
      media,
      report,
      speed: config.sandboxSpeed,
      process: ownProcess(),
      carrierOf: (name) => trunk(name)?.simulates ?? 'first',
      knowsAll: async (shard, openedBy) =>
        (await recentProcesses(poolOf(databases, shard), Date.now() - DIALLED_MS)).every((process) =>
          openedBy.has(process),
        ),
    });
  }
  return asterisk(needs, config.carrier);
};

/** Every Asterisk of the table. */
const asterisk = async (needs: CarrierDeps, ari: AriSettings): Promise<Carrier> => {
  const { config, databases, media, mediaUrl, report, names, log, trunk } = needs;
  const { createAsterisk, asteriskProfile } = await import('../providers/telephony/asterisk.ts');
  const { asteriskAccesses } = await import('./asteriskAccess.ts');
  const accesses = asteriskAccesses({ ari, chat: config.waEndpoint, secret: needs.secret, log });
  return openPool({
    profile: asteriskProfile,
    servers: () => accesses(needs.trunks()),
    serverOf: (name) => serverOf(needs.trunks(), name),
    hasTrunk: (wanted) => needs.trunks().trunks.some(({ name }) => name === wanted),
    open: (access) =>
      createAsterisk({
        ...access,
        node: config.nodeName,
        owns: (legs) => areOwned(databases, legs),
        ...{ media, mediaUrl, report, trunk, names, log },
      }),
    now: () => performance.now(),
  });
};

const serverOf = ({ trunks, servers }: StoredTrunks, name: string | undefined): number | undefined => {
  const named = trunks.find((trunk) => trunk.name === name);
  return named?.server ?? servers.find(({ fromSettings, kind }) => fromSettings && kind === 'asterisk')?.id;
};
