/** One leg at the carrier: what its far end does, and what is told of it. */
import type { AudioPrompt } from '../../machines/contracts/prompt.ts';
import type { LegOutcome, TelephonyEffects } from '../../machines/contracts/telephony.ts';
import type { EffectCall, Fact } from '../../src/engine/contract/performer.ts';
import type { CarrierScope } from './carrier.ts';
import type { Life } from './life.ts';

/** A carrier as its legs know it. */
export interface LegScope extends CarrierScope {
  /** Whether nothing that happens there is told now. */
  isAway(): boolean;
}

type Originate = TelephonyEffects['originate'];
type Recording = TelephonyEffects['record'];

const KEYS = ['1', '1', '1', '2', '3', '4', '5', '9', '0', '#', '*', '7'];

/** Between facts that are told one after the other, longer than each is on its way. */
const APART_MS = 30;

/** How far ends are, by how often. */
const FATES = { answers: 62, machine: 8, busy: 9, silent: 9, congested: 4, unreachable: 4, hasty: 4 };
type FarEnd = keyof typeof FATES;

/** Q.850 causes of those that never answer, and when they tell. */
const REFUSALS: Partial<Record<FarEnd, { outcome: LegOutcome; cause: number; sipStatus: number }>> = {
  busy: { outcome: 'busy', cause: 17, sipStatus: 486 },
  congested: { outcome: 'congestion', cause: 34, sipStatus: 503 },
  unreachable: { outcome: 'unreachable', cause: 1, sipStatus: 404 },
};

export class Leg {
  state: 'dialing' | 'ringing' | 'up' | 'gone' = 'dialing';
  /** The process that hears of it. */
  listener: Life;
  /** Told when it is gone. */
  onEnd: () => void = () => {};
  readonly source: string;
  readonly #scope: LegScope;
  readonly #machine: EffectCall['machine'];
  readonly #leg: number;
  readonly #farEnd: FarEnd;
  /** Facts of a numbered leg have a `seq` and are kept; an unnumbered leg tells everything once. */
  readonly #numbered: boolean;
  readonly #told: Fact[] = [];
  /** How many facts were told before some were not, for the carrier was away. */
  #missedFrom: number | undefined;
  readonly #plays = new Map<string, () => void>();
  readonly #isAgent: boolean;
  #recording: { params: Recording; cancel: () => void } | null = null;
  #partner: Leg | null = null;
  #end: Fact | null = null;

  constructor(scope: LegScope, listener: Life, call: EffectCall<Originate>) {
    this.#scope = scope;
    this.listener = listener;
    this.#machine = call.machine;
    this.#leg = call.params.leg;
    this.source = `leg ${this.#leg}`;
    this.#farEnd = scope.dice.weighed(FATES);
    this.#numbered = scope.dice.chance(0.6);
    this.#isAgent = call.params.to.kind === 'websocket';
    this.#live(call.params);
  }

  /** From the dial to the end, unless somebody interferes. */
  #live({ ringSeconds, limitSeconds }: Originate): void {
    const { world, dice } = this.#scope;
    const refusal = REFUSALS[this.#farEnd];
    if (refusal) {
      world.after(dice.between(200, 4_000), () => this.#gone({ ...refusal, by: 'them' }));
      return;
    }
    const ringsAfter = dice.between(100, 3_000);
    world.after(ringsAfter, () => this.#rings());
    const answersAfter = ringsAfter + dice.between(500, this.#farEnd === 'silent' ? 90_000 : 20_000);
    if (answersAfter < ringSeconds * 1_000) world.after(answersAfter, () => this.#answers());
    else world.after(ringSeconds * 1_000, () => this.#ringsOut());
    world.after(limitSeconds * 1_000, () =>
      this.#gone({ outcome: 'normal', cause: 102, sipStatus: 0, by: 'carrier' }),
    );
  }

  #rings(): void {
    if (this.state !== 'dialing') return;
    this.state = 'ringing';
    this.#tell({ type: 'ringing' });
  }

  #ringsOut(): void {
    if (this.state === 'dialing' || this.state === 'ringing')
      this.#gone({ outcome: 'noAnswer', cause: 19, sipStatus: 480, by: 'carrier' });
  }

  #answers(): void {
    const { world, dice } = this.#scope;
    if (this.state === 'gone') return;
    this.state = 'up';
    this.#tell({ type: 'answered' });
    const patienceMs = this.#farEnd === 'hasty' ? dice.between(50, 4_000) : 2_000 + dice.rarely(60_000);
    world.after(patienceMs, () => this.#gone({ outcome: 'normal', cause: 16, sipStatus: 0, by: 'them' }));
    if (this.#isAgent && dice.chance(0.3)) world.after(dice.between(1_000, 30_000), () => this.#asks());
  }

  /** A realtime agent wants something. */
  #asks(): void {
    if (this.state !== 'up') return;
    if (this.#scope.dice.chance(0.5)) this.#tell({ type: 'digitsRequested', digits: '12' });
    else this.#tell({ type: 'transferRequested', to: { kind: 'number', number: '551133330000' } });
  }

  hangUp(reason: 'normal' | 'busy' | 'noAnswer'): void {
    const outcome = reason === 'normal' && this.state !== 'up' ? 'cancelled' : reason;
    this.#scope.world.after(this.#scope.dice.between(10, 400), () =>
      this.#gone({ outcome, cause: 16, sipStatus: 0, by: 'us' }),
    );
  }

  play({ playback, prompts }: TelephonyEffects['play']): void {
    const { world, dice } = this.#scope;
    const ms = prompts.reduce((sum, prompt) => sum + lengthMs(prompt), 0);
    this.#plays.get(playback)?.();
    const cancel = world.after(ms, () => {
      this.#plays.delete(playback);
      if (this.state !== 'up') return;
      if (dice.chance(0.01)) this.#tell({ type: 'playFailed', playback, reason: 'media' });
      else this.#tell({ type: 'played', playback });
    });
    this.#plays.set(playback, cancel);
    for (let keys = dice.whole(0, 3); keys > 0; keys--)
      world.after(dice.between(200, ms + 8_000), () => this.#presses());
  }

  stopPlay(playback: string): void {
    this.#plays.get(playback)?.();
    this.#plays.delete(playback);
  }

  #presses(): void {
    if (this.state !== 'up' || this.#farEnd === 'machine') return;
    const digit = this.#scope.dice.pick(KEYS);
    this.#tell({ type: 'digitReceived', digit });
    if (digit === this.#recording?.params.endOnDigit) this.stopRecord();
  }

  detect(): void {
    const { world, dice } = this.#scope;
    const truth = this.#farEnd === 'machine' ? 'machine' : 'human';
    world.after(dice.between(800, 4_000), () => {
      if (this.state === 'up')
        this.#tell({ type: 'machineDetected', result: dice.chance(0.1) ? 'notSure' : truth });
    });
  }

  record(params: Recording): void {
    if (this.#recording) return;
    const cancel = this.#scope.world.after(params.maxSeconds * 1_000, () => this.stopRecord());
    this.#recording = { params, cancel };
  }

  stopRecord(): void {
    const { world, dice } = this.#scope;
    const over = this.#recording;
    if (!over) return;
    over.cancel();
    this.#recording = null;
    const { recording } = over.params;
    world.after(dice.between(100, 3_000), () =>
      this.#tell(
        dice.chance(0.05)
          ? { type: 'recordFailed', recording, reason: 'empty' }
          : { type: 'recorded', recording, media: `${this.source} ${recording}`, seconds: 3 },
      ),
    );
  }

  join(other: Leg): void {
    this.#partner = other;
    other.#partner = this;
  }

  part(): void {
    if (this.#partner) this.#partner.#partner = null;
    this.#partner = null;
  }

  /** Facts after that `seq`, and how the leg stands. */
  tellAgain(seen: number): Fact[] {
    const missed = this.#told.filter(({ seq }) => seq! > seen);
    if (this.state !== 'gone') return [...missed, { type: 'legFound', leg: this.#leg, state: this.state }];
    return this.#numbered ? missed : [{ ...this.#end!, lost: true }];
  }

  /** The carrier is back: what was missed is told, and how the leg stands. */
  isReachable(): void {
    const seen = this.#missedFrom;
    if (seen === undefined) return;
    this.#missedFrom = undefined;
    const { wire, world } = this.#scope;
    for (const [index, fact] of this.tellAgain(seen).entries())
      world.after(index * APART_MS, () =>
        wire.tell(this.listener, this.#machine, 'mark' in fact ? fact : wire.marked(fact)),
      );
  }

  #gone(how: { outcome: LegOutcome; cause: number; sipStatus: number; by: 'us' | 'them' | 'carrier' }): void {
    if (this.state === 'gone') return;
    for (const cancel of this.#plays.values()) cancel();
    this.part();
    this.#end = { type: 'hungUp', leg: this.#leg, ...how };
    this.state = 'gone';
    this.onEnd();
    this.#tell({ type: 'hungUp', ...how });
    this.stopRecord();
  }

  #tell(what: Fact): void {
    const { wire } = this.#scope;
    const numbering = this.#numbered ? { source: this.source, seq: this.#told.length + 1 } : {};
    const fact = wire.marked({ leg: this.#leg, ...what, ...numbering });
    if (this.#scope.isAway()) this.#missedFrom ??= this.#told.length;
    if (this.#numbered) this.#told.push(fact);
    if (this.#missedFrom !== undefined) return;
    wire.tell(this.listener, this.#machine, fact);
  }
}

/** Media are named by their length: `4s-…`. */
const lengthMs = (prompt: AudioPrompt): number => {
  if ('silenceMs' in prompt) return prompt.silenceMs;
  return 'media' in prompt ? Number.parseInt(prompt.media, 10) * 1_000 : 300;
};
