import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test('an empty environment is the embedded default', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: undefined,
    dataDir: resolve('data'),
    deliveryDir: resolve('data/deliveries'),
    outgoingDir: resolve('data/outgoing'),
    publicUrl: 'http://localhost:8080',
    mediaUrl: 'http://127.0.0.1:8080',
    databaseUrl: undefined,
    shards: [{ name: 'a', schema: 'public' }],
    redisUrl: undefined,
    given: { adminToken: undefined, secretKey: undefined, demoToken: undefined },
    carrier: { kind: 'sandbox' },
    waEndpoint: undefined,
    graphUrl: undefined,
    graphVersion: 'v22.0',
    google: undefined,
    trustedProxies: [],
    allowPrivateTargets: [],
    metricsFrom: [],
    clamdUrl: undefined,
    s3: undefined,
    ffmpeg: '',
    espeak: { path: '', package: true },
    sandbox: true,
    sandboxSpeed: 1,
    upkeep: { cron: '0 * * * *', timeZone: 'UTC' },
    logLevel: 'info',
    nodeName: `${hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')}-8080`,
    limits: {
      maxBodyBytes: 2_000_000,
      maxListBytes: 104_857_600,
      maxListRecords: 500_000,
      maxAudioBytes: 20_971_520,
      databaseConnections: 10,
      historyDays: 30,
      outgoingDays: 30,
      deliveryDays: 30,
      recordDays: undefined,
      recordingDays: undefined,
      auditDays: 400,
      archiveAfterMinutes: 60,
      requestsPerSecond: 50,
      graceSeconds: 10,
    },
  });
});

test('an empty variable is an absent one', () => {
  expect(readConfig({ PORT: '', SHARDS: ' ', CARRIER: '' })).toEqual(readConfig({}));
});

test('reads every setting', () => {
  const config = readConfig({
    PORT: '9000',
    HOST: '::1',
    DATA_DIR: '/var/lib/ramal',
    DELIVERY_DIR: '/srv/out',
    PUBLIC_URL: 'https://voice.example/',
    DATABASE_URL: 'postgresql://u:p@db/ramal',
    SHARDS: '[{"name":"a"},{"name":"b2","url":"postgres://db2,[::1]:6432/x","schema":"s2"}]',
    REDIS_URL: 'redis://cache:6379/1',
    ADMIN_TOKEN: 'an-admin-token-of-27-letters',
    SECRET_KEY: 'the-new-key-of-24-letters,old',
    DEMO_TOKEN: 'demo',
    CARRIER: 'asterisk',
    ARI_URL: 'http://pbx:8088/ari/',
    ARI_USER: 'svc',
    ARI_PASSWORD: 'pw',
    ARI_ENDPOINT: 'PJSIP/{number}@trunk',
    WA_ENDPOINT: 'PJSIP/{number}@wa',
    GRAPH_URL: 'https://graph.example',
    GRAPH_VERSION: 'v23.0',
    GOOGLE_TTS_KEY: 'AIza',
    GOOGLE_TTS_URL: 'http://speech.example/',
    TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
    METRICS_FROM: '203.0.113.7',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    CLAMD_URL: 'tcp://127.0.0.1:3310',
    S3_ENDPOINT: 'http://minio:9000/',
    S3_BUCKET: 'sounds',
    S3_REGION: 'sa-east-1',
    S3_ACCESS_KEY: 'AK',
    S3_SECRET_KEY: 'SK',
    PATH: '/usr/bin',
    FFMPEG: 'none',
    ESPEAK: 'package',
    SANDBOX: 'off',
    SANDBOX_SPEED: '0.5',
    UPKEEP_CRON: '30 3 * * mon-fri',
    UPKEEP_TIME_ZONE: 'america/sao_paulo',
    LOG_LEVEL: 'silent',
    NODE_NAME: 'n-1',
    MAX_BODY_BYTES: '50000',
    MAX_LIST_BYTES: '60000',
    MAX_LIST_RECORDS: '700',
    MAX_AUDIO_BYTES: '80000',
    DATABASE_CONNECTIONS: '20',
    HISTORY_DAYS: '7',
    OUTGOING_DIR: '/srv/journal',
    OUTGOING_DAYS: '3',
    AUDIT_DAYS: '90',
    ARCHIVE_AFTER_MINUTES: '5',
    GRACE_SECONDS: '3',
    DELIVERY_DAYS: '9',
    RECORD_DAYS: '40',
    RECORDING_DAYS: '7',
    REQUESTS_PER_SECOND: '7',
  });
  expect(config).toEqual({
    port: 9000,
    host: '::1',
    dataDir: '/var/lib/ramal',
    deliveryDir: '/srv/out',
    outgoingDir: '/srv/journal',
    publicUrl: 'https://voice.example',
    mediaUrl: 'http://[::1]:9000',
    databaseUrl: 'postgresql://u:p@db/ramal',
    shards: [
      { name: 'a', schema: 'public' },
      { name: 'b2', url: 'postgres://db2,[::1]:6432/x', schema: 's2' },
    ],
    redisUrl: 'redis://cache:6379/1',
    given: {
      adminToken: 'an-admin-token-of-27-letters',
      secretKey: 'the-new-key-of-24-letters,old',
      demoToken: 'demo',
    },
    carrier: {
      kind: 'asterisk',
      url: 'http://pbx:8088/ari',
      user: 'svc',
      password: 'pw',
      endpoint: 'PJSIP/{number}@trunk',
    },
    waEndpoint: 'PJSIP/{number}@wa',
    graphUrl: 'https://graph.example',
    graphVersion: 'v23.0',
    google: { key: 'AIza', url: 'http://speech.example' },
    trustedProxies: ['10.0.0.1/32', 'fd00::/8'],
    metricsFrom: ['203.0.113.7/32'],
    allowPrivateTargets: ['127.0.0.0/8'],
    clamdUrl: 'tcp://127.0.0.1:3310',
    s3: {
      endpoint: 'http://minio:9000',
      bucket: 'sounds',
      region: 'sa-east-1',
      accessKey: 'AK',
      secretKey: 'SK',
    },
    ffmpeg: undefined,
    espeak: { path: undefined, package: true },
    sandbox: false,
    sandboxSpeed: 0.5,
    upkeep: { cron: '30 3 * * mon-fri', timeZone: 'America/Sao_Paulo' },
    logLevel: 'silent',
    nodeName: 'n-1',
    limits: {
      maxBodyBytes: 50_000,
      maxListBytes: 60_000,
      maxListRecords: 700,
      maxAudioBytes: 80_000,
      databaseConnections: 20,
      historyDays: 7,
      outgoingDays: 3,
      deliveryDays: 9,
      recordDays: 40,
      recordingDays: 7,
      auditDays: 90,
      archiveAfterMinutes: 5,
      requestsPerSecond: 7,
      graceSeconds: 3,
    },
  });
});

test('a bucket needs its key, and stands at Amazon unless told otherwise', () => {
  const key = { S3_BUCKET: 'b', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 's' };
  expect(readConfig(key).s3).toMatchObject({
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
  });
  expect(() => readConfig({ ...key, S3_SECRET_KEY: '' })).toThrow(
    /^S3_SECRET_KEY is not set: S3_BUCKET needs a key/,
  );
  expect(readConfig({ S3_ACCESS_KEY: 'a' }).s3).toBeUndefined();
});

test('ffmpeg is looked for in PATH, unless told otherwise', () => {
  expect(readConfig({ PATH: '/a:/b' }).ffmpeg).toBe('/a:/b');
  expect(readConfig({ PATH: '/a', FFMPEG: 'none' }).ffmpeg).toBeUndefined();
  expect(() => readConfig({ FFMPEG: '/bin/ffmpeg' })).toThrow(/^FFMPEG must be one of auto, none/);
});

test('espeak-ng is looked for in PATH and among the packages, unless told otherwise', () => {
  expect(readConfig({ PATH: '/a:/b' }).espeak).toEqual({ path: '/a:/b', package: true });
  expect(readConfig({ PATH: '/a', ESPEAK: 'none' }).espeak).toEqual({ path: undefined, package: false });
  expect(() => readConfig({ ESPEAK: '/bin/espeak-ng' })).toThrow(
    /^ESPEAK must be one of auto, package, none/,
  );
});

test('Google speaks where it always does, unless told otherwise, and not without a key', () => {
  expect(readConfig({ GOOGLE_TTS_KEY: 'k' }).google).toEqual({
    key: 'k',
    url: 'https://texttospeech.googleapis.com',
  });
  expect(readConfig({ GOOGLE_TTS_URL: 'http://speech.example' }).google).toBeUndefined();
});

test('prompts are fetched where the service listens, unless MEDIA_URL says otherwise', () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '81' }).mediaUrl).toBe('http://127.0.0.1:81');
  expect(readConfig({ HOST: '10.1.1.1' }).mediaUrl).toBe('http://10.1.1.1:8080');
  expect(readConfig({ MEDIA_URL: 'http://app:8080' }).mediaUrl).toBe('http://app:8080');
});

describe('a wrong setting is refused in a sentence that names it', () => {
  const wrong: [Record<string, string>, string][] = [
    [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535; it is "0"'],
    [{ PORT: '80a' }, 'PORT must be'],
    [{ REST_MINUTES: '5' }, 'REST_MINUTES is called ARCHIVE_AFTER_MINUTES now: rename it'],
    [{ SANDBOX_SPEED: '-1' }, 'SANDBOX_SPEED must be a number from 0.01 to 1000'],
    [{ CARRIER: 'sip' }, 'CARRIER must be one of sandbox, asterisk; it is "sip"'],
    [
      { CARRIER: 'asterisk', ARI_PASSWORD: 'x' },
      'ARI_USER is not set: CARRIER=asterisk needs the login of ari.conf',
    ],
    [
      { CARRIER: 'asterisk', ARI_USER: 'x', ARI_PASSWORD: 'x', ARI_ENDPOINT: 'PJSIP/x' },
      'ARI_ENDPOINT must be a dial pattern',
    ],
    [
      { DATABASE_URL: 'mysql://db' },
      'DATABASE_URL must be an address that begins with postgresql:// or postgres://',
    ],
    [
      { DATABASE_URL: 'postgresql://u:p@a,b/db?target_session_attrs=standby' },
      'DATABASE_URL must be an address with target_session_attrs=read-write',
    ],
    [
      { SHARDS: '[{"name":"a","url":"postgresql://a,b/db?target_session_attrs=any"}]' },
      'SHARDS must be a JSON list whose url is an address with target_session_attrs=read-write',
    ],
    [
      { GOOGLE_TTS_KEY: 'two words' },
      'GOOGLE_TTS_KEY must be printable ASCII without spaces; it is something else',
    ],
    [{ GOOGLE_TTS_KEY: 'k', GOOGLE_TTS_URL: 'google' }, 'GOOGLE_TTS_URL must be an address'],
    [{ GRAPH_URL: 'graph' }, 'GRAPH_URL must be an address that begins with http:// or https://'],
    [{ GRAPH_VERSION: '22' }, 'GRAPH_VERSION must be a version of the graph API, like v22.0'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,office' }, 'TRUSTED_PROXIES must be IP addresses or networks'],
    [{ ALLOW_PRIVATE_TARGETS: '10.1/16' }, 'ALLOW_PRIVATE_TARGETS must be IP addresses or networks'],
    [
      { UPKEEP_CRON: 'at night' },
      'UPKEEP_CRON must be a cron expression of five fields, like 30 3 * * * (3:30 each night), and not of 2; it is "at night"',
    ],
    [{ UPKEEP_CRON: '0 0 3 * * *' }, 'UPKEEP_CRON must be a cron expression of five fields'],
    [{ UPKEEP_CRON: '0 25 * * *' }, '(25 is a invalid expression for hour); it is "0 25 * * *"'],
    [{ UPKEEP_CRON: '0 3 30 2 *' }, '(30 2 is an impossible day of month for the given month)'],
    [
      { UPKEEP_TIME_ZONE: 'Brasilia' },
      'UPKEEP_TIME_ZONE must be a time zone like America/Sao_Paulo or UTC; it is "Brasilia"',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error'],
    [{ NODE_NAME: 'a b' }, 'NODE_NAME must be letters, digits and hyphens'],
    [{ ADMIN_TOKEN: 'two words' }, 'ADMIN_TOKEN must be printable ASCII without spaces'],
    [{ ADMIN_TOKEN: '1' }, 'ADMIN_TOKEN must be at least 24 characters long; it is something else'],
    [{ ADMIN_TOKEN: 'x'.repeat(23) }, 'ADMIN_TOKEN must be at least 24 characters long'],
    [{ SECRET_KEY: '1' }, 'SECRET_KEY must be at least 24 characters long (the first key, of several)'],
    [{ SECRET_KEY: `short,${'x'.repeat(30)}` }, 'SECRET_KEY must be at least 24 characters long'],
    [{ SECRET_KEY: `,${'x'.repeat(30)}` }, 'SECRET_KEY must be at least 24 characters long'],
    [{ SHARDS: 'a' }, 'SHARDS must be a JSON list'],
    [{ SHARDS: '[]' }, 'SHARDS must be a JSON list'],
    [{ SHARDS: '[{"name":"a_1"}]' }, 'SHARDS must be a JSON list'],
    [{ SHARDS: '[{"name":"a","schema":"x; drop"}]' }, 'SHARDS must be a JSON list'],
    [{ SHARDS: '[{"name":"a"},{"name":"a","schema":"b"}]' }, 'SHARDS must be a JSON list'],
    [{ SHARDS: '[{"name":"a"},{"name":"b"}]' }, 'SHARDS must be a JSON list'],
  ];
  test.each(wrong)('%j', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
  });

  test('without repeating what is secret', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://u:hunter2@db' })).toThrow(/it is something else$/);
  });
});
