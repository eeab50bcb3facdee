/**
 * Clients that hold a connection and send nothing, or next to nothing. A body that is silent for ten seconds, or brings
 * less than a kilobyte in twenty, is answered 408 and its connection is closed; of one address only so many connections
 * may be without a whole request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup, inCidr } from '../rules/addresses.ts';

export interface Pace {
  /** Without a byte of the body, milliseconds. */
  silentMs: number;
  /** In this time a body must bring `leastBytes`, milliseconds. */
  paceMs: number;
  leastBytes: number;
  /** Connections of one address whose request is not whole. Beyond it the oldest of them are closed. */
  mostOfOne: number;
  /** Younger ones are never closed: they may have come in one burst, milliseconds. */
  youngMs: number;
}

export const usualPace: Pace = {
  silentMs: 10_000,
  paceMs: 20_000,
  leastBytes: 1024,
  mostOfOne: 256,
  youngMs: 2_000,
};

export interface SlowClientsOptions {
  pace?: Partial<Pace>;
  /** Whom a connection counts with; undefined: it is not counted, as a proxy's are not. */
  groupOf(socket: Socket): string | undefined;
  /** Milliseconds of any monotonic clock. */
  now(): number;
}

/** A connection whose request is not whole. */
interface Waiting {
  socket: Socket;
  /** Undefined until the headers have come: Node watches over those. */
  request: { request: IncomingMessage; response: ServerResponse } | undefined;
  since: number;
  /** When the connection last brought something, and what it had brought in all. */
  moved: { at: number; bytes: number };
  /** Where the time for `leastBytes` began. */
  pace: { at: number; bytes: number };
}

const answer408 = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

export class SlowClients {
  readonly #pace: Pace;
  readonly #options: SlowClientsOptions;
  /** In the order in which they began to wait. */
  readonly #waiting = new Map<Socket, Waiting>();
  readonly #ofGroups = new Map<string, Map<Socket, Waiting>>();
  readonly #groups = new WeakMap<Socket, string>();

  constructor(options: SlowClientsOptions) {
    this.#options = options;
    this.#pace = { ...usualPace, ...options.pace };
  }

  /** A connection was opened. */
  connected(socket: Socket): void {
    const group = this.#options.groupOf(socket);
    if (group !== undefined) this.#groups.set(socket, group);
    this.#wait(socket, undefined);
    socket.once('close', () => this.#forget(socket));
  }

  /** The headers of a request have come. */
  requested(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (hasBody(request) && !request.complete) this.#wait(socket, { request, response });
    else this.#forget(socket);
  }

  /** Closes the connections that are too slow. To be called every second or so. */
  look(): void {
    const now = this.#options.now();
    for (const one of this.#waiting.values()) {
      if (!one.request) continue;
      if (one.request.request.complete) this.#forget(one.socket);
      else if (this.#isTooSlow(one, now)) this.#close(one);
    }
  }

  /** Connections that wait, for tests. */
  get size(): number {
    return this.#waiting.size;
  }

  #wait(socket: Socket, request: Waiting['request']): void {
    const now = this.#options.now();
    const so = { at: now, bytes: socket.bytesRead };
    this.#forget(socket);
    const one = { socket, request, since: now, moved: so, pace: so };
    this.#waiting.set(socket, one);
    const group = this.#groups.get(socket);
    if (group === undefined) return;
    const all = this.#ofGroups.get(group) ?? new Map<Socket, Waiting>();
    this.#ofGroups.set(group, all);
    all.set(socket, one);
    if (all.size > this.#pace.mostOfOne) this.#thin(all, now);
  }

  /** Closes the oldest until there are not too many, or none is old. */
  #thin(all: Map<Socket, Waiting>, now: number): void {
    for (const one of all.values()) {
      if (all.size <= this.#pace.mostOfOne || now - one.since < this.#pace.youngMs) return;
      if (one.request?.request.complete) this.#forget(one.socket);
      else this.#close(one);
    }
  }

  #isTooSlow(one: Waiting, now: number): boolean {
    const { silentMs, paceMs, leastBytes } = this.#pace;
    const { bytesRead: bytes } = one.socket;
    // What has come and was not read yet is ours to read: the client may have been told to wait.
    const isOurs = (one.request?.request.readableLength ?? 0) > 0;
    if (isOurs || bytes > one.moved.bytes) one.moved = { at: now, bytes };
    if (isOurs || bytes - one.pace.bytes >= leastBytes) one.pace = { at: now, bytes };
    return now - one.moved.at >= silentMs || now - one.pace.at >= paceMs;
  }

  #close({ socket, request }: Waiting): void {
    this.#forget(socket);
    // An answer that has begun cannot be followed by another.
    if (request && !request.response.headersSent) socket.end(answer408);
    socket.destroySoon();
  }

  #forget(socket: Socket): void {
    if (!this.#waiting.delete(socket)) return;
    const group = this.#groups.get(socket);
    const all = group === undefined ? undefined : this.#ofGroups.get(group);
    all?.delete(socket);
    if (all?.size === 0) this.#ofGroups.delete(group!);
  }
}

/** Between looks, milliseconds, at most. */
const mostLookMs = 1_000;

/** Watches over a server's connections. `proxies`: CIDRs of those that hold connections for many clients. */
export const cutSlow = (
  server: Server,
  { pace, lookMs, proxies }: { pace: Partial<Pace>; lookMs: number; proxies: readonly string[] },
): void => {
  const slow = new SlowClients({
    pace,
    groupOf: ({ remoteAddress }) =>
      remoteAddress === undefined || proxies.some((cidr) => inCidr(remoteAddress, cidr))
        ? undefined
        : addressGroup(remoteAddress),
    now: () => performance.now(),
  });
  server.on('connection', (socket) => slow.connected(socket));
  server.on('request', (request, response) => slow.requested(request, response));
  const looking = setInterval(() => slow.look(), Math.min(lookMs, mostLookMs)).unref();
  server.once('close', () => clearInterval(looking));
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
