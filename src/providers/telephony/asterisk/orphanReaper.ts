/**
 * Clearing up at Asterisk what has no owner any more: legs of machines that have ended, channels that listened in,
 * empty bridges, files that were never fetched. Only what is ours by name, and only when two rounds saw it so.
 */
import { parseLegId } from '../../contracts/telephony.ts';
import { sendAriCommand, path, ignoreIfGone } from './ariRestClient.ts';
import type { AriChannel } from './events.ts';
import type { AriContext } from './ariContext.ts';
import { parseRecordingName, snoopedChannel } from './recording.ts';
import type { LegMachineRef } from './legTypes.ts';

/** Whether a living machine owns each of these legs, in order. */
export type Owns = (legs: (LegMachineRef & { leg: number })[]) => Promise<boolean[]>;

/** One round of clearing up; returns the paths of what was removed. */
export type AsteriskOrphanReaper = (channels: AriChannel[]) => Promise<string[]>;

/** A sweeper, with the memory of what the last round saw. */
export const createOrphanReaper = (context: AriContext, owns: Owns): AsteriskOrphanReaper => {
  let suspects = new Set<string>();
  return async (channels) => {
    const found = new Set(await unowned(context, owns, channels));
    const remove = [...found].filter((what) => suspects.has(what));
    suspects = found;
    for (const what of remove) await sendAriCommand(context.ari, 'DELETE', what).catch(ignoreIfGone);
    return remove;
  };
};

/** Paths of everything that seems to have no owner. */
const unowned = async (context: AriContext, owns: Owns, channels: AriChannel[]): Promise<string[]> => {
  const { ari, installation, legs, recordings } = context;
  const live = new Set(channels.map(({ id }) => id));
  const things: { what: string; channel: string }[] = [];
  const add = (what: string, channel: string): void => {
    if (!legs.find(channel)) things.push({ what, channel });
  };
  for (const { id, channelvars } of channels) {
    const snooped = snoopedChannel(id);
    if (snooped && !live.has(snooped)) add(path`/channels/${id}`, snooped);
    if (!snooped && channelvars?.APP_NAME?.startsWith(`${installation}-`)) add(path`/channels/${id}`, id);
  }
  const stored = (await sendAriCommand(ari, 'GET', '/recordings/stored')).body as { name: string }[];
  for (const { name } of stored) {
    const channel = parseRecordingName(context, name)?.channel;
    if (channel && !recordings.has(name)) add(path`/recordings/stored/${name}`, channel);
  }
  const bridges = (await sendAriCommand(ari, 'GET', '/bridges')).body as { id: string; channels: string[] }[];
  for (const { id, channels: inside } of bridges) {
    const prefix = `${installation}.bridge.`;
    const isOurs = id.startsWith(prefix) && inside.length === 0;
    const first = isOurs ? /^(.+)\.\d+$/.exec(id.slice(prefix.length))?.[1] : undefined;
    if (first) add(path`/bridges/${id}`, first);
  }
  return withoutOwner(owns, things);
};

const withoutOwner = async (owns: Owns, things: { what: string; channel: string }[]): Promise<string[]> => {
  const named = things.flatMap(({ what, channel }) => {
    const leg = parseLegId(channel);
    return leg ? [{ what, leg }] : [];
  });
  if (named.length === 0) return [];
  const owned = await owns(named.map(({ leg }) => leg));
  return named.filter((_, i) => owned[i] === false).map(({ what }) => what);
};
