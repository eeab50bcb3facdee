/** Asking the admin API. Sessions are in a cookie that no script reads; a change comes from our own page or is refused. */
import {
  type AdminRouteAnswer,
  type AdminBody,
  adminClient,
  type AdminApiClientRequest,
  type SendAdminRequest,
  encodeAdminBody,
} from '../../admin/client.ts';
import { refusalInPageLanguage } from './refusalInPageLanguage.ts';
import { createReactiveStore } from './store.ts';

/** Who is signed in. */
export type SignedInAdministrator = AdminRouteAnswer<'GET /sessions/current'>;

/** `unknown` until it was asked; `none`: no operator is signed in; `ended`: the session is over. */
export const signedInAdministratorStore = createReactiveStore<
  SignedInAdministrator | 'unknown' | 'none' | 'ended'
>('unknown');

/** An answer that is not what was asked for. `status`: 0 where the service did not answer at all. */
export class AdminApiRequestError extends Error {
  override name = 'AdminApiRequestError';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

const answerTo = async ({ method, path, body, signal }: AdminApiClientRequest): Promise<Response> => {
  const { headers = {}, ...sent } = body ? encodeAdminBody(body) : {};
  try {
    return await fetch(`/admin/api${path}`, {
      method,
      credentials: 'same-origin',
      headers: { Accept: 'application/json', ...headers },
      ...sent,
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AdminApiRequestError(0, '');
  }
};

const textOf = (body: unknown, status: number): string =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
    ? body.error
    : `HTTP ${status}`;

interface EarlyAnswer {
  answer: Promise<unknown>;
  /** From then on it is too old, by `performance.now()`. */
  until: number;
}

/** An answer that was asked for before its page was there is the page's for so long, milliseconds. */
const earlyMs = 5_000;
/** By path; who asks for the same first has it. */
const earlyAnswers = new Map<string, EarlyAnswer>();
/** Until when what is asked for now may be taken, by `performance.now()`; undefined: it is not asked for early. */
let earlyUntil: number | undefined;

/**
 * Asks for what a page will ask for once it is there; then it has that answer. `since`: when the first of all that belong
 * together was asked for, by `performance.now()`.
 */
export const askEarly = <Answer>(since: number, read: () => Promise<Answer>): Promise<Answer> => {
  earlyUntil = since + earlyMs;
  try {
    return read();
  } finally {
    earlyUntil = undefined;
  }
};

/** Who asks now is not the one for whom it was asked early. */
export const forgetEarlyAnswers = (): void => earlyAnswers.clear();

/** Sends a request to the admin API. Throws an `ApiError`; who is signed out meanwhile is shown the door. */
export const send: SendAdminRequest = (request) => {
  if (request.method !== 'GET') return ask(request);
  if (earlyUntil !== undefined) return sendEarly(request, earlyUntil);
  const early = earlyAnswers.get(request.path);
  earlyAnswers.delete(request.path);
  if (early === undefined || performance.now() >= early.until) return ask(request);
  // What failed before the page was there may not fail now.
  return early.answer.catch(() => ask(request));
};

const sendEarly = (request: AdminApiClientRequest, until: number): Promise<unknown> => {
  const answer = ask(request);
  answer.catch(() => undefined);
  if (performance.now() < until) earlyAnswers.set(request.path, { answer, until });
  return answer;
};

const ask: SendAdminRequest = async (request) => {
  const wasSignedIn = typeof signedInAdministratorStore.get() === 'object';
  const response = await answerTo(request);
  const text = await response.text();
  const body: unknown = text === '' ? undefined : parse(text);
  if (response.ok) return body;
  const isSignedIn = typeof signedInAdministratorStore.get() === 'object';
  if (response.status === 401 && wasSignedIn && isSignedIn) signedInAdministratorStore.set('ended');
  throw new AdminApiRequestError(
    response.status,
    await refusalInPageLanguage(textOf(body, response.status)),
    (body ?? {}) as Record<string, unknown>,
  );
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Asks the admin API by the names of its routes. Throws as `send` does. */
export const adminApiClient = adminClient(send);

/** Finds out who is signed in. */
export const fetchCurrentSession = async (): Promise<void> => {
  try {
    signedInAdministratorStore.set(await adminApiClient('GET /sessions/current'));
  } catch (error) {
    if (error instanceof AdminApiRequestError && error.status === 401)
      signedInAdministratorStore.set(signedInAdministratorStore.get() === 'ended' ? 'ended' : 'none');
    else throw error;
  }
};

/** Opens a session with a key, or with the code of a link. Throws an `ApiError`. */
export const signIn = async (shown: AdminBody<'POST /sessions'>): Promise<void> => {
  const session = await adminApiClient('POST /sessions', { body: shown });
  // What was answered before was answered to another, or to none.
  forgetEarlyAnswers();
  signedInAdministratorStore.set(session);
};

export const signOut = async (): Promise<void> => {
  await adminApiClient('DELETE /sessions/current');
  signedInAdministratorStore.set('none');
  const tabs = new BroadcastChannel(signedOutChannel);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
  tabs.postMessage('signed out');
  tabs.close();
};

/** Pages of one browser share a session: they hear here that it is over. */
const signedOutChannel = 'ramal-signed-out';

/** From now on this page shows nothing more when another page of this browser signs out. */
export const watchSignOutInOtherTabs = (): void =>
  new BroadcastChannel(signedOutChannel).addEventListener('message', () => {
    if (typeof signedInAdministratorStore.get() === 'object') signedInAdministratorStore.set('ended');
  });
