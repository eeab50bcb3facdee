/** The whole service, from its settings: built from the inside out, taken down from the outside in. */
import { LiveHub } from '../admin/console/hub.ts';
import type { Config } from '../config.ts';
import { type EngineMetrics, noHints } from '../engine/contract/ports.ts';
import type { RamalEngine } from '../engine/engine.ts';
import { madeStorable } from '../engine/contract/storableText.ts';
import { Unavailable } from '../engine/contract/api.ts';
import { openForecasts } from '../forecast/forecastProcesses.ts';
import type { Log } from '../log.ts';
import { openMetrics } from '../metrics.ts';
import type { Fact, Tell } from '../engine/contract/performer.ts';
import { keepSecrets, type Secrets } from '../secrets.ts';
import { Control } from '../store/control.ts';
import { accessUpkeep, openAccessLog } from './accessLog.ts';
import { answerHeaders } from '../http/answerHeaders.ts';
import { closeAll, type End } from '../lib/closeAll.ts';
import { prepareDataFolder } from '../dataFolder/prepare.ts';
import { foldersOf, orFullDisk, warnOfSmallDisk } from '../dataFolder/diskSpace.ts';
import { type Databases, openDatabases, rowProblems } from './databases.ts';
import { furnishDemo } from '../demo/furniture.ts';
import { makeEndpoints, servicesOf } from './endpoints.ts';
import { makeEngine } from './engine.ts';
import { tellEndings } from '../terminal/endedLines.ts';
import { countRemaining, type Remaining } from '../terminal/farewell.ts';
import { followUps } from '../operations/sms/followUp.ts';
import { hasChatSandbox } from '../config/hasChatSandbox.ts';
import { redisHints } from '../providers/redis/hints.ts';
import { openHooks } from './hooks.ts';
import { openBodyRoom, openLimits } from './limits.ts';
import { type Http, listen } from '../http/listen.ts';
import { openJournals } from '../recovery/journals.ts';
import { messageRules, nightBalanceUpkeep } from './messages.ts';
import { notePresence } from '../dataFolder/runningServices.ts';
import { openProviders, type Providers } from './providers.ts';
import { closePutBack } from './putBack.ts';
import { recordingUpkeep } from './recordings.ts';
import { historyUpkeep, retentionUpkeep } from './retention.ts';
import { seed } from '../demo/seed.ts';
import { makeSignInLink } from './signInLink.ts';
import { audioUpkeep } from './sound.ts';
import { tooSlow } from '../http/tooSlow.ts';
import { poolOf, shardOf } from '../store/pools.ts';
import { callbackSecretBox, sealSecrets } from '../store/secrets/callbacks.ts';
import { checkSecretKey } from '../store/secrets/secretKey.ts';

export interface Service {
  port: number;
  secrets: Secrets;
  engine: RamalEngine;
  /** Other nodes that share the work. */
  others(): number;
  /** Makes an address that signs a browser in to the console, once and within ten minutes, and records that. */
  signInLink(): Promise<string>;
  /** Stops admitting, drains, and closes everything; the embedded database last. Answers what goes on elsewhere or later. */
  stop(): Promise<Remaining>;
}

/** What is being answered at the end may take so long, milliseconds. */
const lastAnswersMs = 5_000;

export interface StartOptions {
  /**
   * The machine was put back as a whole, its journals with it: they say nothing of what was done since, so the shards are
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
  options: StartOptions = {},
): Promise<Service> => {
  prepareDataFolder(config.dataDir);
  const folders = foldersOf(config);
  warnOfSmallDisk(folders, log);
  try {
    return await startIn(config, log, options);
  } catch (error) {
    throw orFullDisk(error, folders);
  }
};

const startIn = async (config: Config, log: Log, options: StartOptions): Promise<Service> => {
  const secrets = keepSecrets(config.dataDir, config.given);
  const databases = await openDatabases(config, log);
  const presence = notePresence(config.dataDir);
  const opened: End[] = [() => presence.leave(), () => databases.close()];
  try {
    if (options.restored) await closePutBack(config, databases, log);
    const { engine, http } = await build(config, log, secrets, databases, opened, options);
    let remaining: Remaining = { unfinished: undefined, others: 0 };
    const others = () => Math.max(...[...engine.shards.values()].map(({ membership }) => membership.others));
    // When all has ended but the databases.
    opened.splice(2, 0, async () => void (remaining = await countRemaining(databases, others())));
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

const build = async (
  config: Config,
  log: Log,
  secrets: Secrets,
  databases: Databases,
  opened: End[],
  { show, furnished = false, consolePages }: StartOptions,
): Promise<{ engine: RamalEngine; http: Http }> => {
  const control = new Control(databases.control.prisma, () => Date.now(), config.limits.requestsPerSecond);
  const firstShard = config.shards[0]!.name;
  await checkSecretKey(databases, secrets.secretKey, log);
  await seed(control, secrets.demoToken, {
    ...{ shard: firstShard, pool: poolOf(databases, firstShard) },
    sandbox: config.sandbox,
    sandboxSecret: hasChatSandbox(config) ? secrets.secretKey : undefined,
  });
  await sealSecrets(control, callbackSecretBox(secrets.secretKey));
  const metrics = openMetrics();
  const live = new LiveHub(() => performance.now());
  const redis = config.redisUrl === undefined ? undefined : await redisHints(config.redisUrl, log);
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
  const rules = messageRules(databases, control);
  const journals = openJournals(config, log);
  // The last steps of the engine are written by then.
  opened.push(() => journals.close());
  const engine = makeEngine({
    config,
    databases,
    journals,
    performers: { ...providers.performers, ...followUps(control, () => ({ ...rules, engine })) },
    hints: redis?.hints ?? noHints,
    upkeep: (shard) => [audioUpkeep(databases, providers.sound, shard), nightBalanceUpkeep(databases, shard)],
    // Recordings before their records, which name them.
    heavy: (shard) => [
      historyUpkeep(databases, config, shard),
      recordingUpkeep({ pool: poolOf(databases, shard), media: providers.media, limits: config.limits }),
      retentionUpkeep(databases, config, shard),
      ...(shard === firstShard ? [accessUpkeep(databases, config.limits.auditDays)] : []),
    ],
    metrics: heardBy(live, show ? shownTo(show, metrics.engine) : metrics.engine),
    log,
  });
  lateBound.engine = engine;
  redis?.hints.subscribe((_, topic, machine) => {
    if (topic === 'milestone') live.moved(machine);
  });
  const limits = await openLimits(config.redisUrl, databases.control.pool, log);
  opened.push(async () => limits.stop());
  const bodies = openBodyRoom(config);
  const { trustedProxies } = config;
  const hooks = openHooks({
    ...{ databases, control, engine, providers, metrics, log },
    ...{ limits, bodies, trustedProxies },
  });

  // The service is ready only when the demo account is as its pages describe it.
  let furnishing = furnished;
  const forecasts = openForecasts();
  const access = openAccessLog(databases, log);
  // After the last answer has been counted.
  opened.push(() => access.stop());
  const endpoints = makeEndpoints({
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
      [limits.problem(), redis?.problem(), ...rowProblems(databases)].filter(
        (problem) => problem !== undefined,
      ),
    log,
  });
  await providers.start();
  const http = await listen([answerHeaders, hooks.endpoint, ...endpoints], { ...config, tooSlow }, log);
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
    const services = servicesOf({ config, databases, control, engine, providers, log });
    const shard = (name: string) => shardOf(databases, name);
    await furnishDemo({ config, control, engine, services, demoToken: secrets.demoToken, shard, log });
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
  const tell = tellEndings({ write, now: Date.now });
  return {
    ...counts,
    stepped: (...step) => {
      counts.stepped(...step);
      tell(...step);
    },
  };
};
