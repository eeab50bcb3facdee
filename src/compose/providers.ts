/**
 * The outside world, put together: carrier, admission, targets, dialler, speech, SMS and media, and the performers they
 * bring.
 */
import type { Config } from '../config.ts';
import type { EffectPerformers } from '../engine/contract/ports.ts';
import type { MachineEngine } from '../engine/contract/api.ts';
import type { ReceiveHook } from '../hooks/receiveChatWebhook.ts';
import type { Log } from '../log.ts';
import { openTemplateManager } from '../providers/chat/graphApiTemplateManager.ts';
import { openCallAdmission } from '../providers/dialClearance/callAdmission.ts';
import type { DialClearance } from '../providers/contracts/dialClearance.ts';
import { openCallCharges } from '../providers/dialClearance/prepaidCallCharging.ts';
import { openCallerIds } from '../providers/dialClearance/callerIdChoice.ts';
import { openTrunkDialPacer } from '../providers/dialClearance/trunkDialPacer.ts';
import { openTrunkChooser } from '../providers/dialClearance/trunkChoice.ts';
import {
  releaseSlotsOnHangup,
  wrapPerformersWithTrunkSlots,
} from '../providers/dialClearance/takeAndReleaseTrunkSlots.ts';
import {
  type TrunkHealthTracker,
  trackTrunkHealth,
} from '../providers/dialClearance/trunkHealthFromCalls.ts';
import type { CallbackOutcome } from '../providers/delivery/webhook/webhookSender.ts';
import { createCampaignDestinationPerformers } from '../providers/campaignDestinations/fetchDestinationsAndWindows.ts';
import type { FileDownloader } from '../providers/contracts/download.ts';
import { openFileDownloader } from '../providers/download/web.ts';
import type { MediaStore } from '../providers/contracts/media.ts';
import { type SignedMediaLinks, createSignedMediaLinks } from '../providers/media/links.ts';
import { openDnsLookups } from '../providers/dns/cachingDnsLookup.ts';
import type { ReportFactToMachine, Tell } from '../engine/contract/performer.ts';
import type { TextToSpeech } from '../providers/contracts/speech.ts';
import { openSecondLegDestinationResolver } from '../providers/target/secondLegDestinationResolver.ts';
import { openSecondLegCostCheck } from '../providers/target/secondLegCostObjection.ts';
import type { AccountRow, ControlDatabase } from '../store/controlDatabase.ts';
import { addAndReadCallSpending } from '../store/spending.ts';
import { type TelephonyCarrier, openTelephonyCarrier } from './carrier.ts';
import { openChatServices, type OpenedChatServices } from './chat.ts';
import { temporaryFolderPath } from '../dataFolder/prepare.ts';
import type { Databases } from './databases.ts';
import { openDeliveryServices, type OpenedDeliveryServices } from './deliveries.ts';
import { openMediaStore } from '../providers/media/openMediaStore.ts';
import { type SmsRoutingServices, openSmsRouting } from './sms.ts';
import { openAudioServices, type AudioServices } from './audioServices.ts';
import { openSpeechSynthesis, type SpeechVoiceServices } from './speech.ts';
import { openStoredTrunkTable, openTrunkShares, type TrunkTableCache } from './trunkTableCache.ts';
import { type LegCostMeter, openLegCostMeter } from '../providers/trunks/legCostMeter.ts';
import { TRUNK_ZONE } from '../rules/trunks/spent.ts';
import type { TrunkCapacityShareRenewer } from '../providers/trunks/processCapacityShares.ts';
import { DailySpendingTracker } from '../providers/trunks/dailySpending.ts';
import { amountToTenThousandths } from '../rules/accounts/pricing.ts';
import type { StoredTrunkTable } from '../store/reads/trunks.ts';
import { dialClearanceRepository } from '../store/repositories/dialRuleLookups.ts';
import { trunkServerSealContext, serverSecretBox } from '../store/secrets/trunkServers.ts';
import { trunkSecretSealContext, trunkSecretBox } from '../store/secrets/trunks.ts';
import { legTargetRepository } from '../store/repositories/targets.ts';
import { prepaidCallChargeRepository } from '../store/repositories/prepaidChargeRepository.ts';
import { callerIdUseRepository } from '../store/repositories/callerIdUseCounts.ts';
import { campaignDestinationRepository } from '../store/repositories/dialler.ts';

export interface Providers {
  performers: EffectPerformers;
  telephony: TelephonyCarrier;
  trunks: TrunkTableCache;
  /** Seals the password of a trunk server. */
  sealServerPassword(server: number, password: string): string;
  /** Seals the password of a trunk at its carrier. */
  sealTrunkPassword(trunk: number, password: string): string;
  wouldClear: DialClearance['wouldClear'];
  /** What this process has on a trunk. */
  usageOf: DialClearance['usageOf'];
  /** What this process may put on a trunk. */
  shares: TrunkCapacityShareRenewer;
  /** What calls of a trunk, or of an account, cost today by the clock of this zone, ten-thousandths of the currency. */
  spentToday: DailySpendingTracker['today'];
  /** How trunks fare, by the legs of this process. */
  figuresOf: TrunkHealthTracker['figuresOf'];
  speech: TextToSpeech & { voices: SpeechVoiceServices };
  sound: AudioServices;
  chat: OpenedChatServices;
  downloads: FileDownloader;
  media: MediaStore;
  /** Links for customers. */
  links: SignedMediaLinks;
  deliveries: Pick<
    OpenedDeliveryServices,
    'admin' | 'callbacks' | 'pushSecrets' | 'callbackCounts' | 'callbackTargets'
  >;
  sms: SmsRoutingServices;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface AllProvidersDeps {
  config: Config;
  databases: Databases;
  control: ControlDatabase;
  /** Signs media links. */
  secret: string;
  /** Where facts go. */
  report: ReportFactToMachine;
  /** The same, for facts that must be durable before their sender is told so. */
  tell: Tell;
  /** Where an upstream in this process brings its hooks. */
  receiveHook: ReceiveHook;
  /** Ids for machines that a provider proposes. */
  mintId(shard: string): number;
  /** Writes what no machine writes. */
  keep: MachineEngine['keep'];
  /** Database time of a shard, epoch milliseconds. */
  now(shard: string): number;
  isOpen: MachineEngine['isOpen'];
  reopenedAt: MachineEngine['reopenedAt'];
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

const NO_TRUNKS: StoredTrunkTable = { servers: [], trunks: [], routes: [] };

/** Only what accounts with a limit of a day spend is counted. */
const payerOf = (account: AccountRow | null): { rate: bigint; zone: string } | undefined =>
  account && account.spend_per_day !== null
    ? { rate: amountToTenThousandths(account.call_rate.toFixed(4)), zone: account.time_zone }
    : undefined;

export const openProviders = async (needs: AllProvidersDeps): Promise<Providers> => {
  const { config, databases, control, secret, log } = needs;
  // Names of customers' hosts and of those that the operator configured are resolved apart: neither waits for the
  // other's.
  const names = openDnsLookups({ servers: config.dnsServers });
  const houseNames = openDnsLookups({ servers: config.dnsServers, system: true });
  const media = await openMediaStore(config);
  const linksAt = (baseUrl: string) => createSignedMediaLinks({ baseUrl, secret, now: clock.now });
  // The carrier is told where to report before call admission, which listens to it, can know the carrier's capacity.
  const lateBound: {
    report: ReportFactToMachine;
    trunk: TrunkTableCache['trunk'];
    trunks: () => StoredTrunkTable;
    capacityOf: TrunkCapacityShareRenewer['capacityOf'];
  } = { report: needs.report, trunk: () => undefined, trunks: () => NO_TRUNKS, capacityOf: () => undefined };
  const report: ReportFactToMachine = (machine, fact) => lateBound.report(machine, fact);
  const mediaUrl = linksAt(config.mediaUrl).urlOf;
  const telephony = await openTelephonyCarrier({
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
  const trunks = await openStoredTrunkTable(needs, telephony.profile, clock);
  lateBound.trunk = trunks.trunk;
  lateBound.trunks = trunks.now;
  trunks.watch(() => telephony.follow?.());
  const watch = trackTrunkHealth(() => performance.now());
  const meter: LegCostMeter = openLegCostMeter({
    trunk: trunks.trunk,
    payer: async (account) => payerOf(await control.cachedAccount(account)),
    add: (owner, id, zone, units) => spending.add(owner, id, zone, units),
    now: () => performance.now(),
  });
  const spending = new DailySpendingTracker({
    exchange: (added, since) => addAndReadCallSpending(databases.control.pool, added, since),
    clock: { wall: () => Date.now(), after: clock.after },
    count: meter.count,
    log,
  });
  const watched: TrunkHealthTracker = {
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
    repository: prepaidCallChargeRepository(databases, control),
    ...needs,
    after: clock.after,
  });
  const admission = dialClearanceRepository(databases, control, needs.keep);
  const clearance = openCallAdmission({
    repository: admission,
    trunks: openTrunkChooser({
      ...trunks,
      capacityOf: (trunk) => lateBound.capacityOf(trunk),
      rests: watch.rests,
      spentToday: (trunk) => spending.today('trunk', trunk, TRUNK_ZONE),
      isAway: (server) => telephony.connection?.(server)?.ok === false,
    }),
    spentToday: (account, zone) => spending.today('account', account, zone),
    charges,
    callerIds: openCallerIds({
      repository: callerIdUseRepository(databases),
      trunk: trunks.trunk,
      now: () => performance.now(),
    }),
    report,
    clock: { ...clock, now: () => performance.now() },
    now: needs.now,
  });
  lateBound.report = releaseSlotsOnHangup(clearance, needs.report, watched);
  const shares = openTrunkShares({ databases, trunks, usageOf: clearance.usageOf, clock, log });
  lateBound.capacityOf = (trunk) => shares.capacityOf(trunk);
  const secondLegObjection = openSecondLegCostCheck({
    account: admission.account,
    trunk: trunks.trunk,
    spentToday: (owner, id, zone = TRUNK_ZONE) => spending.today(owner, id, zone),
  });
  const targets = openSecondLegDestinationResolver({
    repository: legTargetRepository(databases),
    chatTrunk: config.waEndpoint !== undefined,
    secondLegObjection,
  });
  const speech = await openSpeechSynthesis({
    ...needs,
    media,
    links: linksAt(config.publicUrl),
    now: clock.now,
  });
  const sound = await openAudioServices(config, media, log);
  const sms = openSmsRouting({ ...needs, names: houseNames, clock });
  const chat = await openChatServices({ ...needs, names: houseNames, clock });
  const downloads = openFileDownloader({
    folder: temporaryFolderPath(config),
    allowed: config.allowPrivateTargets,
    maxBytes: config.limits.maxAudioBytes,
    names,
  });
  const customerLinks = linksAt(config.publicUrl);
  const deliveries = openDeliveryServices({
    ...needs,
    mediaUrl: customerLinks.urlOf,
    names,
  });
  return {
    performers: {
      ...wrapPerformersWithTrunkSlots(clearance, telephony.performers, {
        ...{ watch: watched, secondLegObjection },
        pace: openTrunkDialPacer((trunk) => shares.capacityOf(trunk), {
          ...clock,
          now: () => performance.now(),
        }),
      }),
      ...clearance.performers,
      ...targets.performers,
      ...createCampaignDestinationPerformers({
        repository: campaignDestinationRepository(databases, control),
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
      serverSecretBox(secret).seal(password, trunkServerSealContext(server)),
    sealTrunkPassword: (trunk, password) =>
      trunkSecretBox(secret).seal(password, trunkSecretSealContext(trunk)),
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
