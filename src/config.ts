/**
 * The only reader of the environment. A wrong setting stops the start with one sentence that names the variable and
 * says what is allowed; an empty one counts as absent.
 */
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type EnvironmentVariables,
  urlParser,
  normalizeDatabaseUrl,
  parseNameServers,
  parseNetworkList,
  numberParser,
  oneOfWordsParser,
  parseSecretOfMinimumLength,
  validateSecretKeysSetting,
  refuseFormerNames,
  settingsReader,
  text,
  wholeNumberParser,
  word,
} from './config/parseEnvironmentVariable.ts';
import { checkCronExpression, parseTimeZoneSetting } from './config/schedule.ts';
import { type ShardSetting, parseShardSettings } from './config/shards.ts';

/** Settings as other rooms use them. Absent ones without a default are undefined. */
export interface Config {
  /** `PORT`, default 8080. */
  port: number;
  /** `HOST`: the interface to listen on. Default: all of them. */
  host: string | undefined;
  /** `DATA_DIR`, default `./data`; absolute. */
  dataDir: string;
  /** `DELIVERY_DIR`: files for customers, an account's below `<account>/`. Default `deliveries` in DATA_DIR; absolute. */
  deliveryDir: string;
  /** `OUTGOING_DIR`: the journal of what was written, best on a volume of its own. Default `outgoing` in DATA_DIR; absolute. */
  outgoingDir: string;
  /** `PUBLIC_URL`: where customers and upstreams reach us. Default `http://localhost:<PORT>`. */
  publicUrl: string;
  /** `MEDIA_URL`: where Asterisk fetches our prompts. Default: HOST and PORT, `127.0.0.1` when HOST is every interface. */
  mediaUrl: string;
  /** `DATABASE_URL`: control data and, by default, the one shard; several hosts where standbys may take over. Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** `SHARDS`. Absent: one shard `a` beside the control data. */
  shards: ShardSetting[];
  /** `REDIS_URL`. Absent: what nodes share stays in memory, for a single node. */
  redisUrl: string | undefined;
  /**
   * `ADMIN_TOKEN`, `SECRET_KEY` (keys separated by commas: the first seals, all open), `DEMO_TOKEN` as given;
   * `src/loadOrCreateSecrets.ts` makes those that are absent.
   */
  given: { adminToken: string | undefined; secretKey: string | undefined; demoToken: string | undefined };
  /** `CARRIER`, default `sandbox`; with `asterisk` the `ARI_` settings. */
  carrier: { kind: 'sandbox' } | ({ kind: 'asterisk' } & AriSettings);
  /** `WA_ENDPOINT`: dial pattern of the upstream's voice leg. Absent: calls to it are refused. */
  waEndpoint: string | undefined;
  /** `GRAPH_URL` without its version. Absent: lines that are none of the sandbox have no upstream. */
  graphUrl: string | undefined;
  /** `GRAPH_VERSION`, default `v22.0`. */
  graphVersion: string;
  /** `GOOGLE_TTS_KEY`, and `GOOGLE_TTS_URL`, default Google's own. Absent: Google's voices are not offered. */
  google: { key: string; url: string } | undefined;
  /** `TRUSTED_PROXIES`: networks whose `X-Forwarded-For` is believed. Default none. */
  trustedProxies: string[];
  /** `METRICS_FROM`: networks that may read the metrics without a token, beside this machine and private ones. */
  metricsFrom: string[];
  /** `ALLOW_PRIVATE_TARGETS`: private networks that callbacks and fetches may reach. Default none. */
  allowPrivateTargets: string[];
  /** `DNS_SERVERS`: name servers to ask, addresses with or without a port. Absent: those of the system. */
  dnsServers: string[] | undefined;
  /** `CLAMD_URL`, e.g. `tcp://127.0.0.1:3310`. Absent: uploads are not scanned. */
  clamdUrl: string | undefined;
  /** `S3_BUCKET` with its settings: sound files live there. Absent: in `DATA_DIR/media`. */
  s3: S3Settings | undefined;
  /** Where ffmpeg is looked for: `PATH`. Absent (`FFMPEG=none`; default `auto`): WebAssembly decodes uploads. */
  ffmpeg: string | undefined;
  /**
   * `ESPEAK`, where espeak-ng is looked for: `auto` (default) in `PATH`, then among the npm packages; `package`: there only;
   * `none`: nowhere, texts are not spoken.
   */
  espeak: { path: string | undefined; package: boolean };
  /** `SANDBOX`, default `on`: accounts begin with a sandbox route for SMS; `off`: with none, and no chat line has a sandbox. */
  sandbox: boolean;
  /** `SANDBOX_SPEED`, default 1: the sandbox providers' own delays are divided by it. */
  sandboxSpeed: number;
  /** `UPKEEP_CRON`, default `0 * * * *`, read in `UPKEEP_TIME_ZONE`, default `UTC`: when heavy upkeep is done. */
  upkeep: UpkeepSchedule;
  /** `LOG_LEVEL`, default `info`. */
  logLevel: LogLevel;
  /** `NODE_NAME`: tells this process from its neighbours, also at Asterisk. Default `<host>-<PORT>`. */
  nodeName: string;
  limits: ResourceLimitSettings;
}

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export interface UpkeepSchedule {
  /** Minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** A name of the IANA's list. */
  timeZone: string;
}

export interface AriSettings {
  /** `ARI_URL`, default `http://127.0.0.1:8088/ari`. */
  url: string;
  /** `ARI_USER`, required. */
  user: string;
  /** `ARI_PASSWORD`, required. */
  password: string;
  /** `ARI_ENDPOINT`: dial pattern with `{number}`, default `PJSIP/{number}@carrier`. */
  endpoint: string;
}

export interface S3Settings {
  /** `S3_ENDPOINT`, default `https://s3.<region>.amazonaws.com`. */
  endpoint: string;
  bucket: string;
  /** `S3_REGION`, default `us-east-1`. */
  region: string;
  /** `S3_ACCESS_KEY`, required. */
  accessKey: string;
  /** `S3_SECRET_KEY`, required. */
  secretKey: string;
}

export interface ResourceLimitSettings {
  /** `MAX_BODY_BYTES` of a request that is not an upload. Default 2,000,000. */
  maxBodyBytes: number;
  /** `MAX_LIST_BYTES` of an uploaded list. Default 100 MiB. */
  maxListBytes: number;
  /** `MAX_LIST_RECORDS` of a list. Default 500,000. */
  maxListRecords: number;
  /** `MAX_AUDIO_BYTES` of an uploaded sound. Default 20 MiB. */
  maxAudioBytes: number;
  /** `DATABASE_CONNECTIONS` of this process to each database. Default 10. */
  databaseConnections: number;
  /** `HISTORY_DAYS` a machine's past stays readable. Default 30. */
  historyDays: number;
  /** `DELIVERY_DAYS` the record of a delivery stays after it was born. Default 30. */
  deliveryDays: number;
  /** `RECORD_DAYS` records of calls and messages stay. Absent: for good. */
  recordDays: number | undefined;
  /** `RECORDING_DAYS` recordings of calls stay, and no longer than their records. Absent: as long as these. */
  recordingDays: number | undefined;
  /** `OUTGOING_DAYS` that the journal is kept. Default: as long as the history. */
  outgoingDays: number;
  /** `AUDIT_DAYS` that entries of the audit log are kept. Default 400. */
  auditDays: number;
  /** `ARCHIVE_AFTER_MINUTES` a finished machine keeps its row. Default 60. */
  archiveAfterMinutes: number;
  /** `REQUESTS_PER_SECOND` of a token that names no rate of its own; twice as many at once. Default 50. */
  requestsPerSecond: number;
  /** `GRACE_SECONDS` of silence after which other nodes take a node for dead. Default 10. */
  graceSeconds: number;
}

/** Reads the settings. Throws the sentence for the first one that is wrong, or that has another name now. */
export function readConfig(env: EnvironmentVariables): Config {
  refuseFormerNames(env);
  const { optional, or } = settingsReader(env);
  const port = or('PORT', wholeNumberParser(1, 65_535), 8080);
  const host = optional('HOST', word);
  const dataDir = resolve(or('DATA_DIR', text, './data'));
  return {
    port,
    host,
    dataDir,
    deliveryDir: resolve(or('DELIVERY_DIR', text, join(dataDir, 'deliveries'))),
    outgoingDir: resolve(or('OUTGOING_DIR', text, join(dataDir, 'outgoing'))),
    publicUrl: or('PUBLIC_URL', urlParser('http', 'https'), `http://localhost:${port}`),
    mediaUrl: or('MEDIA_URL', urlParser('http', 'https'), `http://${reachable(host)}:${port}`),
    databaseUrl: optional('DATABASE_URL', normalizeDatabaseUrl),
    shards: or('SHARDS', parseShardSettings, [{ name: 'a', schema: 'public' }]),
    redisUrl: optional('REDIS_URL', urlParser('redis', 'rediss')),
    given: {
      adminToken: optional('ADMIN_TOKEN', parseSecretOfMinimumLength),
      secretKey: optional('SECRET_KEY', validateSecretKeysSetting),
      demoToken: optional('DEMO_TOKEN', word),
    },
    carrier: readCarrier(env),
    waEndpoint: optional('WA_ENDPOINT', word),
    graphUrl: optional('GRAPH_URL', urlParser('http', 'https')),
    graphVersion: or('GRAPH_VERSION', graphVersion, 'v22.0'),
    google: readGoogle(env),
    trustedProxies: or('TRUSTED_PROXIES', parseNetworkList, []),
    metricsFrom: or('METRICS_FROM', parseNetworkList, []),
    allowPrivateTargets: or('ALLOW_PRIVATE_TARGETS', parseNetworkList, []),
    dnsServers: optional('DNS_SERVERS', parseNameServers),
    clamdUrl: optional('CLAMD_URL', urlParser('tcp', 'unix')),
    s3: readS3(env),
    ffmpeg:
      or('FFMPEG', oneOfWordsParser('auto', 'none'), 'auto') === 'none' ? undefined : (env['PATH'] ?? ''),
    espeak: readEspeak(env),
    sandbox: or('SANDBOX', oneOfWordsParser('on', 'off'), 'on') === 'on',
    sandboxSpeed: or('SANDBOX_SPEED', numberParser(0.01, 1000), 1),
    upkeep: {
      cron: or('UPKEEP_CRON', checkCronExpression, '0 * * * *'),
      timeZone: or('UPKEEP_TIME_ZONE', parseTimeZoneSetting, 'UTC'),
    },
    logLevel: or(
      'LOG_LEVEL',
      oneOfWordsParser('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
      'info',
    ),
    nodeName: or(
      'NODE_NAME',
      nodeName,
      `${hostname()}-${port}`.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(-nodeNameLength),
    ),
    limits: readLimits(env),
  };
}

function readCarrier(env: EnvironmentVariables): Config['carrier'] {
  const { or, required } = settingsReader(env);
  const kind = or('CARRIER', oneOfWordsParser('sandbox', 'asterisk'), 'sandbox');
  if (kind === 'sandbox') return { kind };
  const why = 'CARRIER=asterisk needs the login of ari.conf';
  return {
    kind,
    url: or('ARI_URL', urlParser('http', 'https'), 'http://127.0.0.1:8088/ari'),
    user: required('ARI_USER', word, why),
    password: required('ARI_PASSWORD', word, why),
    endpoint: or('ARI_ENDPOINT', dialPattern, 'PJSIP/{number}@carrier'),
  };
}

const mebibyte = 1024 * 1024;

function readGoogle(env: EnvironmentVariables): Config['google'] {
  const { optional, or } = settingsReader(env);
  const key = optional('GOOGLE_TTS_KEY', word);
  const url = or('GOOGLE_TTS_URL', urlParser('http', 'https'), 'https://texttospeech.googleapis.com');
  return key === undefined ? undefined : { key, url };
}

function readEspeak(env: EnvironmentVariables): Config['espeak'] {
  const which = settingsReader(env).or('ESPEAK', oneOfWordsParser('auto', 'package', 'none'), 'auto');
  return { path: which === 'auto' ? (env['PATH'] ?? '') : undefined, package: which !== 'none' };
}

function readS3(env: EnvironmentVariables): S3Settings | undefined {
  const { optional, or, required } = settingsReader(env);
  const bucket = optional('S3_BUCKET', word);
  if (bucket === undefined) return undefined;
  const region = or('S3_REGION', word, 'us-east-1');
  const why = 'S3_BUCKET needs a key that may read and write there';
  return {
    endpoint: or('S3_ENDPOINT', urlParser('http', 'https'), `https://s3.${region}.amazonaws.com`),
    bucket,
    region,
    accessKey: required('S3_ACCESS_KEY', word, why),
    secretKey: required('S3_SECRET_KEY', word, why),
  };
}

function readLimits(env: EnvironmentVariables): ResourceLimitSettings {
  const { or, optional } = settingsReader(env);
  const historyDays = or('HISTORY_DAYS', wholeNumberParser(1, 3650), 30);
  return {
    maxBodyBytes: or('MAX_BODY_BYTES', wholeNumberParser(10_000, 100_000_000), 2_000_000),
    maxListBytes: or('MAX_LIST_BYTES', wholeNumberParser(1000, 10_000_000_000), 100 * mebibyte),
    maxListRecords: or('MAX_LIST_RECORDS', wholeNumberParser(1, 100_000_000), 500_000),
    maxAudioBytes: or('MAX_AUDIO_BYTES', wholeNumberParser(1000, 1_000_000_000), 20 * mebibyte),
    databaseConnections: or('DATABASE_CONNECTIONS', wholeNumberParser(4, 150), 10),
    historyDays,
    outgoingDays: or('OUTGOING_DAYS', wholeNumberParser(1, 3650), historyDays),
    deliveryDays: or('DELIVERY_DAYS', wholeNumberParser(1, 3650), 30),
    // Limits of calls to a number look 30 days back.
    recordDays: optional('RECORD_DAYS', wholeNumberParser(31, 36_500)),
    recordingDays: optional('RECORDING_DAYS', wholeNumberParser(1, 36_500)),
    auditDays: or('AUDIT_DAYS', wholeNumberParser(1, 36_500), 400),
    archiveAfterMinutes: or('ARCHIVE_AFTER_MINUTES', wholeNumberParser(1, 10_080), 60),
    requestsPerSecond: or('REQUESTS_PER_SECOND', wholeNumberParser(1, 100_000), 50),
    graceSeconds: or('GRACE_SECONDS', wholeNumberParser(2, 20), 10),
  };
}

function dialPattern(given: string): string {
  if (given.includes('{number}')) return given;
  throw new Error('a dial pattern with {number} in it, like PJSIP/{number}@carrier');
}

function graphVersion(given: string): string {
  if (/^v\d{1,3}\.\d{1,2}$/.test(given)) return given;
  throw new Error('a version of the graph API, like v22.0');
}

/** It is part of the name of an ARI application. */
const nodeNameLength = 64;

function nodeName(given: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(given)) return given;
  throw new Error(`letters, digits and hyphens, ${nodeNameLength} at most`);
}

/** The host part of an address under which this machine reaches itself. */
function reachable(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
