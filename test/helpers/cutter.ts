/** A wire that can be cut: a TCP proxy between the service and a server on this machine. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Cutter {
  url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** A proxy to a local port, on a port that stays the same when mended. */
export const openCutter = async (target: number): Promise<Cutter> => {
  const open = new Set<Socket>();
  const newServer = () =>
    createServer((near) => {
      const far = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          open.delete(one);
          other.destroy();
        });
      }
    });
  let server = newServer();
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    mend: async () => {
      server = newServer();
      await listen(port);
    },
    close: cut,
  };
};
