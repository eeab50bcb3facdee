/** Looks at everything that the service needs, whether it runs or not, and says what to do. */
import { type Config, readConfig } from '../../config.ts';
import type { EnvironmentVariables } from '../../config/parseEnvironmentVariable.ts';
import { type ServiceConnection, readServiceConnection } from '../serviceUrlAndTokens.ts';
import { readPackageManifest } from '../packageRoot.ts';
import { checkCarrier } from './telephonyCarrier.ts';
import { checkDatabase, type DoctorDatabaseAddress } from './database.ts';
import { checkEmbeddedPostgres } from './embedded.ts';
import { type DoctorCheck, type DoctorFinding, failedFinding, ok, describeError } from './finding.ts';
import { checkFolder, checkNodeVersion, checkSecretFilePermissions } from './host.ts';
import { checkJournalFolder } from './journal.ts';
import {
  checkBucket,
  checkFfmpeg,
  checkRedis,
  checkVirusScanner,
  checkSmppRoutes,
  checkSpeechVoices,
} from './externalServicesAndTools.ts';
import {
  checkPortAvailable,
  checkService,
  type ServiceHealthAnswer,
  fetchServiceHealth,
} from './runningService.ts';

export interface DoctorTarget {
  env: EnvironmentVariables;
  connection: ServiceConnection;
}

/** A check that takes longer has failed, milliseconds: busy machines are slow, and not ill. */
const patienceMs = 30_000;

/** Everything that was found, in the order of the checks; they go on at the same time. */
export const runDoctor = async ({ env, connection }: DoctorTarget): Promise<DoctorFinding[]> => {
  const { version, engines } = readPackageManifest();
  const health = await fetchServiceHealth(connection.url);
  const found = await Promise.all(
    [
      ['node', () => checkNodeVersion(process.versions.node, engines.node)] as const,
      ...checksOf(env),
      ...portOf(env, await ownHealth(env, connection, health)),
      ['service', () => checkService(connection, health, version)] as const,
    ].map(([name, check]) => inTime(name, check)),
  );
  return found.flat();
};

type Named = readonly [name: string, check: DoctorCheck];

/** What follows from the settings; when those are wrong, that is all there is to say. */
const checksOf = (env: EnvironmentVariables): Named[] => {
  const config = configOf(env);
  if (config instanceof Error)
    return [
      [
        'settings',
        () => [failedFinding('settings', config.message, 'Correct it: the service does not start before.')],
      ],
    ];
  return [
    ['settings', () => [ok('settings', 'are right')]],
    ['DATA_DIR', () => checkFolder('DATA_DIR', config.dataDir)],
    ['journal', () => checkJournalFolder(config)],
    ['secrets', () => checkSecretFilePermissions(config.dataDir)],
    ...databasesOf(config),
    ['redis', () => checkRedis(config.redisUrl)],
    ['carrier', () => checkCarrier(config)],
    ['ffmpeg', () => checkFfmpeg(config.ffmpeg)],
    ['clamd', () => checkVirusScanner(config.clamdUrl)],
    ['bucket', () => checkBucket(config)],
    ['voices', () => checkSpeechVoices(config)],
  ];
};

/** What answers where a service of this environment would: the one that is asked need not be on this machine. */
const ownHealth = (
  env: EnvironmentVariables,
  asked: ServiceConnection,
  health: ServiceHealthAnswer | undefined,
) => {
  const own = readServiceConnection({}, { HOST: env['HOST'], PORT: env['PORT'] });
  return own.url === asked.url ? health : fetchServiceHealth(own.url);
};

const portOf = (env: EnvironmentVariables, health: ServiceHealthAnswer | undefined): Named[] => {
  const config = configOf(env);
  return config instanceof Error ? [] : [['port', () => checkPortAvailable(config, health !== undefined)]];
};

const configOf = (env: EnvironmentVariables): Config | Error => {
  try {
    return readConfig(env);
  } catch (error) {
    return error as Error;
  }
};

/** Writers, bulk loaders, long answers and the count of a shard, beside what DATABASE_CONNECTIONS says. */
const besideConnections = 11;

const databasesOf = (config: Config): Named[] => {
  const { databaseConnections: each } = config.limits;
  const embedded =
    config.databaseUrl === undefined ? checkEmbeddedPostgres(config.dataDir) : { url: config.databaseUrl };
  if ('findings' in embedded) return [['database', () => embedded.findings]];
  const { url } = embedded;
  const [first, ...others] = config.shards.map((shard): DoctorDatabaseAddress => ({
    name: `shard ${shard.name}`,
    url: shard.url ?? url,
    schema: shard.schema,
    setting: shard.url === undefined ? 'DATABASE_URL' : 'SHARDS',
  }));
  const control: DoctorDatabaseAddress = { name: 'database', url, schema: 'public', setting: 'DATABASE_URL' };
  const isSame = first!.url === url && first!.schema === 'public';
  const places = [control, ...(isSame ? [] : [first!]), ...others];
  return places.map((place) => [
    place.name,
    () =>
      checkDatabase(place, {
        connections: place === control && isSame ? 2 * each + besideConnections : each + besideConnections,
        ...((place !== control || isSame) && { use: checkSmppRoutes }),
      }),
  ]);
};

/** A check that throws becomes a finding: it met something unforeseen. */
const inTime = async (name: string, check: DoctorCheck): Promise<DoctorFinding[]> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DoctorFinding[]>((resolve) => {
    const says = `it took longer than ${patienceMs / 1000} s to look at it`;
    timer = setTimeout(resolve, patienceMs, [failedFinding(name, says, 'Look whether it hangs.')]);
  });
  try {
    return await Promise.race([Promise.resolve(check()), late]);
  } catch (error) {
    return [failedFinding(name, describeError(error))];
  } finally {
    clearTimeout(timer);
  }
};
