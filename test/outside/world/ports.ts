/** Ports and pauses. */
import { type AddressInfo, createServer } from 'node:net';

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((found, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks until it is true; false when it did not come in time. */
export const until = async (
  look: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 50,
): Promise<boolean> => {
  for (const end = performance.now() + withinMs; performance.now() < end; await pause(everyMs))
    if (await look()) return true;
  return await look();
};
