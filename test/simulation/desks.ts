/** The rest of the world: who clears dials, speaks texts, knows targets, blocks numbers and takes short messages. */
import type { DialClearanceEffects } from '../../machines/contracts/clearance.ts';
import type { FollowUpSmsEffects } from '../../machines/contracts/sms.ts';
import type { SpeechSynthesisEffects } from '../../machines/contracts/speech.ts';
import type { LegTargetEffects } from '../../machines/contracts/targetResolutionAndQueue.ts';
import {
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
} from '../../src/engine/contract/performer.ts';
import type { Book } from './book.ts';
import type { Dice } from './dice.ts';
import type { Life } from './life.ts';
import { lineOf } from './lines.ts';
import { EPOCH } from './plan.ts';
import type { Wire } from './wire.ts';
import type { World } from './world.ts';

/** A carrier that is full keeps a call waiting for longer than its campaign does without a word of it. */
const FULL = 0.02;
const FULL_MS = [300_000, 1_500_000] as const;

type Asked = DialClearanceEffects & FollowUpSmsEffects & SpeechSynthesisEffects & LegTargetEffects;

const questionOf = ({ question }: { question?: number }): { question?: number } =>
  question === undefined ? {} : { question };

export interface DesksScope {
  world: World;
  book: Book;
  dice: Dice;
  wire: Wire;
  /** Whether the record of a campaign says that it is switched off. */
  isPaused(campaign: number): boolean;
}

export class Desks {
  readonly #scope: DesksScope;
  /** By call and attempt: until when the carrier has no room for it. */
  readonly #fullUntil = new Map<string, number>();
  readonly #full = new Set<number>();
  readonly #texted = new Set<string>();
  readonly #textedBy = new Set<number>();

  constructor(scope: DesksScope) {
    this.#scope = scope;
  }

  /** Whether the carrier had no room for this call at some time. */
  wasFull(call: number): boolean {
    return this.#full.has(call);
  }

  /** The performers of one process. */
  performers(life: Life): { [Name in keyof Asked]: EffectPerformer<Asked[Name]> } {
    const asks =
      <Name extends keyof Asked>(
        name: Name,
        deed: (call: EffectCall<Asked[Name]>) => Fact[] | void,
      ): EffectPerformer<Asked[Name]> =>
      (call) =>
        this.#scope.wire.request(life, name, () => deed(call));
    return {
      requestClearance: asks('requestClearance', (call) => this.#clear(life, call)),
      withdrawClearance: asks('withdrawClearance', () => {}),
      blockNumber: asks('blockNumber', () => {}),
      restNumber: asks('restNumber', () => {}),
      prepareAudio: asks('prepareAudio', (call) => this.#speak(call)),
      resolveTarget: asks('resolveTarget', (call) =>
        this.#resolve(call).map((fact) => ({ ...fact, ...questionOf(call.params) })),
      ),
      sendSms: asks('sendSms', (call) => this.#text(call)),
    };
  }

  /** Answered with the acceptance or, when there is a queue, by the process that was asked, if it still lives. */
  #clear(life: Life, call: EffectCall<Asked['requestClearance']>): Fact[] {
    const { world, dice, wire } = this.#scope;
    const fact = wire.marked({ ...this.#verdict(), ...questionOf(call.params) });
    const fullMs = this.#fullMs(call);
    if (fullMs === 0 && dice.chance(0.5)) return [this.#unlessPaused(call, fact)];
    world.after(fullMs + dice.between(10, 3_000), () =>
      wire.tell(life, call.machine, this.#unlessPaused(call, fact)),
    );
    return [];
  }

  /** For some calls of campaigns the carrier is full for long. Asked again meanwhile, they keep their place. */
  #fullMs({ machine, params: { campaign, attempt } }: EffectCall<Asked['requestClearance']>): number {
    const { world, dice, book } = this.#scope;
    if (campaign === undefined) return 0;
    const key = `${machine.id} ${attempt}`;
    const known = this.#fullUntil.get(key);
    if (known !== undefined) return Math.max(0, known - world.now);
    const ms = dice.chance(FULL) ? dice.between(...FULL_MS) : 0;
    if (ms > 0) {
      book.count('long waits');
      this.#full.add(machine.id);
    }
    this.#fullUntil.set(key, world.now + ms);
    return ms;
  }

  /** A pause counts from the moment it is on record, however late the campaign's own word comes. */
  #unlessPaused({ params: { campaign } }: EffectCall<Asked['requestClearance']>, fact: Fact): Fact {
    if (campaign === undefined || !this.#scope.isPaused(campaign)) return fact;
    return { ...fact, type: 'attemptRevoked' };
  }

  #verdict(): Fact {
    const { world, dice } = this.#scope;
    const until = EPOCH + Math.round(world.now + dice.between(1_000, 60_000));
    switch (dice.weighed({ cleared: 93, postponed: 5, refused: 2 })) {
      case 'cleared':
        return { type: 'cleared', route: 'simulated' };
      case 'postponed':
        return { type: 'postponed', reason: 'window', detail: 'not at this hour', until };
      case 'refused':
        return { type: 'refused', reason: 'blocklist', detail: 'wants no calls' };
    }
  }

  #speak({ params }: EffectCall<Asked['prepareAudio']>): Fact[] {
    if (params.texts.some(({ text }) => text.includes('unspeakable')))
      throw new NotRetryable('unspeakable', 'this text cannot be spoken');
    const audio = params.texts.map(({ text }) => {
      const seconds = 1 + (text.length % 6);
      return { media: `${seconds}s ${text}`, seconds };
    });
    return [this.#scope.wire.marked({ type: 'audioPrepared', audio })];
  }

  #resolve({ machine, params }: EffectCall<Asked['resolveTarget']>): Fact[] {
    const { wire, dice } = this.#scope;
    const { target } = params;
    if (dice.chance(0.03))
      return [wire.marked({ type: 'targetRefused', reason: 'agentInactive', detail: 'nobody is there' })];
    const fact = { type: 'targetResolved' };
    switch (target.kind) {
      case 'queue':
        return [wire.marked({ ...fact, how: 'line', line: lineOf(machine.account, target.queue) })];
      case 'agent':
        return [
          wire.marked({ ...fact, how: 'endpoint', endpoint: { kind: 'websocket', url: 'wss://agent' } }),
        ];
      case 'number':
      case 'chat':
        return [
          wire.marked({ ...fact, how: 'endpoint', endpoint: { kind: target.kind, number: target.number } }),
        ];
    }
  }

  /** Begins one message for an effect, however often it is asked, and one for a call. */
  #text(call: EffectCall<Asked['sendSms']>): Fact[] {
    const { book, wire } = this.#scope;
    if (!this.#texted.has(call.id)) {
      if (this.#textedBy.has(call.machine.id)) book.violated('texted twice', call.machine.id, call.id);
      this.#texted.add(call.id);
      this.#textedBy.add(call.machine.id);
      book.count('texts');
      book.note(`texted ${call.id}`, call.machine.id);
    }
    return [wire.marked({ type: 'smsAccepted', providerId: call.id, slow: false })];
  }
}
