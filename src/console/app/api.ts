/** Asking the admin API. Sessions are in a cookie that no script reads; a change comes from our own page or is refused. */
import { makeStore } from './store.ts';

export interface Administrator {
  role: 'admin' | 'operator';
  name: string;
  operator_id: number | null;
  /** Telephone numbers in answers are masked. */
  masked_numbers: boolean;
  /** Epoch milliseconds; null: it showed a key. */
  expires: number | null;
}

/** `unknown` until it was asked; `none`: no operator is signed in; `ended`: the session is over. */
export const session = makeStore<Administrator | 'unknown' | 'none' | 'ended'>('unknown');

/** An answer that is not what was asked for. `status`: 0 where the service did not answer at all. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

interface Asked {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: object;
  /** Sent as it is, instead of a body. */
  file?: Blob;
  signal?: AbortSignal;
}

const send = async (path: string, { method = 'GET', body, file, signal }: Asked): Promise<Response> => {
  try {
    return await fetch(`/admin/api${path}`, {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(file && { 'Content-Type': 'text/csv' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, '');
  }
};

const textOf = (body: unknown, status: number): string =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
    ? body.error
    : `HTTP ${status}`;

/** Asks for a path below `/admin/api`. Throws an `ApiError`; who is signed out meanwhile is shown the door. */
export const ask = async <Answer>(path: string, asked: Asked = {}): Promise<Answer> => {
  const response = await send(path, asked);
  const text = await response.text();
  const body: unknown = text === '' ? undefined : parse(text);
  if (response.ok) return body as Answer;
  if (response.status === 401 && typeof session.get() === 'object') session.set('ended');
  throw new ApiError(response.status, textOf(body, response.status), (body ?? {}) as Record<string, unknown>);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Finds out who is signed in. */
export const readSession = async (): Promise<void> => {
  try {
    session.set(await ask<Administrator>('/sessions/current'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      session.set(session.get() === 'ended' ? 'ended' : 'none');
    else throw error;
  }
};

/** Opens a session with a key, or with the code of a link. Throws an `ApiError`. */
export const signIn = async (shown: { token: string } | { code: string }): Promise<void> => {
  session.set(await ask<Administrator>('/sessions', { method: 'POST', body: shown }));
};

export const signOut = async (): Promise<void> => {
  await ask<void>('/sessions/current', { method: 'DELETE' });
  session.set('none');
};
