/** The carrier that `CARRIER` names. */
import type { AriSettings, Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { MediaStore } from '../providers/media.ts';
import type { Names } from '../providers/names.ts';
import type { Report } from '../engine/contract/performer.ts';
import type { Telephony } from '../providers/telephony.ts';
import type { Trunk } from '../rules/trunks/trunk.ts';
import { inDialOrder } from '../providers/telephony/dialOrder.ts';
import { sandboxTelephony } from '../providers/telephony/sandbox.ts';
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
  log: Log;
}

/** Nodes that were heard of within this time may have dialled legs that are looked for now, milliseconds. */
const DIALLED_MS = 6 * 3_600_000;

export const openCarrier = async (needs: CarrierDeps): Promise<Telephony> => {
  const carrier = await namedCarrier(needs);
  return { ...carrier, performers: inDialOrder(carrier.performers) };
};

/** Loads what a real carrier needs where there is one only. */
const namedCarrier = async (needs: CarrierDeps): Promise<Telephony> => {
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

const asterisk = async (
  { config, databases, media, mediaUrl, report, names, log, trunk }: CarrierDeps,
  ari: AriSettings,
): Promise<Telephony> => {
  const { createAsterisk, dialPatterns } = await import('../providers/telephony/asterisk.ts');
  return createAsterisk({
    login: ari,
    node: config.nodeName,
    dial: dialPatterns(ari.endpoint, config.waEndpoint),
    media,
    mediaUrl,
    report,
    trunk,
    owns: (legs) => areOwned(databases, legs),
    names,
    log,
  });
};
