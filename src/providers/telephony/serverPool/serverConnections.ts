/** The connections of a pool: one for each server that takes calls or has some, opened and closed as the table says. */
import type { TrunkOperatingMode } from '../../../rules/trunks/trunkTypes.ts';
import type { TrunkRegistration } from '../../../rules/trunks/sipTrunkDetails.ts';
import type { Telephony } from '../../contracts/telephony.ts';

/** A server of the table. `access`: how it is reached; it changes with what an operator writes. */
export interface TelephonyServerRecord<Access> {
  id: number;
  name: string;
  state: TrunkOperatingMode;
  access: Access;
}

/** A connection to one server. */
export interface TelephonyServerConnection<Access> extends Omit<Telephony, 'phone' | 'profile'> {
  /** Whether the server has this leg. Throws `Retryable` while that cannot be known. */
  has(machine: { shard: string; account: number; id: number }, leg: number): Promise<boolean>;
  /** How many legs this process looks after there. */
  legs(): number;
  /** How its trunks with SIP details stand; none where it is not connected. */
  registrations(): readonly { trunk: string; registration: TrunkRegistration }[];
  /** From now on it is reached so; its legs stay, where the server has them. */
  reachBy(access: Access): void;
}

export interface TelephonyServerConnections<Access> {
  start(): void;
  stop(): Promise<void>;
  /** Brings the connections in line with the table. */
  follow(): void;
  get(server: number): TelephonyServerConnection<Access> | undefined;
  /** Opened for a while where it is switched off; undefined: there is no such server. */
  reopened(server: number): TelephonyServerConnection<Access> | undefined;
  idOf(member: TelephonyServerConnection<Access>): number | undefined;
  all(): readonly TelephonyServerConnection<Access>[];
  /** Servers that are not switched off. */
  wanted(): readonly TelephonyServerRecord<Access>[];
}

/** A server that was switched off stays connected for so long after its last leg, or after it was heard of last: recordings are still fetched. */
const LINGER_MS = 60_000;

interface Connected<Access> {
  member: TelephonyServerConnection<Access>;
  /** When it was last wanted, by the clock. */
  usedAt: number;
}

/** None is connected before the start. */
export const openTelephonyServerConnections = <Access>({
  servers,
  open,
  now,
}: {
  servers(): readonly TelephonyServerRecord<Access>[];
  open(access: Access): TelephonyServerConnection<Access>;
  now(): number;
}): TelephonyServerConnections<Access> => {
  const connected = new Map<number, Connected<Access>>();
  const closing = new Set<Promise<void>>();
  let isOpen = false;

  const connect = ({ id, access }: TelephonyServerRecord<Access>): TelephonyServerConnection<Access> => {
    const member = open(access);
    connected.set(id, { member, usedAt: now() });
    void member.start();
    return member;
  };
  const close = (id: number, member: TelephonyServerConnection<Access>): void => {
    connected.delete(id);
    const closed = member.stop().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const wanted = () => servers().filter(({ state }) => state !== 'off');
  const reach = (server: TelephonyServerRecord<Access>): TelephonyServerConnection<Access> => {
    const known = connected.get(server.id);
    if (!known) return connect(server);
    known.usedAt = now();
    known.member.reachBy(server.access);
    return known.member;
  };
  const follow = (): void => {
    if (!isOpen) return;
    for (const server of wanted()) reach(server);
    // One that is switched off has no trunks any more: it is told while it lingers.
    for (const { id, state, access } of servers())
      if (state === 'off') connected.get(id)?.member.reachBy(access);
    for (const [id, one] of connected) {
      if (one.member.legs() > 0 && one.member.health().ok) one.usedAt = now();
      if (now() - one.usedAt > LINGER_MS) close(id, one.member);
    }
  };

  return {
    ...{ follow, wanted },
    start: () => {
      isOpen = true;
      follow();
    },
    stop: async () => {
      isOpen = false;
      for (const [id, { member }] of connected) close(id, member);
      await Promise.all(closing);
    },
    get: (server) => connected.get(server)?.member,
    reopened: (server) => {
      const row = isOpen ? servers().find(({ id }) => id === server) : undefined;
      return row && reach(row);
    },
    idOf: (member) => [...connected].find(([, one]) => one.member === member)?.[0],
    all: () => [...connected.values()].map(({ member }) => member),
  };
};
