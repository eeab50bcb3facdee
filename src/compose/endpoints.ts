/** The endpoints, each handed what it may use. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { machineKinds } from '../../machines/index.ts';
import { adminApiMiddleware } from '../admin/api.ts';
import { CampaignEndForecasts } from '../admin/campaigns/campaignEndForecasts.ts';
import { forecastRunningCampaign } from '../admin/campaigns/forecasts.ts';
import { CampaignFiguresReader } from '../admin/campaigns/cachedCampaignFigures.ts';
import type { LiveHub } from '../admin/console/liveUpdateHub.ts';
import { ConsoleOverviewReader } from '../admin/console/cachedConsoleOverview.ts';
import type { Config } from '../config.ts';
import type { RamalEngine } from '../engine/engine.ts';
import type { ForecastRunner } from '../forecast/forecastProcesses.ts';
import type { Log } from '../log.ts';
import { mcpEndpointMiddleware } from '../mcp/endpoint.ts';
import { sandboxSentence } from '../terminal/banner.ts';
import { readHealth } from '../mcp/healthEndpointBody.ts';
import { makeTools } from '../mcp/tools.ts';
import type { RequestLimitsOfAllEndpoints } from '../providers/contracts/rateLimitsAndLockouts.ts';
import type { Metrics } from '../metrics.ts';
import { operations } from '../operations/index.ts';
import { createDestinationListLoader } from '../operations/lists/listLoadScheduler.ts';
import type { Services } from '../operations/services.ts';
import { campaignResultsText } from '../operations/deliveries/campaignResultsFile.ts';
import { createMaskedNumberReferences } from '../access/admin/maskedNumberReferences.ts';
import { ResponseCapacity } from '../access/unsentResponseLimits.ts';
import type { BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import { clientAddress } from '../access/clientAddress.ts';
import { authFailureAddress } from '../access/keptOut.ts';
import { restApiMiddleware } from '../rest/endpoint.ts';
import { unknownPathMiddleware } from '../rest/unknownPathAnswer.ts';
import { answerForThrownError, logAccountsOfUnknownShards } from '../rest/serverErrors.ts';
import { healthAndMetricsMiddleware } from '../rest/serveHealthMetricsAndMedia.ts';
import { serveGuides } from '../rest/guides/serve.ts';
import { checkNameInPortuguese, healthInPortuguese } from '../console/app/portuguese/refusals/pt.ts';
import { MachineTimeTravelCache } from '../console/travel/timeTravelCache.ts';
import { serveConsolePages } from '../rest/console/serve.ts';
import { home } from '../rest/home/serve.ts';
import { serveOpenApiViewer } from '../rest/viewer/serveOpenApiViewer.ts';
import { AnonymousUploadAllowance } from '../rest/upload/allowance.ts';
import { prepareTemporaryFolder, TemporaryFiles } from '../rest/upload/temporary.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import { AdminOperatorStore } from '../store/adminOperatorsAndSessions.ts';
import { SignInCodes } from '../store/signInCodes.ts';
import { findAgentActiveFlag } from '../store/reads/voice/targets.ts';
import type { AuditLogAndTokenUsage } from './auditLogAndTokenUsage.ts';
import { cachedRead } from '../lib/cachedRead.ts';
import { cachedUrlChecker } from '../rules/deliveries/checkOutboundUrl.ts';
import { isCallerIdRefusedByTrunks } from '../rules/trunks/isShownNowhere.ts';
import { type Databases, lostRowWarnings } from './databases.ts';
import { createDemoHomePageContent } from '../demo/demoRecentCallsAndMessages.ts';
import { healthAndMetricsPages } from './healthAndMetricsEndpoints.ts';
import type { Providers } from './providers.ts';
import { sandboxGraphEndpoint } from '../rest/sandboxGraphApi.ts';
import { mediaHealth } from '../providers/media/openMediaStore.ts';
import { serveMediaFile } from '../providers/media/serve.ts';
import { messageRuleLookups } from './messages.ts';
import { createSpilledRequestParams } from '../rest/upload/spilledParams.ts';
import { createExplainAndForecastService } from '../mcp/explainAndForecastForAccount.ts';
import { redactShardProblem, shardProblemSentences } from '../rest/health/shardSentences.ts';
import { createSpeechServices } from './speech.ts';
import { reserveRoomForUnsentResponse } from '../http/unsentAnswers.ts';
import { getShardPool, getShardByName } from '../store/pools.ts';
import { smsHealth } from '../store/repositories/smsRouterRepository.ts';
import { createAudioFileService } from '../operations/audio/createAudioFileService.ts';

export interface EndpointDeps {
  config: Config;
  databases: Databases;
  control: ControlDatabase;
  limits: RequestLimitsOfAllEndpoints;
  bodies: BodyMemoryBudget;
  access: AuditLogAndTokenUsage;
  engine: RamalEngine;
  providers: Providers;
  forecasts: ForecastRunner;
  metrics: Metrics;
  adminToken: string;
  secretKey: string;
  demoToken: string;
  /** Sentences for what is not as it should be and keeps no work away. */
  degraded(): string[];
  isFurnishing?: (() => boolean) | undefined;
  live: LiveHub;
  /** Where the built pages of the console are. Default: `dist/console` of this package. */
  consolePages?: string | undefined;
  log: Log;
}

type ServiceDeps = Pick<EndpointDeps, 'config' | 'databases' | 'control' | 'engine' | 'providers' | 'log'>;

export const makeEndpointMiddlewares = (needs: EndpointDeps): Middleware[] => {
  const { config, databases, control, limits, access, engine, metrics, adminToken, log, providers } = needs;
  // Open to all, and each check asks another server.
  const health = cachedRead(() => readHealth(healthSources(needs)), {
    forMs: 1_000,
    now: () => performance.now(),
  });
  const tellUnknown = logAccountsOfUnknownShards(log, () => performance.now());
  const onFailure = (error: unknown, request?: string) => {
    tellUnknown(error);
    return answerForThrownError(error, log, request);
  };
  const now = () => Date.now();
  const services = makeOperationServices(needs);
  const uploads = uploadsOf(config);
  const forecastDeps = {
    engine,
    pool: (shard: string) => getShardPool(databases, shard),
    forecasts: needs.forecasts,
    trunkTable: () => providers.trunks.now(),
    spentToday: providers.spentToday,
  };
  const resultsDeps = {
    databases,
    control,
    mediaUrl: (account: number, media: string) => providers.links.urlOf(account, media),
  };
  const answers = new ResponseCapacity();
  const adminAccess = {
    ...{ adminToken, limits, now },
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    operators: new AdminOperatorStore(databases.control.prisma, now),
    codes: new SignInCodes(databases.control.prisma, now),
  };
  const addressOf = (ctx: Context) => clientAddress(ctx.req, config.trustedProxies);
  return [
    access.counting,
    reserveRoomForUnsentResponse(answers, addressOf),
    restApiMiddleware({
      operations,
      services,
      control,
      limits,
      now,
      trustedProxies: config.trustedProxies,
      maxBodyBytes: config.limits.maxBodyBytes,
      bodies: needs.bodies,
      answers,
      uploads,
      observe: (operation, http, seconds) => metrics.request(operation, http, seconds),
      failed: onFailure,
    }),
    mcpEndpointMiddleware({
      tools: makeTools(operations, {
        services,
        hold: () => createSpilledRequestParams(uploads),
        insight: createExplainAndForecastService({ ...forecastDeps, control }),
      }),
      version,
      control,
      limits,
      now,
      trustedProxies: config.trustedProxies,
      publicUrl: config.publicUrl,
      maxBodyBytes: config.limits.maxBodyBytes,
      bodies: needs.bodies,
      answers,
      observe: (http, seconds) => metrics.request('mcp', http, seconds),
      observeTool: (name, outcome, seconds) => metrics.tool(name, outcome, seconds),
      failed: onFailure,
    }),
    healthAndMetricsMiddleware(
      healthAndMetricsPages({ ...needs, access: adminAccess, health, degraded: needs.degraded, version }),
    ),
    home(
      createDemoHomePageContent({
        ...{ config, databases, control, engine, demoToken: needs.demoToken, health },
        healthInPortuguese: {
          name: checkNameInPortuguese,
          detail: (sentence) => healthInPortuguese(sentence) ?? sentence,
        },
      }),
    ),
    serveGuides(),
    serveOpenApiViewer(),
    serveConsolePages(needs.consolePages ?? join(packageFolder, 'dist', 'console')),
    sandboxGraphEndpoint({
      upstream: providers.chat.sandbox,
      bodies: needs.bodies,
      addressOf: (ctx) => clientAddress(ctx.req, config.trustedProxies),
      failed: onFailure,
    }),
    adminApiMiddleware({
      ...adminAccess,
      numberReferences: createMaskedNumberReferences(needs.secretKey),
      addressOf,
      countedAs: (ctx) => authFailureAddress(ctx.req, config.trustedProxies),
      audit: access.log,
      uses: access.uses,
      control,
      ...forecastDeps,
      wouldClear: providers.wouldClear,
      shards: [...databases.shards.keys()],
      shardSentences: () => shardProblemSentences(engine.shardStates()),
      database: (shard) => getShardByName(databases, shard).prisma,
      kind: (name) => machineKinds.find((kind) => kind.name === name),
      voices: voiceAdmin(needs.providers),
      now,
      callbacks: providers.deliveries.callbacks,
      audios: {
        urlOf: (account, media) => providers.links.urlOf(account, media),
        // Who heard it stands in the audit log: a copy that is kept would be heard unseen.
        serve: (account, id, request) =>
          serveMediaFile(providers.media, { account, id }, request, 'private, no-store'),
        forget: (account, media) => providers.sound.studio.forget(account, media),
      },
      deliveryProfiles: providers.deliveries.admin,
      smsRoutes: providers.sms.admin,
      trunks: {
        database: databases.control.prisma,
        usageOf: providers.usageOf,
        figuresOf: providers.figuresOf,
        connection: (server) => providers.telephony.connection?.(server),
        registration: (trunk) => providers.telephony.registration?.(trunk),
        sealPassword: providers.sealServerPassword,
        sealSipPassword: providers.sealTrunkPassword,
        byAsterisk: config.carrier.kind === 'asterisk',
        capacityOf: (trunk) => providers.shares.capacityOf(trunk),
        changed: async () => {
          await providers.trunks.changed();
          await providers.shares.renew();
        },
      },
      sandbox: config.sandbox,
      chatLines: providers.chat.admin,
      openTargets: providers.deliveries.callbackTargets.allowed,
      callbackTargets: providers.deliveries.callbackTargets,
      travels: new MachineTimeTravelCache(engine),
      live: needs.live,
      overview: new ConsoleOverviewReader({
        engine,
        control,
        live: needs.live,
        shards: [...databases.shards.keys()],
        pool: forecastDeps.pool,
        shardSentences: () => shardProblemSentences(engine.shardStates()),
        health,
        node: config.nodeName,
        callbacksWaiting: () => providers.deliveries.callbackCounts().waiting,
        campaignEnds: new CampaignEndForecasts({
          play: (campaign) => forecastRunningCampaign({ ...forecastDeps, control }, campaign),
          now: (shard) => engine.now(shard),
          clock: () => performance.now(),
        }),
        clock: () => performance.now(),
      }),
      services,
      phone: providers.telephony.phone,
      files: (limit) => new TemporaryFiles(uploads.folder, uploads.maxBytes[limit]),
      mostBytes: uploads.maxBytes,
      results: (tenant, campaign, delimiter) => campaignResultsText(resultsDeps, tenant, campaign, delimiter),
      campaigns: new CampaignFiguresReader({
        pool: forecastDeps.pool,
        now: (shard) => engine.now(shard),
        clock: () => performance.now(),
      }),
      health,
      failed: onFailure,
    }),
    unknownPathMiddleware(operations.map(({ name }) => name)),
  ];
};

const uploadsOf = ({ dataDir, nodeName, limits }: Config) => ({
  folder: prepareTemporaryFolder(join(dataDir, 'tmp'), nodeName),
  maxBytes: { list: limits.maxListBytes, audio: limits.maxAudioBytes },
  // Room for a few honest callers at a time whose token comes last.
  allowance: new AnonymousUploadAllowance(2 * limits.maxListBytes),
});

/** What operations are handed. */
export const makeOperationServices = ({
  config,
  databases,
  control,
  engine,
  providers,
  log,
}: ServiceDeps): Services => ({
  engine,
  ...messageRuleLookups(databases, control),
  longReads: (shard) => getShardByName(databases, shard).longReads,
  lists: {
    maxRecords: config.limits.maxListRecords,
    newId: () => control.reserveIds('list', 1),
    ...createDestinationListLoader({
      pool: (shard) => getShardByName(databases, shard).bulk,
      address: (shard) => getShardByName(databases, shard),
    }),
  },
  chat: providers.chat,
  isTrunk: (name) => providers.trunks.trunk(name) !== undefined,
  isShownNowhere: (wanted) => isCallerIdRefusedByTrunks(wanted, providers.trunks.now()),
  callsInSandbox: config.carrier.kind === 'sandbox',
  ...createSpeechServices(providers.speech, log),
  audio: createAudioFileService(providers.sound.studio, () => control.reserveIds('audio', 1), log),
  download: (account, url) => providers.downloads.fetch(account, url),
  // Campaigns, queues and agents share one counter: their machines share one table.
  newMachineId: () => control.reserveIds('line', 1),
  agentIsActive: async (shard, account, agent) =>
    (await findAgentActiveFlag(getShardPool(databases, shard), account, agent)) ?? false,
  mediaUrl: (account, media) => providers.links.urlOf(account, media),
  callbacks: providers.deliveries.pushSecrets,
  readTarget: cachedUrlChecker(providers.deliveries.callbackTargets.allowed),
  log,
});

const voiceAdmin = ({ speech: { voices } }: Providers) => ({
  table: voices.table,
  providers: voices.providers,
  sampleUrl: (id: number) => voices.samples.urlOf(id),
  changed: () => voices.catalogue.changed(),
});

const carrierHealth = ({ telephony, shares }: Providers) => {
  const health = telephony.health();
  return health.ok && shares.problem !== undefined ? { ok: false, detail: shares.problem } : health;
};

const trunksHealth = ({ telephony }: Providers) => {
  const rejected = telephony.rejected?.() ?? [];
  return { ok: rejected.length === 0, detail: rejected.join('; ') || 'their carriers take them' };
};

const healthSources = ({ config, control, databases, engine, providers, degraded }: EndpointDeps) => ({
  version,
  uptime: () => process.uptime(),
  checks: {
    database: async () => {
      await control.ping();
      return { ok: true, detail: 'answers' };
    },
    shards: () => {
      const sentences = shardProblemSentences(engine.shardStates().map(redactShardProblem));
      return { ok: sentences.length === 0, detail: sentences.join('; ') || 'are served' };
    },
    rows: () => {
      const lost = lostRowWarnings(databases).filter((sentence) => sentence !== undefined);
      return { ok: lost.length === 0, detail: lost.join('; ') || 'are as the journals have them' };
    },
    carrier: () => carrierHealth(providers),
    ...(config.carrier.kind === 'asterisk' && { trunks: () => trunksHealth(providers) }),
    sms: () => smsHealth(providers.sms, databases),
    ...sandboxCheck(config),
    media: () => mediaHealth(config, providers.media),
    ...soundChecks(providers),
    ...(config.redisUrl !== undefined && {
      redis: () => ({ ok: degraded().length === 0, detail: degraded().join('; ') || 'answers' }),
    }),
  },
});

/** Readiness says which parts are sandboxes and reach no real recipient. */
const sandboxCheck = (config: Config) => {
  const detail = sandboxSentence(config);
  return detail === '' ? {} : { sandbox: () => ({ ok: true, detail }) };
};

const soundChecks = ({ sound, speech }: Providers) => ({
  speech: () => ({ ok: true, detail: speech.voices.spokenBy }),
  decoder: () => ({ ok: true, detail: sound.decoder }),
  scanner: () =>
    sound.scanner?.health() ?? { ok: true, detail: 'none is configured: uploads are not scanned' },
});

/** Where package.json is, above `src/` and above `dist/src/` alike. */
const folderOfPackage = (folder: string): string =>
  existsSync(join(folder, 'package.json')) || dirname(folder) === folder
    ? folder
    : folderOfPackage(dirname(folder));

const packageFolder = folderOfPackage(import.meta.dirname);
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string;
};
