/** The carrier: nothing for the sandbox; an Asterisk must let us in, have its modules and its trunk, and keep time. */
import type { Config } from '../../config.ts';
import {
  type AriResponse,
  type Ari,
  createAri,
  AriRequestNeverSent,
  describeAriRefusal,
} from '../../providers/telephony/asterisk/ariRestClient.ts';
import { clockDriftFinding } from './database.ts';
import {
  type DoctorFinding,
  failedFinding,
  ok,
  describeError,
  urlWithoutCredentials,
  warningFinding,
} from './finding.ts';

type Asterisk = Extract<Config['carrier'], { kind: 'asterisk' }>;

const name = 'asterisk';

export const checkCarrier = async ({ carrier, waEndpoint }: Config): Promise<DoctorFinding[]> => {
  if (carrier.kind === 'sandbox')
    return [ok('carrier', 'the sandbox: a telephone network in a file, no real call is made')];
  const ari = createAri(carrier);
  try {
    const patterns = [carrier.endpoint, ...(waEndpoint === undefined ? [] : [waEndpoint])];
    return await checkAsterisk(ari, carrier, patterns);
  } catch (error) {
    const why = error instanceof AriRequestNeverSent ? describeError(error.cause) : describeError(error);
    const todo = 'Start it, or correct ARI_URL; the service goes on without it, and calls end CHANUNAVAIL.';
    return [failedFinding(name, `${urlWithoutCredentials(carrier.url)} does not answer: ${why}`, todo)];
  } finally {
    await ari.close();
  }
};

const checkAsterisk = async (
  ari: Ari,
  { url, user }: Asterisk,
  patterns: readonly string[],
): Promise<DoctorFinding[]> => {
  const info = await ari.ask('GET', '/asterisk/info');
  if (info.status !== 200) return [notAdmitted(info, url, user)];
  return [
    versionOf(info, url),
    await modules(ari),
    ...(await Promise.all(patterns.map((pattern) => trunk(ari, pattern)))),
    await clock(ari),
  ];
};

const notAdmitted = (answer: AriResponse, url: string, user: string): DoctorFinding => {
  const where = urlWithoutCredentials(url);
  if (answer.status === 401)
    return failedFinding(
      name,
      `${where} refuses the user ${user}`,
      'Correct ARI_USER and ARI_PASSWORD: they stand in ari.conf.',
    );
  const todo = 'ARI_URL must lead to ARI (http.conf enabled=yes, ari.conf enabled=yes).';
  return failedFinding(name, `${where} answers ${describeAriRefusal(answer)}`, todo);
};

const major = 22;

const versionOf = ({ body }: AriResponse, url: string): DoctorFinding => {
  const { system } = body as { system?: { version?: string } };
  const version = system?.version ?? 'of an unknown version';
  const says = `Asterisk ${version} at ${urlWithoutCredentials(url)} lets us in`;
  return Number.parseInt(version, 10) === major
    ? ok(name, says)
    : warningFinding(name, says, `Use version ${major}: nothing else has been tried.`);
};

/** Without these nothing is dialled or heard. */
const needed = [
  'app_stasis',
  'res_ari_applications',
  'res_ari_bridges',
  'res_ari_channels',
  'res_ari_endpoints',
  'res_ari_events',
  'res_ari_playbacks',
  'res_ari_recordings',
  'res_http_media_cache',
  'bridge_holding',
];
/** Without these only some calls lack something. */
const useful: Readonly<Record<string, string>> = {
  app_amd: 'answering machines are not told from people',
  chan_websocket: 'realtime agents cannot be connected',
  res_musiconhold: 'there is no music while a call waits',
};

const modules = async (ari: Ari): Promise<DoctorFinding> => {
  const { status, body } = await ari.ask('GET', '/asterisk/modules');
  if (status !== 200)
    return warningFinding(
      name,
      `it does not list its modules (${status})`,
      'Give the ARI user the right to.',
    );
  const running = new Set(
    (body as { name: string; status: string }[])
      .filter((module) => module.status === 'Running')
      .map((module) => module.name.replace(/\.so$/, '')),
  );
  const lacking = needed.filter((module) => !running.has(module));
  const todo = 'Load them (modules.conf): docker/asterisk/etc/modules.conf is a list that works.';
  if (lacking.length > 0) return failedFinding(name, `it lacks the modules ${lacking.join(', ')}`, todo);
  const missed = Object.entries(useful).filter(([module]) => !running.has(module));
  if (missed.length === 0) return ok(name, `its modules are there, ${running.size} of them`);
  return warningFinding(name, missed.map(([module, what]) => `it lacks ${module}: ${what}`).join('; '), todo);
};

/** The endpoint of a dial pattern: `PJSIP/{number}@carrier` is reached over PJSIP/carrier. */
const trunk = async (ari: Ari, pattern: string): Promise<DoctorFinding> => {
  const [, technology, endpoint] = /^(\w+)\/(?:[^@/]*@)?([\w.-]+)/.exec(pattern) ?? [];
  if (technology === undefined || endpoint === undefined) return ok(name, `calls go by ${pattern}`);
  const { status, body } = await ari.ask('GET', `/endpoints/${technology}/${encodeURIComponent(endpoint)}`);
  if (status !== 200)
    return failedFinding(
      name,
      `it has no trunk ${technology}/${endpoint}`,
      `Make it (pjsip.conf), or correct ARI_ENDPOINT.`,
    );
  const { state } = body as { state?: string };
  const says = `its trunk ${technology}/${endpoint} is ${state ?? 'there'}`;
  return state === 'offline'
    ? warningFinding(
        name,
        says,
        'Look at the registration or the qualify of the trunk: calls may not go out.',
      )
    : ok(name, says);
};

const clock = async (ari: Ari): Promise<DoctorFinding> => {
  const asked = Date.now();
  const { body } = await ari.ask('GET', '/asterisk/ping');
  const { timestamp = '' } = (body ?? {}) as { timestamp?: string };
  const at = Date.parse(timestamp.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  if (Number.isNaN(at)) return warningFinding(name, 'it does not tell its time');
  return clockDriftFinding(name, at - (asked + Date.now()) / 2);
};
