/** Says what happens over and over once, and then now and then with a count: a log is no place for a flood. */
import { lruOf } from './lru.ts';

export interface LogThrottleOptions {
  /** Milliseconds of any clock. */
  now: () => number;
  /** How long the same is not said again, milliseconds. Default a minute. */
  everyMs?: number;
  /** Things that are told apart; the oldest is forgotten. Default 1,000. */
  most?: number;
}

/** Calls `say` for a thing that was not said lately, with how often it happened since (1: only now). */
export type LogThrottle = (thing: string, say: (times: number) => void) => void;

export const createLogThrottle = ({
  now,
  everyMs = 60_000,
  most = 1_000,
}: LogThrottleOptions): LogThrottle => {
  const said = lruOf<string, { at: number; since: number }>(most);
  return (thing, say) => {
    const last = said.get(thing);
    if (last && now() - last.at < everyMs) {
      last.since += 1;
      return;
    }
    said.set(thing, { at: now(), since: 0 });
    say(1 + (last?.since ?? 0));
  };
};
