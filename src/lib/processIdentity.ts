/** Names a process so that its neighbours on the same machine can tell for sure when it has ended. */
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * `<boot>:<pid namespace>:<pid>:<start>`: no two processes ever share one, and `isProcessDead` can look it up. Where that
 * cannot be told the first two are unknown, and no process takes it for dead.
 */
export const ownProcessName = (): string => {
  const start = lookAt(process.pid);
  return typeof start === 'number' ? `${place()}:${process.pid}:${start}` : `${unknown}:${process.pid}:0`;
};

/**
 * True when the process surely ended: it was in this boot and namespace, and is no more. False when unknown. So it is for
 * those of a former boot, another container or another host, which look the same from here: copies of a machine share all
 * its names but that of the boot. Such a node is judged by its heartbeats, and its journals by when they were last touched.
 */
export const isProcessDead = (name: string): boolean => {
  const [boot, namespace, pid, start] = name.split(':');
  if (`${boot}:${namespace}` !== place() || place() === unknown) return false;
  const found = lookAt(Number(pid));
  return found === 'hidden' ? false : found === 'ended' || String(found) !== start;
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
const lookAt = (pid: number): number | 'ended' | 'hidden' => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, though its entry stands until its parent asks.
    return fields[0] === 'Z' ? 'ended' : Number(fields[19]);
  } catch {
    return isThere(pid) ? 'hidden' : 'ended';
  }
};

/** `/proc` may hide processes of other users (`hidepid`), and a process may have no file left to read it with. */
const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};
