/** The carrier that `CARRIER` names. */
import type { AriSettings, Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { MediaStore } from '../providers/media.ts';
import type { Names } from '../providers/names.ts';
import type { Report } from '../engine/contract/performer.ts';
import type { Telephony } from '../providers/telephony.ts';
import { inDialOrder } from '../providers/telephony/dialOrder.ts';
import { sandboxTelephony } from '../providers/telephony/sandbox.ts';
import { areLiving } from '../store/reads/machines.ts';
import { isOpenIn } from '../store/sql/standing.ts';
import { recentProcesses } from '../store/reads/nodes.ts';
import { poolOf } from './repositories.ts';
import type { Databases } from './databases.ts';
import { ownProcess } from './process.ts';

export interface CarrierNeeds {
  config: Config;
  databases: Databases;
  media: MediaStore;
  /** Where the carrier fetches prompts. */
  mediaUrl: (account: number, media: string) => string;
  report: Report;
  /** Of customers' hosts. */
  names: Names;
  log: Log;
}

/** Nodes that were heard of within this time may have dialled legs that are looked for now, milliseconds. */
const DIALLED_MS = 6 * 3_600_000;

export const openCarrier = async (needs: CarrierNeeds): Promise<Telephony> => {
  const carrier = await namedCarrier(needs);
  return { ...carrier, performers: inDialOrder(carrier.performers) };
};

/** Loads what a real carrier needs where there is one only. */
const namedCarrier = async (needs: CarrierNeeds): Promise<Telephony> => {
  const { config, databases, media, report } = needs;
  if (config.carrier.kind === 'sandbox') {
    return sandboxTelephony({
      dataDir: config.dataDir,
      media,
      report,
      speed: config.sandboxSpeed,
      process: ownProcess(),
      knowsAll: async (shard, openedBy) =>
        (await recentProcesses(poolOf(databases, shard), Date.now() - DIALLED_MS)).every((process) =>
          openedBy.has(process),
        ),
    });
  }
  return asterisk(needs, config.carrier);
};

const asterisk = async (
  { config, databases, media, mediaUrl, report, names, log }: CarrierNeeds,
  ari: AriSettings,
): Promise<Telephony> => {
  const { createAsterisk } = await import('../providers/telephony/asterisk.ts');
  return createAsterisk({
    login: ari,
    node: config.nodeName,
    dial: {
      number: ari.endpoint,
      sip: sipPattern(ari.endpoint),
      ...(config.waEndpoint !== undefined && { chat: config.waEndpoint }),
    },
    media,
    mediaUrl,
    report,
    owns: (legs) => ownedBy(databases, legs),
    names,
    log,
  });
};

/** SIP URIs leave through the endpoint that numbers leave through: `PJSIP/{number}@carrier` → `PJSIP/carrier/{uri}`. */
const sipPattern = (pattern: string): string => {
  const [technology = '', rest = ''] = pattern.split('/');
  const endpoint = rest.includes('@') ? rest.slice(rest.indexOf('@') + 1) : rest;
  return `${technology}/${endpoint}/{uri}`;
};

/**
 * A leg of a shard we do not know is not ours to judge: it counts as owned. So does one of a shard that is not open: its
 * machine may be among the commits that the database lacks.
 */
const ownedBy = async (
  databases: Databases,
  legs: readonly { shard: string; account: number; id: number }[],
): Promise<boolean[]> => {
  const owned = legs.map(() => true);
  for (const [name, { pool }] of databases.shards) {
    const here = [...legs.entries()].filter(([, leg]) => leg.shard === name);
    if (here.length === 0 || !(await isOpenIn(pool))) continue;
    const living = await areLiving(
      pool,
      here.map(([, leg]) => leg),
    );
    here.forEach(([index], nth) => (owned[index] = living[nth]!));
  }
  return owned;
};
