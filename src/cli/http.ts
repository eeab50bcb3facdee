/** Asking the service: its admin API and its REST interface, with sentences for what can go wrong. */
import { type AdminRouteAnswer, type AdminClient, adminClient, encodeAdminBody } from '../admin/client.ts';
import type { ServiceConnection } from './serviceUrlAndTokens.ts';
import { CommandFailure, cliRefusedFailure, unreachableServiceFailure } from './failure.ts';

export interface ServiceClient {
  readonly url: string;
  /** Asks the admin API; bytes are sent as CSV. Throws a `CommandFailure`. */
  readonly admin: AdminClient;
  /** Health of the service, good or bad: open to all. */
  health(): Promise<AdminRouteAnswer<'GET /health'>>;
  /** The account of the token that acts; undefined: there is no token here, or it is none of this service. */
  tokenOwner(): Promise<number | undefined>;
  /** Names of an operation's parameters, aliases included, as the service that runs describes it. */
  parametersOf(operation: string): Promise<string[]>;
  /** Calls an operation with its parameters, or a form. Answers its body; throws a `CommandFailure` for every other code than success. */
  rest<Answer>(
    operation: string,
    params: object | FormData,
  ): Promise<Answer & { return: RestAnswerEnvelope }>;
}

export interface RestAnswerEnvelope {
  status: string;
  status_code: string | number;
  warning?: string;
  /** Set by us from the header `Ramal-Sandbox`: no real recipient was reached. */
  sandbox?: true;
}

/** Lists of half a million records are loaded, and forecasts played, before they are answered; milliseconds. */
const patienceMs = 300_000;

export const openServiceClient = ({ url, adminToken, accountToken }: ServiceConnection): ServiceClient => ({
  url,
  admin: adminClient(({ method, path, body }) =>
    askAdmin({ url, adminToken }, path, { method, ...(body && encodeAdminBody(body)) }),
  ),
  health: async () => (await ask(url, '/mcp/health', {})).value as AdminRouteAnswer<'GET /health'>,
  tokenOwner: async () => {
    if (accountToken === undefined) return undefined;
    const headers = { 'X-Account-Token': accountToken };
    return askAdmin({ url, adminToken }, '/token-owner', { headers }).then(
      (owner) => (owner as AdminRouteAnswer<'GET /token-owner'>).cdcs_id,
      (error: unknown) => {
        if (error instanceof CommandFailure && error.more['status'] === 404) return undefined;
        throw error;
      },
    );
  },
  parametersOf: async (operation) => {
    const { value } = await ask(url, '/openapi.json', {});
    const found = (value as OpenApi).paths?.[`/api/v2/${operation}.php`]?.post;
    return Object.keys(found?.requestBody.content['application/json'].schema.properties ?? {});
  },
  rest: async <Answer>(operation: string, params: object | FormData) => {
    const isForm = params instanceof FormData;
    const sent = {
      method: 'POST',
      headers: { ...(!isForm && json), ...(accountToken !== undefined && bearer(accountToken)) },
      body: isForm ? params : JSON.stringify(params),
    };
    const { status, value, sandbox } = await ask(url, `/api/v2/${operation}.php`, sent);
    const answer = value as Answer & { return?: RestAnswerEnvelope };
    if (answer.return === undefined) throw notRamal(url, `HTTP ${status}`);
    if (sandbox) answer.return.sandbox = true;
    if (status < 300) return answer as Answer & { return: RestAnswerEnvelope };
    const { status: text, status_code: code } = answer.return;
    if (accountToken === undefined && status === 401) throw noAccountToken();
    throw cliRefusedFailure(text, status === 503 ? busy : hints[code], { code: String(code) });
  },
});

/** What is read of the description of the interface. */
interface OpenApi {
  paths?: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: { properties: object } } } } } }
  >;
}

const askAdmin = async (
  { url, adminToken }: Pick<ServiceConnection, 'url' | 'adminToken'>,
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
): Promise<unknown> => {
  const headers = { ...init.headers, ...(adminToken !== undefined && bearer(adminToken)) };
  const { status, value } = await ask(url, `/admin/api${path}`, { ...init, headers });
  if (status < 300) return value;
  const { error = `HTTP ${status}`, ...more } = value as { error?: string };
  if (status === 401) throw notAdmitted(adminToken !== undefined);
  throw cliRefusedFailure(error, adminHints[status], { status, ...more });
};

const json = { 'Content-Type': 'application/json' };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const busy = 'The service cannot do it now: try again in a moment, and see npx ramal doctor.';

const keptOut =
  'Run that on the machine of the service, or wait; the token was not looked at and may be right.';

/** By status of the admin API. */
const adminHints: Readonly<Record<number, string>> = {
  429: keptOut,
  503: busy,
};

/** By code of the REST interface. */
const hints: Readonly<Record<string, string>> = {
  100: 'A token has thirty letters and digits: npx ramal token create makes one.',
  102: 'Make another one (npx ramal token create) and give it with --token or RAMAL_TOKEN.',
  131: keptOut,
  199: keptOut,
};

const notAdmitted = (gaveOne: boolean): CommandFailure =>
  gaveOne
    ? cliRefusedFailure(
        'the admin token is wrong',
        'Give the right one with --admin-token or ADMIN_TOKEN; the service keeps it in DATA_DIR/admin-token.',
      )
    : cliRefusedFailure(
        'this needs the admin token, and there is none here',
        'Give it with --admin-token or ADMIN_TOKEN, or run this in the folder of the service, as its user: it is in DATA_DIR/admin-token.',
      );

const noAccountToken = (): CommandFailure =>
  cliRefusedFailure(
    'this needs the token of an account, and there is none here',
    'Give it with --token or RAMAL_TOKEN; npx ramal token create makes one.',
  );

/** An answer of any status, as JSON. */
const ask = async (
  url: string,
  path: string,
  init: RequestInit,
): Promise<{ status: number; value: unknown; sandbox: boolean }> => {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const response = await fetch(`${url}${path}`, { ...init, signal, redirect: 'manual' });
    const value = readJson(await response.text(), response, url);
    return { status: response.status, value, sandbox: response.headers.get('ramal-sandbox') === 'true' };
  } catch (error) {
    throw error instanceof CommandFailure ? error : notReached(url, error as Error);
  }
};

const readJson = (text: string, { status, headers }: Response, url: string): unknown => {
  if (status >= 300 && status < 400)
    throw unreachableServiceFailure(
      `${url} points to ${headers.get('location')}`,
      'Give that address with --url or RAMAL_URL.',
    );
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw notRamal(url, `HTTP ${status}, ${headers.get('content-type') ?? 'no type'}`);
};

const notRamal = (url: string, said: string): CommandFailure =>
  unreachableServiceFailure(
    `what answers at ${url} is not Ramal (${said})`,
    'Say where it is with --url or RAMAL_URL, or PORT for one on this machine.',
  );

const notReached = (url: string, error: Error): CommandFailure => {
  const cause = error.cause as (Error & { code?: string }) | undefined;
  const why = reasons[cause?.code ?? ''] ?? cause?.message ?? error.message;
  return unreachableServiceFailure(
    `the service does not answer at ${url}: ${why}`,
    'Start it with npx ramal start, or say where it is with --url or RAMAL_URL. npx ramal doctor looks for the reason.',
  );
};

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
};
