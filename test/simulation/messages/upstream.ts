/**
 * The SMS carriers and the chat upstream of the simulation. They outlive the nodes, count what they take, and tell
 * receipts late, twice, in any order or never; one that is told is told again until it is heard.
 */
import type { MessageEffects } from '../../../machines/contracts/message.ts';
import {
  Retryable,
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
} from '../../../src/engine/contract/performer.ts';
import type { Book } from '../book.ts';
import type { Dice } from '../dice.ts';
import type { Life } from '../life.ts';
import type { MachineName, Wire } from '../wire.ts';
import type { World } from '../world.ts';
import { type Failure, receiptsOf, type ToldReceipt } from './receipts.ts';

/** What becomes of a submission that arrives. */
const FATES = { taken: 70, slow: 8, cut: 5, refused: 5, unavailable: 7, throttled: 4, forbidden: 1 };
/** How long a slow provider keeps its answer; some longer than anybody waits. */
const SLOW_MS = [4_000, 90_000] as const;
/** Who told a receipt and hears nothing tells it again. */
const TOLD_AGAIN_MS = 9_000;

type Effects = Pick<MessageEffects, 'submitSms' | 'submitChat'>;

export interface UpstreamScope {
  world: World;
  book: Book;
  dice: Dice;
  wire: Wire;
  lives: () => Life[];
}

/** What is true of a message out there. */
export interface Truth {
  taken: number;
  refused: boolean;
  /** Receipts that a node has answered for. */
  heard: Set<string>;
  /** What it will fail of, when it will. */
  failure: Failure | undefined;
}

export class Upstream {
  readonly #scope: UpstreamScope;
  readonly #truths = new Map<number, Truth>();
  #untold = 0;

  constructor(scope: UpstreamScope) {
    this.#scope = scope;
  }

  /** Receipts that nobody has heard yet. */
  get untold(): number {
    return this.#untold;
  }

  truthOf(machine: number): Truth {
    let truth = this.#truths.get(machine);
    if (!truth)
      this.#truths.set(machine, (truth = { taken: 0, refused: false, heard: new Set(), failure: undefined }));
    return truth;
  }

  /** The performers of one process. */
  performers(life: Life): { [Name in keyof Effects]: EffectPerformer<Effects[Name]> } {
    return {
      submitSms: (call) => this.#asked(life, call, 'sms'),
      submitChat: (call) => this.#asked(life, call, 'chat'),
    };
  }

  #asked(life: Life, call: EffectCall<object>, by: 'sms' | 'chat'): ReturnType<EffectPerformer> {
    const { world, dice, wire } = this.#scope;
    let heldMs = 0;
    const arrives = (): Fact[] => {
      const fate = dice.weighed(FATES);
      const facts = this.#answer(call, by, fate);
      if (fate !== 'slow') return facts;
      heldMs = dice.between(...SLOW_MS);
      wire.tell(life, call.machine, wire.marked({ type: 'slow' }));
      // Told by itself as well: whoever waited for the answer may have given up by then.
      world.after(heldMs, () => wire.tell(life, call.machine, wire.marked({ ...facts[0]! })));
      return facts;
    };
    return wire.request(life, call.name, arrives, () => heldMs);
  }

  #answer({ id, machine }: EffectCall<object>, by: 'sms' | 'chat', fate: keyof typeof FATES): Fact[] {
    const { book, wire } = this.#scope;
    book.count(`messages ${fate}`);
    book.note(`upstream: ${id} is ${fate}`, machine.id);
    switch (fate) {
      case 'taken':
      case 'slow':
        return [wire.marked(this.#take(machine, id, by))];
      case 'cut':
        this.#take(machine, id, by);
        throw new Error('the connection was cut after the submission');
      case 'refused':
        this.truthOf(machine.id).refused = true;
        return [wire.marked({ type: 'refused', code: '300', text: 'no', answer: '{}' })];
      case 'unavailable':
        return [wire.marked({ type: 'unavailable', text: 'nobody is there', answer: '' })];
      case 'throttled':
        throw new Retryable('not so fast', { afterMs: 1_500 });
      case 'forbidden':
        throw new NotRetryable('forbidden', 'this route takes nothing from us');
    }
  }

  #take(machine: MachineName, effect: string, by: 'sms' | 'chat'): Fact {
    const { book, dice } = this.#scope;
    const truth = this.truthOf(machine.id);
    truth.taken += 1;
    if (truth.taken > 1) book.violated('sent twice', machine.id, `${effect} is the ${truth.taken}th`);
    const { receipts, failure } = receiptsOf(dice, by);
    truth.failure = failure;
    for (const receipt of receipts) this.#tellLater(machine, effect, receipt);
    return { type: 'acknowledged', providerId: effect, answer: '{"ok":true}' };
  }

  #tellLater(machine: MachineName, effect: string, { afterMs, ...receipt }: ToldReceipt): void {
    const { world } = this.#scope;
    const fact = { type: 'receipt', providerId: effect, occurredAt: 0, ...receipt };
    this.#untold += 1;
    world.after(afterMs, () => this.#tell(machine, fact));
  }

  /** A provider that is not answered comes again, and somebody hears it in the end. */
  #tell(machine: MachineName, fact: Fact & { status: string }): void {
    const { world, dice, lives, wire, book } = this.#scope;
    let isOver = false;
    const ends = (again: boolean): void => {
      if (isOver) return;
      isOver = true;
      if (again) world.after(dice.between(500, 3_000), () => this.#tell(machine, fact));
      else this.#untold -= 1;
    };
    const life = dice.pick(lives());
    if (!life?.alive) {
      ends(true);
      return;
    }
    world.after(TOLD_AGAIN_MS, () => ends(true));
    life.reach(world.now + dice.between(1, 20), () => {
      if (!life.engine) return;
      life.engine.send(machine, wire.marked({ ...fact })).then(
        ({ outcome }) => {
          book.count('receipts heard');
          if (outcome !== 'gone') this.truthOf(machine.id).heard.add(fact.status);
          book.note(`${life.name} hears ${fact.status} of ${machine.id}: ${outcome}`, machine.id);
          ends(false);
        },
        () => ends(true),
      );
    });
  }
}
