/**
 * Several servers as one carrier. A new leg goes to the server of its trunk, a second leg to the server of the callee's;
 * what is asked of a leg later goes to the server that has it.
 *
 * Where a leg is, is remembered. After a restart its trunk says so, or every server is asked; while one that may have it
 * cannot be reached, the request is tried again. With one server all goes to it, as it comes.
 */
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import {
  Retryable,
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
} from '../../engine/contract/performer.ts';
import { lruOf } from '../../lib/lru.ts';
import { isRegistrationFailure, type TrunkRegistration } from '../../rules/trunks/sipTrunkDetails.ts';
import type { TrunkOperatingMode } from '../../rules/trunks/trunkTypes.ts';
import { legId, type Telephony, type TelephonyCarrierCapacity } from '../contracts/telephony.ts';
import {
  openTelephonyServerConnections,
  type TelephonyServerConnection,
  type TelephonyServerConnections,
  type TelephonyServerRecord,
} from './serverPool/serverConnections.ts';

export interface TelephonyPoolOptions<Access> {
  profile: TelephonyCarrierCapacity;
  /** The servers as they are now. */
  servers(): readonly (TelephonyServerRecord<Access> & { state: TrunkOperatingMode })[];
  /** The server of a trunk; without a name, or by one that is not there any more: that of the settings. */
  serverOf(trunk: string | undefined): number | undefined;
  /** Whether there is a trunk of this name: of a leg by one that was deleted every server is asked. */
  hasTrunk(trunk: string): boolean;
  /** Makes the connection of a server; it is started and stopped here. */
  open(access: Access): TelephonyServerConnection<Access>;
  /** Milliseconds of any monotonic clock. */
  now(): number;
}

export interface TelephonyPool extends Telephony {
  /** The servers were read again: connections are opened, changed and closed. */
  follow(): void;
  /** How the connection to a server is; undefined: there is none. */
  connection(server: number): { ok: boolean; detail: string } | undefined;
  /** How a trunk with SIP details stands; undefined: it has none, or its server is not connected. */
  registration(trunk: string): TrunkRegistration | undefined;
  /** Trunks that their carrier, or their server, does not take, a sentence each. */
  rejected(): string[];
  /** Servers that cannot be reached, a sentence each; none where there is one server only. */
  problems(): string[];
}

/** Legs whose server is remembered; of others it is asked for. */
const LEGS_AT_MOST = 250_000;

/** A carrier over the servers of a table. */
export const openTelephonyPool = <Access>(options: TelephonyPoolOptions<Access>): TelephonyPool => {
  const members = openTelephonyServerConnections(options);
  return {
    profile: options.profile,
    performers: performersOf(members, options),
    start: async () => members.start(),
    stop: () => members.stop(),
    follow: () => members.follow(),
    connection: (server) => members.get(server)?.health(),
    registration: (trunk) => standingsOf(members).find((one) => one.trunk === trunk)?.registration,
    rejected: () =>
      standingsOf(members).flatMap(({ trunk, registration: { state, detail } }) =>
        isRegistrationFailure(state) ? [`trunk ${trunk}: ${detail}`] : [],
      ),
    problems: () => (members.wanted().length > 1 ? awayOf(members) : []),
    health: () => healthOf(members),
  };
};

const standingsOf = <Access>(members: TelephonyServerConnections<Access>) =>
  members.all().flatMap((member) => member.registrations());

const awayOf = <Access>(members: TelephonyServerConnections<Access>): string[] =>
  members.wanted().flatMap(({ id, name }) => {
    const { ok, detail } = members.get(id)?.health() ?? { ok: false, detail: 'it is not connected' };
    return ok ? [] : [`trunk server ${name}: ${detail}`];
  });

const healthOf = <Access>(members: TelephonyServerConnections<Access>): { ok: boolean; detail: string } => {
  const wanted = members.wanted();
  const only = wanted.length === 1 ? members.get(wanted[0]!.id) : undefined;
  if (only) return only.health();
  if (wanted.length === 0) return { ok: false, detail: 'all Asterisk servers are switched off' };
  const away = awayOf(members);
  if (away.length > 0) return { ok: false, detail: away.join('; ') };
  return { ok: true, detail: `connected to ${wanted.length} Asterisk servers` };
};

type Of = Pick<EffectCall, 'machine'>;

const performersOf = <Access>(
  members: TelephonyServerConnections<Access>,
  trunks: TrunkServers<Access>,
): Telephony['performers'] => {
  const homes = new Homes(members, trunks);
  const onLeg =
    <Params>(
      ask: (performers: Telephony['performers']) => EffectPerformer<Params>,
      legOf: (params: Params) => number,
    ): EffectPerformer<Params> =>
    async (call) =>
      ask((await homes.of(call, legOf(call.params))).performers)(call);
  const itsLeg = ({ leg }: { leg: number }): number => leg;
  const firstLeg = ({ legs }: { legs: [number, number] }): number => legs[0];
  return {
    originate: async (call) => (await homes.forNew(call)).performers.originate(call),
    hangUp: onLeg(({ hangUp }) => hangUp, itsLeg),
    play: onLeg(({ play }) => play, itsLeg),
    stopPlay: onLeg(({ stopPlay }) => stopPlay, itsLeg),
    detectMachine: onLeg(({ detectMachine }) => detectMachine, itsLeg),
    hold: onLeg(({ hold }) => hold, itsLeg),
    bridge: onLeg(({ bridge }) => bridge, firstLeg),
    unbridge: onLeg(({ unbridge }) => unbridge, firstLeg),
    sendDigits: onLeg(({ sendDigits }) => sendDigits, itsLeg),
    record: onLeg(({ record }) => record, itsLeg),
    stopRecord: onLeg(({ stopRecord }) => stopRecord, itsLeg),
    lookUp: onLeg(({ lookUp }) => lookUp, itsLeg),
    adopt: async (call) => ({ events: await adopt(homes, call) }),
  };
};

/** Each server takes over the legs that it has. */
const adopt = async <Access>(
  homes: Homes<Access>,
  call: EffectCall<TelephonyEffects['adopt']>,
): Promise<Fact[]> => {
  const { legs, trunk } = call.params;
  const found = await Promise.all(legs.map(async (leg) => homes.of(call, leg, trunk)));
  const taken = [...new Set(found)].map((member) =>
    member.performers.adopt({
      ...call,
      params: { ...call.params, legs: legs.filter((_, index) => found[index] === member) },
    }),
  );
  return (await Promise.all(taken)).flatMap((performed) => performed?.events ?? []);
};

type TrunkServers<Access> = Pick<TelephonyPoolOptions<Access>, 'serverOf' | 'hasTrunk'>;

/** Which server has a leg. */
class Homes<Access> {
  readonly #members: TelephonyServerConnections<Access>;
  readonly #trunks: TrunkServers<Access>;
  /** Servers of legs, by their channels. */
  readonly #known = lruOf<string, number>(LEGS_AT_MOST);

  constructor(members: TelephonyServerConnections<Access>, trunks: TrunkServers<Access>) {
    this.#members = members;
    this.#trunks = trunks;
  }

  /** Where a leg is to be made. Throws `NotRetryable('unreachable')` where its server is switched off. */
  async forNew(call: EffectCall<TelephonyEffects['originate']>): Promise<TelephonyServerConnection<Access>> {
    const { leg, trunk, onBehalfOf } = call.params;
    if (onBehalfOf !== undefined) {
      const member = await this.of(call, onBehalfOf, trunk);
      return this.#remember(call, leg, member);
    }
    const server = this.#trunks.serverOf(trunk);
    const member = server === undefined ? undefined : this.#members.get(server);
    if (!member)
      throw new NotRetryable('unreachable', `the server of trunk ${trunk ?? 'asterisk'} is switched off`);
    return this.#remember(call, leg, member);
  }

  /** The server that has a leg, or would have had it. `trunk`: of the call, where it is known. */
  async of(call: Of, leg: number, trunk?: string): Promise<TelephonyServerConnection<Access>> {
    const known = this.#known.get(legId(call.machine, leg));
    const remembered = known === undefined ? undefined : this.#members.get(known);
    if (remembered) return remembered;
    return this.#remember(call, leg, this.#named(trunk) ?? (await this.#find(call, leg)));
  }

  /** Also one that was switched off: calls of another node may go on there. */
  #named(trunk: string | undefined): TelephonyServerConnection<Access> | undefined {
    const { serverOf, hasTrunk } = this.#trunks;
    const server = trunk !== undefined && hasTrunk(trunk) ? serverOf(trunk) : undefined;
    return server === undefined ? undefined : this.#members.reopened(server);
  }

  /** Asks all of them. A leg that none has is over: any of them says so. */
  async #find(call: Of, leg: number): Promise<TelephonyServerConnection<Access>> {
    const all = this.#members.all();
    if (all.length === 1) return all[0]!;
    const answers = await Promise.allSettled(all.map(async (member) => member.has(call.machine, leg)));
    const index = answers.findIndex((answer) => answer.status === 'fulfilled' && answer.value);
    if (index >= 0) return all[index]!;
    if (all.length === 0 || answers.some(({ status }) => status === 'rejected'))
      throw new Retryable(`a server that may have leg ${leg} cannot be reached`);
    return all[0]!;
  }

  #remember(
    { machine }: Of,
    leg: number,
    member: TelephonyServerConnection<Access>,
  ): TelephonyServerConnection<Access> {
    const server = this.#members.idOf(member);
    if (server !== undefined) this.#known.set(legId(machine, leg), server);
    return member;
  }
}
