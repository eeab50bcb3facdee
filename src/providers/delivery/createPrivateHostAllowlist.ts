/** Where callbacks may go inside: networks that the operator opened, and receivers on this machine for as long as they run. */

export interface PrivateHostAllowlist {
  /** CIDRs, and `host:port` of receivers that are admitted now; the same list as long as the process lives. */
  readonly allowed: readonly string[];
  /** Admits one host and port for so long, milliseconds; again before that prolongs it. False: there are too many. */
  admit(origin: string, forMs: number): boolean;
  /** False: it was not admitted. */
  dismiss(origin: string): boolean;
}

/** People at their terminals; a service with more of them has another need. */
const mostReceivers = 20;

export const createPrivateHostAllowlist = (networks: readonly string[]): PrivateHostAllowlist => {
  const allowed = [...networks];
  const leases = new Map<string, NodeJS.Timeout>();
  const dismiss = (origin: string): boolean => {
    const lease = leases.get(origin);
    if (!lease) return false;
    clearTimeout(lease);
    leases.delete(origin);
    allowed.splice(allowed.indexOf(origin), 1);
    return true;
  };
  const admit = (origin: string, forMs: number): boolean => {
    if (!dismiss(origin) && leases.size >= mostReceivers) return false;
    leases.set(origin, setTimeout(dismiss, forMs, origin).unref());
    allowed.push(origin);
    return true;
  };
  return { allowed, admit, dismiss };
};
