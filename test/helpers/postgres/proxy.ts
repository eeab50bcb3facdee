/** An address that moves: a TCP proxy before a server, which may be cut, switched to another one, or go silent. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** How many were taken in all. */
  readonly connections: number;
  /** An address of the target with the proxy's port instead. */
  before(url: string): string;
  /** New connections go to another local port. `keep`: those that are open stay; default: they are cut. */
  switchTo(port: number, options?: { keep?: boolean }): void;
  /** Ends all connections and refuses new ones until `mend`. */
  cut(): void;
  /** Nothing passes in either direction; connections stay open, and new ones are taken. */
  silence(): void;
  /** Undoes `cut` and `silence`: what waited passes. */
  mend(): void;
  close(): Promise<void>;
}

/** A proxy on a port that the system chose, to a local port. */
export const openProxy = async (target: number): Promise<Proxy> => {
  const pairs = new Set<readonly [Socket, Socket]>();
  let to = target;
  let connections = 0;
  let isCut = false;
  let isSilent = false;
  const end = (sockets: readonly [Socket, Socket]): void => {
    pairs.delete(sockets);
    for (const socket of sockets) socket.destroy();
  };
  const cutAll = (): void => {
    for (const sockets of pairs) end(sockets);
  };
  const server = createServer((near) => {
    connections += 1;
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(to, '127.0.0.1');
    const sockets = [near, far] as const;
    pairs.add(sockets);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('data', (chunk) => other.write(chunk));
      one.on('error', () => end(sockets));
      one.on('close', () => end(sockets));
      if (isSilent) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return connections;
    },
    before: (url) => {
      const moved = new URL(url);
      moved.port = String(port);
      return moved.href;
    },
    switchTo: (next, { keep = false } = {}) => {
      to = next;
      if (!keep) cutAll();
    },
    cut: () => {
      isCut = true;
      cutAll();
    },
    silence: () => {
      isSilent = true;
      for (const sockets of pairs) for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      isSilent = false;
      for (const sockets of pairs) for (const socket of sockets) socket.resume();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cutAll();
      await closed;
    },
  };
};
