/** Names a process so that its neighbours on the same machine can tell for sure when it has ended. */
import { readFileSync, readlinkSync } from 'node:fs';

/** `<boot>:<pid namespace>:<pid>:<start>`: no two processes ever share one, and `isProcessDead` can look it up. */
export const ownProcess = (): string => `${place()}:${process.pid}:${startOf(process.pid) ?? 0}`;

/** True when the process surely ended: it was in this boot and namespace, and is no more. False when unknown. */
export const isProcessDead = (name: string): boolean => {
  const [boot, namespace, pid, start] = name.split(':');
  if (`${boot}:${namespace}` !== place() || place() === unknown) return false;
  return String(startOf(Number(pid)) ?? '') !== start;
};

const unknown = 'unknown:unknown';

/** Names the space in which process ids mean the same processes. Elsewhere than on Linux it is unknown. */
const place = (): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
    return `${boot}:${namespace}`;
  } catch {
    return unknown;
  }
};

/** Start of a living process in ticks since boot; ids are used again, id and start are not. */
const startOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, though its entry stands until its parent asks.
    return fields[0] === 'Z' ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
};
