/** The whole service, from its settings: built from the inside out, taken down from the outside in. */
import { LiveHub } from '../admin/console/liveUpdateHub.ts';
import type { Config } from '../config.ts';
import { type EngineMetrics, noopWakeUpHints } from '../engine/contract/ports.ts';
import type { RamalEngine } from '../engine/engine.ts';
import { madeStorable } from '../engine/contract/storableText.ts';
import { Unavailable } from '../engine/contract/api.ts';
import { openForecastRunner } from '../forecast/forecastProcesses.ts';
import type { Log } from '../log.ts';
import { createPrometheusMetrics } from '../metrics.ts';
import type { Fact, Tell } from '../engine/contract/performer.ts';
import { loadOrCreateSecrets, type Secrets } from '../loadOrCreateSecrets.ts';
import { ControlDatabase } from '../store/controlDatabase.ts';
import { auditLogCleanup, openAuditLogAndTokenUsage } from './auditLogAndTokenUsage.ts';
import { securityHeaders } from '../http/answerHeaders.ts';
import { closeAll, type End } from '../lib/closeAll.ts';
import { prepareDataFolder } from '../dataFolder/prepare.ts';
import { dataFoldersBySetting, orFullDisk, warnOfSmallDisk } from '../dataFolder/diskSpace.ts';
import { type Databases, openDatabases, lostRowWarnings } from './databases.ts';
import { createDemoContent } from '../demo/demoContent.ts';
import { makeEndpointMiddlewares, makeOperationServices } from './endpoints.ts';
import { makeEngine } from './engine.ts';
import { printEndedCallsAndMessages } from '../terminal/printEndedCalls.ts';
import { countWorkLeftAtShutdown, type WorkLeftAtShutdown } from '../terminal/workLeftAtShutdown.ts';
import { followUpSmsPerformers } from '../operations/sms/sendFollowUpSms.ts';
import { isChatSandboxOnlyUpstream } from '../config/isChatSandboxOnlyUpstream.ts';
import { openRedisWakeUpHints } from '../providers/redis/wakeUpHints.ts';
import { openIncomingWebhooks } from './incomingWebhooks.ts';
import { openBodyRoom, openRateLimits } from './requestLimits.ts';
import { type Http, startHttpServer } from '../http/startHttpServer.ts';
import { openJournals } from '../recovery/journals.ts';
import { messageRuleLookups, nightMessageBalanceCleanup } from './messages.ts';
import { registerRunningService } from '../dataFolder/runningServices.ts';
import { openProviders, type Providers } from './providers.ts';
import { closeShardsOnRestoredStart } from './restoredMachine.ts';
import { oldRecordingsCleanup } from './recordings.ts';
import { machineHistoryCleanup, oldRecordsCleanup } from './retention.ts';
import { seed } from '../demo/seedAccounts.ts';
import { makeSignInLink } from './signInLink.ts';
import { deletedAudioCleanup } from './audioServices.ts';
import { requestTimeoutBody } from '../http/requestTimeoutBody.ts';
import { getShardPool, getShardByName } from '../store/pools.ts';
import { callbackSecretBox, sealPlainWebhookSecrets } from '../store/secrets/callbacks.ts';
import { checkSecretKey } from '../store/secrets/checkSecretKey.ts';

export interface StartedService {
  port: number;
  secrets: Secrets;
  engine: RamalEngine;
  /** Other nodes that share the work. */
  others(): number;
  /** Makes an address that signs a browser in to the console, once and within ten minutes, and records that. */
  signInLink(): Promise<string>;
  /** Stops admitting, drains, and closes everything; the embedded database last. Answers what goes on elsewhere or later. */
  stop(): Promise<WorkLeftAtShutdown>;
}

/** What is being answered at the end may take so long, milliseconds. */
const lastAnswersMs = 5_000;

export interface ServiceStartOptions {
  /**
   * The machine was restored as a whole, its journals with it: they say nothing of what was done since, so the shards are
   * closed until an operator decides. Default false.
   */
  restored?: boolean;
  /** Takes a line for each call and message that has ended. Default: none is written. */
  show?(line: string): void;
  /** Where the built pages of the console are. Default: `dist/console` of this package. */
  consolePages?: string;
  /** The demo account begins with one of each, where calls and chat go to the sandboxes. Default false. */
  furnished?: boolean;
}

/** Starts the service. Throws when it cannot; whatever was opened by then is closed again. */
export const startService = async (
  config: Config,
  log: Log,
  options: ServiceStartOptions = {},
): Promise<StartedService> => {
  prepareDataFolder(config.dataDir);
  const folders = dataFoldersBySetting(config);
  warnOfSmallDisk(folders, log);
  try {
    return await startIn(config, log, options);
  } catch (error) {
    throw orFullDisk(error, folders);
  }
};

const startIn = async (config: Config, log: Log, options: ServiceStartOptions): Promise<StartedService> => {
  const secrets = loadOrCreateSecrets(config.dataDir, config.given);
  const databases = await openDatabases(config, log);
  const presence = registerRunningService(config.dataDir);
  const opened: End[] = [() => presence.leave(), () => databases.close()];
  try {
    if (options.restored) await closeShardsOnRestoredStart(config, databases, log);
    const { engine, http } = await build(config, log, secrets, databases, opened, options);
    let remaining: WorkLeftAtShutdown = { unfinished: undefined, others: 0 };
    const others = () => Math.max(...[...engine.shards.values()].map(({ membership }) => membership.others));
    // When all has ended but the databases.
    opened.splice(2, 0, async () => void (remaining = await countWorkLeftAtShutdown(databases, others())));
    const stop = async () => {
      await closeAll(opened);
      return remaining;
    };
    const signInLink = () => makeSignInLink(config, databases, secrets);
    return { port: http.port, secrets, engine, others, signInLink, stop };
  } catch (error) {
    await closeAll(opened).catch((also: unknown) => log.error({ err: also }, 'could not close in order'));
    throw error;
  }
};

/** Starts the providers and what follows them. They read the databases from then on, so they stop where that fails. */
const startedWith = async <Started>(
  providers: Providers,
  follow: () => Promise<Started>,
): Promise<Started> => {
  try {
    await providers.start();
    return await follow();
  } catch (error) {
    await providers.stop();
    throw error;
  }
};

const build = async (
  config: Config,
  log: Log,
  secrets: Secrets,
  databases: Databases,
  opened: End[],
  { show, furnished = false, consolePages }: ServiceStartOptions,
): Promise<{ engine: RamalEngine; http: Http }> => {
  const control = new ControlDatabase(
    databases.control.prisma,
    () => Date.now(),
    config.limits.requestsPerSecond,
  );
  const firstShard = config.shards[0]!.name;
  await checkSecretKey(databases, secrets.secretKey, log);
  await seed(control, secrets.demoToken, {
    ...{ shard: firstShard, pool: getShardPool(databases, firstShard) },
    sandbox: config.sandbox,
    sandboxSecret: isChatSandboxOnlyUpstream(config) ? secrets.secretKey : undefined,
  });
  await sealPlainWebhookSecrets(control, callbackSecretBox(secrets.secretKey));
  const metrics = createPrometheusMetrics();
  const live = new LiveHub(() => performance.now());
  const redis = config.redisUrl === undefined ? undefined : await openRedisWakeUpHints(config.redisUrl, log);
  if (redis) opened.push(() => redis.close());

  // Providers report to the engine and the engine calls the providers: one of them must be named first.
  const lateBound: { engine?: RamalEngine } = {};
  const report = (machine: Parameters<RamalEngine['report']>[0], fact: Fact) =>
    lateBound.engine?.report(machine, fact);
  const tell: Tell = async (machine, fact) => {
    const { outcome } = await engine.send(machine, madeStorable(fact));
    return outcome === 'gone' ? 'gone' : 'heard';
  };
  const providers: Providers = await openProviders({
    config,
    databases,
    control,
    secret: secrets.secretKey,
    report,
    tell,
    receiveHook: (hook) => hooks.receive(hook),
    mintId: (shard) => engine.mintId(shard),
    keep: (shard, records) => engine.keep(shard, records),
    now: (shard) => engine.now(shard),
    isOpen: (shard) => engine.isOpen(shard),
    reopenedAt: (shard) => engine.reopenedAt(shard),
    observeCallback: metrics.callback,
    log,
  });
  metrics.watchCallbacks(providers.deliveries.callbackCounts);
  const rules = messageRuleLookups(databases, control);
  const journals = openJournals(config, log);
  // The last steps of the engine are written by then.
  opened.push(() => journals.close());
  const engine = makeEngine({
    config,
    databases,
    journals,
    performers: { ...providers.performers, ...followUpSmsPerformers(control, () => ({ ...rules, engine })) },
    hints: redis?.hints ?? noopWakeUpHints,
    upkeep: (shard) => [
      deletedAudioCleanup(databases, providers.sound, shard),
      nightMessageBalanceCleanup(databases, shard),
    ],
    // Recordings before their records, which name them.
    heavy: (shard) => [
      machineHistoryCleanup(databases, config, shard),
      oldRecordingsCleanup({
        pool: getShardPool(databases, shard),
        media: providers.media,
        limits: config.limits,
      }),
      oldRecordsCleanup(databases, config, shard),
      ...(shard === firstShard ? [auditLogCleanup(databases, config.limits.auditDays)] : []),
    ],
    metrics: heardBy(live, show ? shownTo(show, metrics.engine) : metrics.engine),
    log,
  });
  lateBound.engine = engine;
  redis?.hints.subscribe((_, topic, machine) => {
    if (topic === 'milestone') live.moved(machine);
  });
  const limits = await openRateLimits(config.redisUrl, databases.control.pool, log);
  opened.push(async () => limits.stop());
  const bodies = openBodyRoom(config);
  const { trustedProxies } = config;
  const hooks = openIncomingWebhooks({
    ...{ databases, control, engine, providers, metrics, log },
    ...{ limits, bodies, trustedProxies },
  });

  // The service is ready only when the demo account is as its pages describe it.
  let furnishing = furnished;
  const forecasts = openForecastRunner();
  const access = openAuditLogAndTokenUsage(databases, log);
  // After the last answer has been counted.
  opened.push(() => access.stop());
  const endpoints = makeEndpointMiddlewares({
    limits,
    bodies,
    access,
    config,
    databases,
    control,
    engine,
    providers,
    forecasts,
    metrics,
    adminToken: secrets.adminToken,
    secretKey: secrets.secretKey,
    demoToken: secrets.demoToken,
    consolePages,
    live,
    isFurnishing: () => furnishing,
    degraded: () =>
      [limits.problem(), redis?.problem(), ...lostRowWarnings(databases)].filter(
        (problem) => problem !== undefined,
      ),
    log,
  });
  const http = await startedWith(providers, () =>
    startHttpServer(
      [securityHeaders, hooks.endpoint, ...endpoints],
      { ...config, tooSlow: requestTimeoutBody },
      log,
    ),
  );
  // Taken down in this order: the engine drains while the carrier still listens and prompts can still be fetched.
  opened.push(
    () => http.close(lastAnswersMs),
    () => live.close(),
    () => providers.stop(),
    () => engine.stop(),
    () => forecasts.stop(new Unavailable('the service is stopping', 5)),
  );
  databases.failover.watch((name, sentence) => {
    if (engine.shards.has(name)) engine.suspect(name, sentence && `has a split brain: ${sentence}`);
  });
  await engine.open();
  if (furnishing) {
    const services = makeOperationServices({ config, databases, control, engine, providers, log });
    const shard = (name: string) => getShardByName(databases, name);
    await createDemoContent({ config, control, engine, services, demoToken: secrets.demoToken, shard, log });
    furnishing = false;
  }
  return { engine, http };
};

/** The engine's counts, which the pages of the console hear as well. */
const heardBy = (live: LiveHub, counts: EngineMetrics): EngineMetrics => ({
  ...counts,
  stepped: (kind, events, machine, ended, from, to) => {
    counts.stepped(kind, events, machine, ended, from, to);
    live.stepped(kind, machine.id, from, to);
  },
  fired: (lagMs) => {
    counts.fired(lagMs);
    live.fired(lagMs);
  },
});

/** The engine's counts, and a line of every call and message that has ended. */
const shownTo = (write: (line: string) => void, counts: EngineMetrics): EngineMetrics => {
  const tell = printEndedCallsAndMessages({ write, now: Date.now });
  return {
    ...counts,
    stepped: (...step) => {
      counts.stepped(...step);
      tell(...step);
    },
  };
};
