/**
 * The socket on which Asterisk tells its events; it goes on connecting until it is closed.
 *
 * Events of a gap are lost for good, so every connection begins with a preparation (filter, subscriptions, and a
 * look at what became of our legs), and only then counts as connected.
 */
import { WebSocket } from 'ws';
import { basicAuthorization, type AriLogin } from './ariRestClient.ts';
import type { AriEvent } from './events.ts';

export interface AriEventSocketOptions {
  login: AriLogin;
  app: string;
  onEvent: (event: AriEvent) => void;
  /** After every connect, before it counts; what it throws ends the connection, and the next one tries again. */
  prepare: () => Promise<void>;
  onProblem: (error: unknown) => void;
}

export interface AriEventSocket {
  readonly connected: boolean;
  /** Why it is not connected. */
  readonly detail: string;
  /** Resolves with true when connected; with false after `ms`. */
  whenConnected(ms: number): Promise<boolean>;
  /** For good. */
  close(): void;
}

const firstWaitMs = 100;
const longestWaitMs = 5000;
/** Of an event of Asterisk; one of a channel with all its variables has some kilobytes. */
const longestEventBytes = 4 * 2 ** 20;
/** Two of these without a sign of life and the connection is cut. */
const pulseMs = 5000;

/** Starts connecting. */
export const openAriEventSocket = (options: AriEventSocketOptions): AriEventSocket => {
  let closed = false;
  let connected = false;
  let detail = 'not connected yet';
  let waitMs = firstWaitMs;
  let socket: WebSocket | undefined;
  let again: NodeJS.Timeout | undefined;
  const waiting = new Set<(up: boolean) => void>();

  const ready = (): void => {
    connected = true;
    detail = 'connected';
    waitMs = firstWaitMs;
    for (const tell of waiting) tell(true);
  };

  const lost = (why: string): void => {
    connected = false;
    if (closed) return;
    detail = why;
    again = setTimeout(connect, waitMs);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  };

  function connect(): void {
    const { login, app } = options;
    const url = `${login.url.replace(/^http/, 'ws').replace(/\/(ari\/?)?$/, '')}/ari/events?app=${encodeURIComponent(app)}`;
    const mine = new WebSocket(url, {
      headers: { authorization: basicAuthorization(login) },
      ...{ handshakeTimeout: 5000, maxPayload: longestEventBytes, perMessageDeflate: false },
    });
    socket = mine;
    let why = 'the connection was closed';
    let stopPulse: (() => void) | undefined;
    mine.on('open', () => {
      stopPulse = keepPulse(mine);
      options.prepare().then(
        () => mine.readyState === WebSocket.OPEN && ready(),
        (error: unknown) => {
          why = `preparing failed: ${String(error)}`;
          mine.terminate();
        },
      );
    });
    mine.on('message', (data) => {
      const event = readEvent(data);
      if (event?.type === 'ApplicationReplaced') why = `another process took the application name ${app}`;
      if (event) guarded(() => options.onEvent(event), options.onProblem);
    });
    mine.on('error', (error) => {
      why = error.message || String((error as NodeJS.ErrnoException).code);
    });
    mine.on('close', () => {
      stopPulse?.();
      lost(why);
    });
  }

  connect();
  return {
    get connected() {
      return connected;
    },
    get detail() {
      return detail;
    },
    whenConnected: (ms) =>
      new Promise((resolve) => {
        if (connected || closed) return resolve(connected);
        const settle = (up: boolean): void => {
          clearTimeout(late);
          waiting.delete(settle);
          resolve(up);
        };
        const late = setTimeout(() => settle(false), ms);
        waiting.add(settle);
      }),
    close: () => {
      closed = true;
      connected = false;
      detail = 'stopped';
      clearTimeout(again);
      socket?.terminate();
      for (const tell of waiting) tell(false);
    },
  };
};

/** Pings; a peer that says nothing for two beats is gone. */
const keepPulse = (socket: WebSocket): (() => void) => {
  let missed = 0;
  const alive = (): void => {
    missed = 0;
  };
  socket.on('pong', alive).on('message', alive);
  const beat = setInterval(() => {
    missed += 1;
    if (missed > 2) return socket.terminate();
    socket.ping();
  }, pulseMs);
  return () => clearInterval(beat);
};

const readEvent = (data: unknown): AriEvent | undefined => {
  try {
    return JSON.parse(String(data)) as AriEvent;
  } catch {
    return undefined;
  }
};

const guarded = (run: () => void, onProblem: (error: unknown) => void): void => {
  try {
    run();
  } catch (error) {
    onProblem(error);
  }
};
