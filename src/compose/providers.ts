/**
 * The outside world, put together: carrier, admission, targets, dialler, speech, SMS and media, and the performers they
 * bring.
 */
import type { Config } from '../config.ts';
import type { Performers } from '../engine/contract/ports.ts';
import type { Engine } from '../engine/contract/api.ts';
import type { ReceiveHook } from '../hooks/receive.ts';
import type { Log } from '../log.ts';
import { openTemplateManager } from '../providers/chat/templates.ts';
import { openCallAdmission } from '../providers/clearance/callAdmission.ts';
import type { Clearance } from '../providers/clearance.ts';
import { openCallCharges } from '../providers/clearance/callCharges.ts';
import { openCallerIds } from '../providers/clearance/callerIdChoice.ts';
import { openDialPace } from '../providers/clearance/dialPace.ts';
import { trunksOf } from '../providers/clearance/trunkChoice.ts';
import { trackReleases, usingSlots } from '../providers/clearance/trackReleases.ts';
import { type TrunkWatch, watchTrunks } from '../providers/clearance/trunkWatch.ts';
import type { CallbackOutcome } from '../providers/delivery/webhook/send.ts';
import { openDialler } from '../providers/dialler/dialler.ts';
import type { Downloads } from '../providers/download.ts';
import { openDownloads } from '../providers/download/web.ts';
import type { MediaStore } from '../providers/media.ts';
import { type MediaLinks, mediaLinks } from '../providers/media/links.ts';
import { openNames } from '../providers/dns/open.ts';
import type { Report, Tell } from '../engine/contract/performer.ts';
import type { Speech } from '../providers/speech.ts';
import { openTargetResolver } from '../providers/target/targetResolver.ts';
import { openToll } from '../providers/target/toll.ts';
import type { AccountRow, Control } from '../store/control.ts';
import { exchangeSpending } from '../store/spending.ts';
import { type Carrier, openCarrier } from './carrier.ts';
import { openChat, type OpenChat } from './chat.ts';
import { temporaryFolder } from '../dataFolder/prepare.ts';
import type { Databases } from './databases.ts';
import { openDeliveries, type OpenDeliveries } from './deliveries.ts';
import { openMedia } from '../providers/media/openMedia.ts';
import { type OpenedSms, openSms } from './sms.ts';
import { openSound, type Sound } from './sound.ts';
import { openSpeech, type Voices } from './speech.ts';
import { openTrunks, openTrunkShares, type TrunkBook } from './trunks.ts';
import { type LegMeter, openLegMeter } from '../providers/trunks/legMeter.ts';
import { TRUNK_ZONE } from '../rules/trunks/spent.ts';
import type { TrunkShares } from '../providers/trunks/shares.ts';
import { Spending } from '../providers/trunks/spending.ts';
import { toUnits } from '../rules/accounts/pricing.ts';
import type { StoredTrunks } from '../store/reads/trunks.ts';
import { admissionRepository } from '../store/repositories/callAdmission.ts';
import { serverSecretAbout, serverSecretBox } from '../store/secrets/trunkServers.ts';
import { trunkSecretAbout, trunkSecretBox } from '../store/secrets/trunks.ts';
import { targetRepository } from '../store/repositories/targets.ts';
import { chargeRepository } from '../store/repositories/callCharges.ts';
import { callerIdRepository } from '../store/repositories/callerIds.ts';
import { diallerRepository } from '../store/repositories/dialler.ts';

export interface Providers {
  performers: Performers;
  telephony: Carrier;
  trunks: TrunkBook;
  /** Seals the password of a trunk server. */
  sealServerPassword(server: number, password: string): string;
  /** Seals the password of a trunk at its carrier. */
  sealTrunkPassword(trunk: number, password: string): string;
  wouldClear: Clearance['wouldClear'];
  /** What this process has on a trunk. */
  usageOf: Clearance['usageOf'];
  /** What this process may put on a trunk. */
  shares: TrunkShares;
  /** What calls of a trunk, or of an account, cost today by the clock of this zone, ten-thousandths of the currency. */
  spentToday: Spending['today'];
  /** How trunks fare, by the legs of this process. */
  figuresOf: TrunkWatch['figuresOf'];
  speech: Speech & { voices: Voices };
  sound: Sound;
  chat: OpenChat;
  downloads: Downloads;
  media: MediaStore;
  /** Links for customers. */
  links: MediaLinks;
  deliveries: Pick<
    OpenDeliveries,
    'admin' | 'callbacks' | 'pushSecrets' | 'callbackCounts' | 'callbackTargets'
  >;
  sms: OpenedSms;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProviderDeps {
  config: Config;
  databases: Databases;
  control: Control;
  /** Signs media links. */
  secret: string;
  /** Where facts go. */
  report: Report;
  /** The same, for facts that must be durable before their sender is told so. */
  tell: Tell;
  /** Where an upstream in this process brings its hooks. */
  receiveHook: ReceiveHook;
  /** Ids for machines that a provider proposes. */
  mintId(shard: string): number;
  /** Writes what no machine writes. */
  keep: Engine['keep'];
  /** Database time of a shard, epoch milliseconds. */
  now(shard: string): number;
  isOpen: Engine['isOpen'];
  reopenedAt: Engine['reopenedAt'];
  /** Hears what became of each callback that was due. */
  observeCallback(outcome: CallbackOutcome): void;
  log: Log;
}

/** Epoch milliseconds, and alarms that can be called off. */
const clock = {
  now: () => Date.now(),
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, Math.min(ms, 2_147_483_647));
    return () => clearTimeout(timer);
  },
};

const NO_TRUNKS: StoredTrunks = { servers: [], trunks: [], routes: [] };

/** Only what accounts with a limit of a day spend is counted. */
const payerOf = (account: AccountRow | null): { rate: bigint; zone: string } | undefined =>
  account && account.spend_per_day !== null
    ? { rate: toUnits(account.call_rate.toFixed(4)), zone: account.time_zone }
    : undefined;

export const openProviders = async (needs: ProviderDeps): Promise<Providers> => {
  const { config, databases, control, secret, log } = needs;
  // Names of customers' hosts and of those that the operator configured are resolved apart: neither waits for the
  // other's.
  const names = openNames({ servers: config.dnsServers });
  const houseNames = openNames({ servers: config.dnsServers, system: true });
  const media = await openMedia(config);
  const linksAt = (baseUrl: string) => mediaLinks({ baseUrl, secret, now: clock.now });
  // The carrier is told where to report before call admission, which listens to it, can know the carrier's capacity.
  const lateBound: {
    report: Report;
    trunk: TrunkBook['trunk'];
    trunks: () => StoredTrunks;
    capacityOf: TrunkShares['capacityOf'];
  } = { report: needs.report, trunk: () => undefined, trunks: () => NO_TRUNKS, capacityOf: () => undefined };
  const report: Report = (machine, fact) => lateBound.report(machine, fact);
  const mediaUrl = linksAt(config.mediaUrl).urlOf;
  const telephony = await openCarrier({
    config,
    databases,
    media,
    mediaUrl: (account, id) => mediaUrl(account, id),
    report,
    names,
    log,
    trunk: (name) => lateBound.trunk(name),
    trunks: () => lateBound.trunks(),
    secret,
  });
  const trunks = await openTrunks(needs, telephony.profile, clock);
  lateBound.trunk = trunks.trunk;
  lateBound.trunks = trunks.now;
  trunks.watch(() => telephony.follow?.());
  const watch = watchTrunks(() => performance.now());
  const meter: LegMeter = openLegMeter({
    trunk: trunks.trunk,
    payer: async (account) => payerOf(await control.cachedAccount(account)),
    add: (owner, id, zone, units) => spending.add(owner, id, zone, units),
    now: () => performance.now(),
  });
  const spending = new Spending({
    exchange: (added, since) => exchangeSpending(databases.control.pool, added, since),
    clock: { wall: () => Date.now(), after: clock.after },
    count: meter.count,
    log,
  });
  const watched: TrunkWatch = {
    ...watch,
    dialled: (...dial) => {
      watch.dialled(...dial);
      meter.dialled(...dial);
    },
    hear: (machine, fact) => {
      watch.hear(machine, fact);
      meter.hear(machine, fact);
    },
  };
  const charges = openCallCharges({
    repository: chargeRepository(databases, control),
    ...needs,
    after: clock.after,
  });
  const admission = admissionRepository(databases, control, needs.keep);
  const clearance = openCallAdmission({
    repository: admission,
    trunks: trunksOf({
      ...trunks,
      capacityOf: (trunk) => lateBound.capacityOf(trunk),
      rests: watch.rests,
      spentToday: (trunk) => spending.today('trunk', trunk, TRUNK_ZONE),
      isAway: (server) => telephony.connection?.(server)?.ok === false,
    }),
    spentToday: (account, zone) => spending.today('account', account, zone),
    charges,
    callerIds: openCallerIds({
      repository: callerIdRepository(databases),
      trunk: trunks.trunk,
      now: () => performance.now(),
    }),
    report,
    clock: { ...clock, now: () => performance.now() },
    now: needs.now,
  });
  lateBound.report = trackReleases(clearance, needs.report, watched);
  const shares = openTrunkShares({ databases, trunks, usageOf: clearance.usageOf, clock, log });
  lateBound.capacityOf = (trunk) => shares.capacityOf(trunk);
  const tollOf = openToll({
    account: admission.account,
    trunk: trunks.trunk,
    spentToday: (owner, id, zone = TRUNK_ZONE) => spending.today(owner, id, zone),
  });
  const targets = openTargetResolver({
    repository: targetRepository(databases),
    chatTrunk: config.waEndpoint !== undefined,
    tollOf,
  });
  const speech = await openSpeech({ ...needs, media, links: linksAt(config.publicUrl), now: clock.now });
  const sound = await openSound(config, media, log);
  const sms = openSms({ ...needs, names: houseNames, clock });
  const chat = await openChat({ ...needs, names: houseNames, clock });
  const downloads = openDownloads({
    folder: temporaryFolder(config),
    allowed: config.allowPrivateTargets,
    maxBytes: config.limits.maxAudioBytes,
    names,
  });
  const customerLinks = linksAt(config.publicUrl);
  const deliveries = openDeliveries({
    ...needs,
    mediaUrl: customerLinks.urlOf,
    names,
  });
  return {
    performers: {
      ...usingSlots(clearance, telephony.performers, {
        ...{ watch: watched, tollOf },
        pace: openDialPace((trunk) => shares.capacityOf(trunk), { ...clock, now: () => performance.now() }),
      }),
      ...clearance.performers,
      ...targets.performers,
      ...openDialler({
        repository: diallerRepository(databases, control),
        mintId: needs.mintId,
        now: needs.now,
      }),
      ...deliveries.performers,
      ...deliveries.addresses.performers,
      ...speech.performers,
      ...sms.performers,
      ...chat.performers,
      ...openTemplateManager(chat).performers,
    },
    telephony,
    trunks,
    wouldClear: clearance.wouldClear,
    sealServerPassword: (server, password) =>
      serverSecretBox(secret).seal(password, serverSecretAbout(server)),
    sealTrunkPassword: (trunk, password) => trunkSecretBox(secret).seal(password, trunkSecretAbout(trunk)),
    usageOf: clearance.usageOf,
    shares,
    spentToday: (owner, id, zone) => spending.today(owner, id, zone),
    figuresOf: watch.figuresOf,
    speech,
    sound,
    chat,
    downloads,
    media,
    links: customerLinks,
    deliveries,
    sms,
    start: async () => {
      trunks.start();
      await Promise.all([shares.renew(), spending.renew(), charges.start()]);
      await speech.voices.catalogue.start();
      await telephony.start();
      await sms.start();
      await chat.start();
    },
    stop: async () => {
      clearance.stop();
      deliveries.stop();
      await Promise.all([
        telephony.stop(),
        trunks.stop(),
        shares.stop(),
        spending.stop(),
        charges.stop(),
        sms.stop(),
        chat.stop(),
        speech.stop(),
        sound.studio.stop(),
        downloads.stop(),
      ]);
      names.stop();
      houseNames.stop();
    },
  };
};
