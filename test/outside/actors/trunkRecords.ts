/** At the end: what the service says of the attempts of every call, and what is left live anywhere. */
import { type Ledger, only } from '../evidence.ts';
import { type Admin, adminOf } from '../world/admin.ts';
import type { Asterisk } from '../world/asterisks.ts';
import { jsonOf } from '../world/ask.ts';
import type { Node } from '../world/node.ts';
import { pause } from '../world/ports.ts';

interface Try {
  route: string;
  leg: number;
  sipStatus: number;
}

interface Attempt extends Omit<Try, 'leg'> {
  attempt: number;
  status: string;
  reason: string;
  dialedAt: number;
  endedAt: number;
  tries?: Try[];
}

interface Machine {
  state: string;
  context: { attempts: Attempt[] };
}

/** Of every call that is in the records, and of those that carriers saw. */
export const writeDownAttempts = async (admin: Admin, ledger: Ledger): Promise<void> => {
  const records = only(ledger.lines, 'record').map(({ id }) => id);
  const seen = only(ledger.lines, 'leg').map(({ call }) => call);
  let moving = 0;
  for (const call of new Set([...records, ...seen])) {
    const { status, text } = await admin.request('GET', `/machines/${call}`);
    const { state, context } = jsonOf<Machine>(text);
    if (status !== 200 || state !== 'ended') moving += 1;
    for (const one of context?.attempts ?? []) ledger.add({ kind: 'attempt', call, ...seenOf(one, ledger) });
  }
  ledger.add({ kind: 'remains', where: 'machines of calls that have not ended', count: moving, said: '' });
};

const seenOf = (
  { attempt, route, status, reason, sipStatus, dialedAt, endedAt, tries = [] }: Attempt,
  { epoch }: Ledger,
) => ({
  ...{ attempt, route, status, reason, sipStatus },
  ...{ dialedAt: dialedAt - epoch, endedAt: endedAt - epoch },
  tries: tries.map(({ route: refusing, leg, sipStatus: sip }) => ({ route: refusing, leg, sipStatus: sip })),
});

export interface Remaining {
  where: string;
  count: number;
  said: string;
}

/** Places of legs that have ended somewhere unseen are free after half a minute; and orphans are reaped in rounds. */
const goneWithinMs = 120_000;

/** Looks until nothing is left at Asterisks and in the counts of trunks, or for so long; then writes it down. */
export const writeDownRemains = async (
  asterisks: readonly Asterisk[],
  nodes: readonly Node[],
  adminToken: string,
  ledger: Ledger,
): Promise<void> => {
  for (const end = ledger.now() + goneWithinMs; ;) {
    const remains = [...(await atAsterisks(asterisks)), ...(await inCounts(nodes, adminToken))];
    if (remains.every(({ count }) => count === 0) || ledger.now() > end) {
      for (const one of remains) ledger.add({ kind: 'remains', ...one });
      return;
    }
    await pause(2_000);
  }
};

const atAsterisks = (asterisks: readonly Asterisk[]): Promise<Remaining[]> =>
  Promise.all(
    asterisks.map(async (asterisk) => {
      const channels = await asterisk.channels();
      return {
        where: `Asterisk ${asterisk.name}`,
        count: channels.length,
        said: channels.join(' ').slice(0, 300),
      };
    }),
  );

const inCounts = async (nodes: readonly Node[], token: string): Promise<Remaining[]> => {
  const found = nodes.map(async ({ name, url }) => {
    const { trunks } = await adminOf(() => url, token).insist<Counts>('GET', '/trunks');
    return trunks.map((trunk) => ({
      ...{ where: `trunk ${trunk.name} at node ${name}`, count: trunk.live_legs, said: '' },
    }));
  });
  return (await Promise.all(found)).flat();
};

interface Counts {
  trunks: { name: string; live_legs: number }[];
}
