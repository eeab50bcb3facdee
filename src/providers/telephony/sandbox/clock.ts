/** Time for the sandbox carrier: a port, so that a simulation can run it under a virtual clock. */
export interface CarrierClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs once after `ms`; the returned function takes it back. */
  after(ms: number, run: () => void): () => void;
  /** Runs once what is already waiting has run. */
  soon(run: () => void): void;
}

/** The host's clock. */
export const hostCarrierClock: CarrierClock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, 2_147_483_647));
    return () => clearTimeout(timer);
  },
  soon: (run) => void setImmediate(run),
};
