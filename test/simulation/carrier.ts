/**
 * A telephone network that outlives the nodes: it counts what it is asked to dial, lets far ends ring, answer, press
 * keys and hang up as the seed says, and knows the truth that `adopt` and `lookUp` ask for.
 */
import type { TelephonyEffects } from '../../machines/contracts/telephony.ts';
import type { EffectCall, Fact, EffectResult, EffectPerformer } from '../../src/engine/contract/performer.ts';
import { NotRetryable } from '../../src/engine/contract/performer.ts';
import { legId, type Telephony } from '../../src/providers/contracts/telephony.ts';
import type { Book } from './book.ts';
import type { Calm } from './calm.ts';
import { isListed } from './campaigns/numbers.ts';
import { Leg } from './leg.ts';
import type { Dice } from './dice.ts';
import type { Life } from './life.ts';
import { EPOCH, GAIN_BORNE_MS, GRACE_MS, SHARD, trouble } from './plan.ts';
import { isShared } from './turns.ts';
import type { MachineName, Wire } from './wire.ts';
import type { World } from './world.ts';

/** A dial may be so long on its way: it waits in a process that is paused, and the request is slow. */
const LATEST_DIAL_MS = GRACE_MS / 2 + trouble.longPauseMs[1] + trouble.slowRequestMs[1];
/** And so long while nothing is amiss. */
export const CALM_DIAL_MS = 2_000;

/** Requests to a carrier that was away are tried again within so long. */
const AFTER_CARRIER_MS = 30_000;
/** What the shard's time may gain while a leg rings that was lost: the wait for its end is longer by the grace time. */
const GAIN_NOTICED_MS = 10_000;

/** A dial that came here. */
export interface Dialled {
  machine: number;
  to: string;
  /** Not of a second leg. */
  isCallee: boolean;
  /** By the shard's time, epoch milliseconds: people's dates are meant by that. */
  at: number;
  mayBeLateMs: number;
  /** Virtual milliseconds. */
  trueAt: number;
  trueEnd?: number;
  /** By so much the process that hears of its end may be behind the time. */
  mayBeBehindMs: number;
}

export interface CarrierScope {
  world: World;
  book: Book;
  calm: Calm;
  dice: Dice;
  wire: Wire;
}

type Effects = TelephonyEffects;

export class Carrier {
  readonly #scope: CarrierScope;
  readonly #legs = new Map<string, Leg>();
  readonly #dials = new Map<string, number>();
  /** Numbers in the order they were dialled, and by whom. */
  readonly dialled: Dialled[] = [];

  /** The leg dialled last to each shared number; `ahead`: how far the shard's time was ahead of the truth. */
  readonly #latest = new Map<string, { leg: Leg; machine: number; ahead: number }>();
  /** The leg that each call dialled last to each number, likewise. */
  readonly #rings = new Map<string, { leg: Leg; ahead: number }>();
  #awayUntil = 0;

  constructor(scope: CarrierScope) {
    this.#scope = scope;
  }

  /** Legs that are up or ring. */
  get live(): number {
    let live = 0;
    for (const leg of this.#legs.values()) if (leg.state !== 'gone') live += 1;
    return live;
  }

  /** Its server is away now and then, until the trouble is over: no request reaches it, and it tells nothing; phones ring on. */
  begin(dice: Dice, troubled: () => boolean): void {
    const { world, book, calm } = this.#scope;
    world.after(dice.rarely(trouble.carrierAwayEveryMs), () => {
      if (!troubled()) return;
      this.#awayUntil = world.now + dice.between(...trouble.carrierAwayMs);
      book.count('times the carrier was away');
      book.note(`the carrier is away until ${Math.round(this.#awayUntil)}`);
      calm.disturbed(this.#awayUntil + AFTER_CARRIER_MS);
      world.at(this.#awayUntil, () => {
        for (const leg of this.#legs.values()) leg.isReachable();
        this.begin(dice, troubled);
      });
    });
  }

  #ask(life: Life, name: string, deed: () => Fact[] | void): Promise<EffectResult | void> {
    const { world, wire } = this.#scope;
    return this.#awayUntil > world.now ? wire.refuse(life, name) : wire.request(life, name, deed);
  }

  /** The performers of one process. */
  performers(life: Life): Telephony['performers'] {
    const onLeg =
      <Params extends { leg: number }>(
        name: string,
        deed: (leg: Leg, params: Params) => void,
      ): EffectPerformer<Params> =>
      (call) =>
        this.#ask(life, name, () => deed(this.#up(call.machine, call.params.leg), call.params));
    const onPair =
      (name: 'bridge' | 'unbridge'): EffectPerformer<{ legs: [number, number] }> =>
      (call) =>
        this.#ask(life, name, () => {
          const [one, other] = call.params.legs.map((leg) => this.#up(call.machine, leg));
          if (name === 'bridge') one!.join(other!);
          else one!.part();
        });
    return {
      originate: (call) => this.#ask(life, 'originate', () => this.#dial(life, call)),
      hangUp: (call) =>
        this.#ask(life, 'hangUp', () =>
          this.#find(call.machine, call.params.leg)?.hangUp(call.params.reason),
        ),
      play: onLeg('play', (leg, params) => leg.play(params)),
      stopPlay: onLeg('stopPlay', (leg, params) => leg.stopPlay(params.playback)),
      detectMachine: onLeg('detectMachine', (leg) => leg.detect()),
      hold: onLeg('hold', () => {}),
      bridge: onPair('bridge'),
      unbridge: onPair('unbridge'),
      sendDigits: onLeg('sendDigits', () => {}),
      record: onLeg('record', (leg, params) => leg.record(params)),
      stopRecord: onLeg('stopRecord', (leg) => leg.stopRecord()),
      adopt: (call) =>
        this.#ask(life, 'adopt', () => call.params.legs.flatMap((leg) => this.#adopted(life, call, leg))),
      lookUp: (call) => this.#ask(life, 'lookUp', () => this.#adopted(life, call, call.params.leg)),
    };
  }

  #dial(life: Life, call: EffectCall<Effects['originate']>): void {
    const { book } = this.#scope;
    const id = legId(call.machine, call.params.leg);
    const dials = (this.#dials.get(id) ?? 0) + 1;
    this.#dials.set(id, dials);
    book.count(call.params.onBehalfOf === undefined ? 'dials' : 'second dials');
    book.note(`carrier dials ${id}`, call.machine.id);
    if (dials > 1) {
      book.violated('dialled twice', call.machine.id, `leg ${call.params.leg}, ${dials} times`);
      throw new NotRetryable('duplicate', `leg ${id} exists`);
    }
    const isAway = (): boolean => this.#awayUntil > this.#scope.world.now;
    const leg = new Leg({ ...this.#scope, isAway, dice: this.#scope.dice.of(id) }, life, call);
    this.#expectAlone(life, call, leg);
    this.#expectSilence(life, call, leg);
    if (call.params.to.kind === 'number') this.#note(life, call, call.params.to.number, leg);
    this.#legs.set(id, leg);
  }

  #note(life: Life, { machine, params }: EffectCall<Effects['originate']>, to: string, leg: Leg): void {
    const { world, calm } = this.#scope;
    const mayBeLateMs = calm.lastsFor > LATEST_DIAL_MS ? CALM_DIAL_MS : LATEST_DIAL_MS;
    const dialled: Dialled = {
      ...{ machine: machine.id, to, mayBeLateMs, at: life.engine!.now(SHARD), trueAt: world.now },
      isCallee: params.onBehalfOf === undefined,
      mayBeBehindMs: 0,
    };
    leg.onEnd = () => {
      dialled.trueEnd = world.now;
      dialled.mayBeBehindMs = calm.lastsFor > 0 ? 0 : trouble.longPauseMs[1];
    };
    this.dialled.push(dialled);
  }

  /**
   * A number that several calls of campaigns want has one live call at most. (A call that lost its own leg, and has
   * waited until it could ring no more, dials again. And where clocks were set forward time and again while no node was
   * awake to know it, claims may end before their legs: decision 0023.)
   */
  #expectAlone(life: Life, { machine, params: { to } }: EffectCall<Effects['originate']>, leg: Leg): void {
    if (to.kind !== 'number' || !(isShared(to.number) || isListed(to.number))) return;
    const key = `${machine.account} ${to.number}`;
    const ahead = life.engine!.now(SHARD) - EPOCH - this.#scope.world.now;
    const other = this.#latest.get(key);
    const isSecond = other && other.machine !== machine.id && other.leg.state !== 'gone';
    if (isSecond && ahead - other.ahead > GAIN_BORNE_MS) this.#scope.book.count('claims outrun');
    else if (isSecond) {
      const detail = `${to.number} is ${other.leg.state} already, by ${other.machine}`;
      this.#scope.book.violated('two live calls', machine.id, detail, other.machine);
    }
    this.#latest.set(key, { leg, machine: machine.id, ahead });
  }

  /** A person's phone rings once for a call: one that has lost its leg waits until that can ring no more. */
  #expectSilence(life: Life, { machine, params }: EffectCall<Effects['originate']>, leg: Leg): void {
    const { to, onBehalfOf } = params;
    if (to.kind !== 'number' || onBehalfOf !== undefined) return;
    const key = `${machine.id} ${to.number}`;
    const ahead = life.engine!.now(SHARD) - EPOCH - this.#scope.world.now;
    const other = this.#rings.get(key);
    const rings = other?.leg.state === 'dialing' || other?.leg.state === 'ringing';
    if (rings && ahead - other.ahead < GAIN_NOTICED_MS)
      this.#scope.book.violated('rings twice', machine.id, `leg ${params.leg} to ${to.number}`);
    this.#rings.set(key, { leg, ahead });
  }

  /** What is true of a leg, told to who adopts it: facts that it missed, then how it stands. */
  #adopted(life: Life, call: Pick<EffectCall, 'machine' | 'seen'>, number: number): Fact[] {
    const leg = this.#find(call.machine, number);
    if (!leg)
      return [
        {
          type: 'hungUp',
          leg: number,
          outcome: 'unreachable',
          cause: 0,
          sipStatus: 0,
          by: 'carrier',
          lost: true,
        },
      ];
    leg.listener = life;
    return leg.tellAgain(call.seen[leg.source] ?? 0);
  }

  #find(machine: MachineName, leg: number): Leg | undefined {
    return this.#legs.get(legId(machine, leg));
  }

  #up(machine: MachineName, number: number): Leg {
    const leg = this.#find(machine, number);
    if (leg?.state !== 'up') throw new NotRetryable('gone', `leg ${number} is not up`);
    return leg;
  }
}
