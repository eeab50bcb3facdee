/** The service itself, from outside: who holds its port, whether it answers, is ready, and lets us in. */
import { createServer } from 'node:net';
import type { Config } from '../../config.ts';
import type { ServiceConnection } from '../serviceUrlAndTokens.ts';
import { type DoctorFinding, failedFinding, ok, warningFinding } from './finding.ts';

/** What a running service says of itself. */
export interface ServiceHealthAnswer {
  service: string;
  version: string;
  uptime_s: number;
  checks: Record<string, { ok: boolean; detail: string }>;
}

const patienceMs = 10_000;

/** What `/mcp/health` answers at an address; undefined: nothing, or something that is not Ramal. */
export const fetchServiceHealth = async (url: string): Promise<ServiceHealthAnswer | undefined> => {
  try {
    const response = await fetch(`${url}/mcp/health`, {
      signal: AbortSignal.timeout(patienceMs),
      redirect: 'manual',
    });
    const health = (await response.json()) as ServiceHealthAnswer;
    return health.service === 'ramal' ? health : undefined;
  } catch {
    return undefined;
  }
};

/** Whether the service listens at PORT, or could. */
export const checkPortAvailable = async ({ port, host }: Config, isUp: boolean): Promise<DoctorFinding[]> => {
  const where = host === undefined ? `port ${port}` : `port ${port} of ${host}`;
  if (isUp) return [ok('port', `${where} is the service's`)];
  const why = await notListened(port, host);
  if (why === undefined) return [ok('port', `${where} is free`)];
  if (why === 'EADDRINUSE')
    return [
      failedFinding(
        'port',
        `${where} is taken by another program`,
        'Stop that, or choose another with PORT.',
      ),
    ];
  const todo =
    why === 'EACCES' ? 'Choose a PORT above 1023, or give the user the right.' : 'Correct HOST and PORT.';
  return [failedFinding('port', `${where} cannot be listened on (${why})`, todo)];
};

/** The code of the error; undefined: it can be listened on. */
const notListened = (port: number, host: string | undefined): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

/** `version`: this release's. */
export const checkService = async (
  { url, adminToken }: ServiceConnection,
  health: ServiceHealthAnswer | undefined,
  version: string,
): Promise<DoctorFinding[]> => {
  if (!health) return [warningFinding('service', `does not answer at ${url}`, 'Start it: npx ramal start')];
  const says = `version ${health.version} answers at ${url}`;
  return [
    health.version === version
      ? ok('service', says)
      : warningFinding(
          'service',
          `${says}, and this is ${version}`,
          'Use the command line of the same release.',
        ),
    await readiness(url),
    await admission(url, adminToken),
    ...(await lockOuts(url, adminToken)),
    ...Object.entries(health.checks).flatMap(([name, { ok: isGood, detail }]) =>
      isGood ? [] : [failedFinding('service', `its ${name} is not well: ${detail}`, 'Its log says more.')],
    ),
  ];
};

/** As far as it is looked at. Services of before name no shards. */
interface Readiness {
  ready: boolean;
  reasons: string[];
  shards?: Readonly<Record<string, { reason?: string }>>;
  degraded?: string[];
}

const readiness = async (url: string): Promise<DoctorFinding> => {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(patienceMs) });
    const { ready, reasons, shards = {}, degraded = [] } = (await response.json()) as Readiness;
    if (!ready) return failedFinding('service', `takes no work: ${reasons.join('; ')}`, 'Its log says more.');
    const lost = Object.values(shards).flatMap(({ reason }) => reason ?? []);
    if (lost.length > 0)
      return warningFinding('service', `takes work, but not all: ${lost.join('; ')}`, 'Its log says more.');
    return degraded.length === 0
      ? ok('service', 'is ready for work')
      : warningFinding(
          'service',
          `takes work, and not all is well: ${degraded.join('; ')}`,
          'Its log says more.',
        );
  } catch {
    return failedFinding('service', 'does not say whether it is ready', 'Its log says more.');
  }
};

const admission = async (url: string, token: string | undefined): Promise<DoctorFinding> => {
  if (token === undefined)
    return warningFinding(
      'service',
      'there is no admin token here',
      'Give it with ADMIN_TOKEN to administer from here.',
    );
  try {
    const response = await askAdmin(`${url}/admin/api/accounts`, token);
    const { status } = response;
    if (status === 200) return ok('service', 'takes the admin token');
    if (status === 429) return lockedOut(await response.json());
    const todo = 'The right one is in DATA_DIR/admin-token of the service, or in its ADMIN_TOKEN.';
    return failedFinding('service', `does not take the admin token (HTTP ${status})`, todo);
  } catch {
    return failedFinding('service', 'its administration does not answer', 'Its log says more.');
  }
};

/** The token was not looked at. */
const lockedOut = (answer: unknown): DoctorFinding => {
  const { error = 'too many failed authentications from this address' } = answer as { error?: string };
  return failedFinding(
    'service',
    `keeps this address out, and the admin token, which may be right, with it: ${error}`,
    'Run npx ramal unlock on the machine of the service with that address, or wait. Then find the program that shows wrong tokens.',
  );
};

const askAdmin = (address: string, token: string): Promise<Response> =>
  fetch(address, {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(patienceMs),
  });

interface LockOuts {
  lockouts?: { address: string; retry_after_s: number }[];
}

/** Addresses that are kept out now. Services of before do not tell. */
const lockOuts = async (url: string, token: string | undefined): Promise<DoctorFinding[]> => {
  if (token === undefined) return [];
  try {
    const response = await askAdmin(`${url}/admin/api/lockouts`, token);
    const { lockouts = [] } = (await response.json()) as LockOuts;
    return lockouts.map(({ address, retry_after_s: seconds }) =>
      warningFinding(
        'service',
        `keeps ${address} out for ${seconds} s, after too many wrong tokens`,
        `If that is one of yours, correct its token, and let it in: npx ramal unlock ${address}`,
      ),
    );
  } catch {
    return [];
  }
};
