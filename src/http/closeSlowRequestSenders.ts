/**
 * Clients that hold a connection and send nothing, or next to nothing. A body that is silent for ten seconds, or brings
 * less than a kilobyte in twenty, is answered 408 and its connection is closed; of one address only so many connections
 * may be without a whole request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ipAddressGroup, inCidr } from '../lib/ipAddressRanges.ts';

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

const usualPace: Pace = {
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
  /** JSON that says why, in the shape of what was asked for; default: nothing is said. */
  sentence?: ((request: IncomingMessage) => string) | undefined;
  /** Milliseconds of any monotonic clock. */
  now(): number;
}

/** A connection. Of most of them a request leaves no more here than itself, until the next look. */
interface Connection {
  socket: Socket;
  group: string | undefined;
  /** `new`: no headers have come yet, which Node watches over; `idle`: the last request was whole. */
  state: 'new' | 'idle' | { request: IncomingMessage; response: ServerResponse };
  /** When this state was seen first; so with the others. */
  since: number;
  /** When the connection last brought something, and what it had brought in all. Undefined: not looked at yet. */
  moved: { at: number; bytes: number } | undefined;
  /** Where the time for `leastBytes` began. */
  pace: { at: number; bytes: number } | undefined;
}

/** By hand: the door that reads the body still holds the answer, and would be in the way of headers. */
const answer408 = (response: ServerResponse, sentence: string): string => {
  const id = response.getHeader('x-request-id');
  return [
    'HTTP/1.1 408 Request Timeout',
    'Connection: close',
    ...(typeof id === 'string' ? [`X-Request-Id: ${id}`] : []),
    ...(sentence === '' ? [] : ['Content-Type: application/json; charset=utf-8']),
    `Content-Length: ${Buffer.byteLength(sentence)}`,
    '',
    sentence,
  ].join('\r\n');
};

export class SlowClients {
  readonly #pace: Pace;
  readonly #options: SlowClientsOptions;
  readonly #connections = new Map<Socket, Connection>();
  /** In the order in which they were opened. */
  readonly #ofGroups = new Map<string, Set<Connection>>();
  /** As of the last look, or connection. */
  #now: number;

  constructor(options: SlowClientsOptions) {
    this.#options = options;
    this.#pace = { ...usualPace, ...options.pace };
    this.#now = options.now();
  }

  /** A connection was opened. */
  connected(socket: Socket): void {
    this.#now = this.#options.now();
    const group = this.#options.groupOf(socket);
    const one: Connection = {
      socket,
      group,
      state: 'new',
      since: this.#now,
      moved: undefined,
      pace: undefined,
    };
    this.#connections.set(socket, one);
    socket.once('close', () => this.#forget(one));
    if (group === undefined) return;
    const all = this.#ofGroups.get(group) ?? new Set<Connection>();
    this.#ofGroups.set(group, all);
    all.add(one);
  }

  /** The headers of a request have come. */
  requested(request: IncomingMessage, response: ServerResponse): void {
    const one = this.#connections.get(request.socket);
    if (!one) return;
    one.state = { request, response };
    one.since = this.#now;
    one.moved = undefined;
  }

  /** Closes the connections that are too slow. To be called every second or so. */
  look(): void {
    this.#now = this.#options.now();
    for (const one of this.#connections.values())
      if (isWaiting(one) && one.state !== 'new' && this.#isTooSlow(one)) this.#close(one);
    for (const all of this.#ofGroups.values()) if (all.size > this.#pace.mostOfOne) this.#thin(all);
  }

  /** Connections whose request is not whole. */
  get waiting(): number {
    return [...this.#connections.values()].filter(isWaiting).length;
  }

  /** Closes the oldest that wait until there are not too many, or none is old. */
  #thin(all: ReadonlySet<Connection>): void {
    const waiting = [...all].filter(isWaiting).toSorted((one, other) => one.since - other.since);
    const tooMany = waiting.slice(0, Math.max(0, waiting.length - this.#pace.mostOfOne));
    for (const one of tooMany) if (this.#now - one.since >= this.#pace.youngMs) this.#close(one);
  }

  #isTooSlow(one: Connection): boolean {
    const { silentMs, paceMs, leastBytes } = this.#pace;
    const { bytesRead: bytes } = one.socket;
    const at = this.#now;
    if (isOurs(one) || !one.moved || !one.pace) {
      one.moved = { at, bytes };
      one.pace = { at, bytes };
      return false;
    }
    if (bytes > one.moved.bytes) one.moved = { at, bytes };
    if (bytes - one.pace.bytes >= leastBytes) one.pace = { at, bytes };
    return at - one.moved.at >= silentMs || at - one.pace.at >= paceMs;
  }

  #close(one: Connection): void {
    this.#forget(one);
    // An answer that has begun cannot be followed by another.
    if (typeof one.state === 'object' && !one.state.response.headersSent) {
      const { request, response } = one.state;
      one.socket.end(answer408(response, this.#options.sentence?.(request) ?? ''));
    }
    one.socket.destroySoon();
  }

  #forget(one: Connection): void {
    this.#connections.delete(one.socket);
    const all = one.group === undefined ? undefined : this.#ofGroups.get(one.group);
    all?.delete(one);
    if (all?.size === 0) this.#ofGroups.delete(one.group!);
  }
}

/**
 * Whether it is this process's turn: what has come was not read yet, or an answer before this one is still to be sent
 * (pipelining), for which the client would take a 408.
 */
const isOurs = ({ state }: Connection): boolean =>
  typeof state === 'object' && (state.request.readableLength > 0 || state.response.socket === null);

/** A request that has become whole is let go of. */
const isWaiting = (one: Connection): boolean => {
  if (typeof one.state === 'object' && one.state.request.complete) one.state = 'idle';
  return one.state !== 'idle';
};

/** Between looks, milliseconds, at most. */
const mostLookMs = 1_000;

export interface SlowClientOptions extends Pick<SlowClientsOptions, 'pace' | 'sentence'> {
  lookMs: number;
  /** CIDRs of those that hold connections for many clients. */
  proxies: readonly string[];
}

/** Watches over a server's connections. */
export const closeSlowConnections = (
  server: Server,
  { lookMs, proxies, ...options }: SlowClientOptions,
): void => {
  const slow = new SlowClients({
    ...options,
    groupOf: ({ remoteAddress }) =>
      remoteAddress === undefined || proxies.some((cidr) => inCidr(remoteAddress, cidr))
        ? undefined
        : ipAddressGroup(remoteAddress),
    now: () => performance.now(),
  });
  server.on('connection', (socket) => slow.connected(socket));
  server.on('request', (request, response) => slow.requested(request, response));
  const looking = setInterval(() => slow.look(), Math.min(lookMs, mostLookMs)).unref();
  server.once('close', () => clearInterval(looking));
};
