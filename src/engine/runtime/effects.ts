/**
 * Runs effects after their commit: only while this node surely holds the row, and within their declared time. Their
 * outcome comes back as mail; the engine decides what follows.
 */
import {
  OutcomeUnknown,
  Retryable,
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
} from '../contract/performer.ts';
import type { EffectDeliveryPolicy } from '../contract/effect.ts';
import { backoffMs, type PendingEffectEntry } from '../contract/timersAndPendingEffects.ts';
import type { MachineState } from '../step/machineState.ts';
import { IntrusiveListNode, IntrusiveList } from '../contract/intrusiveList.ts';
import type { Mail } from '../contract/machineMail.ts';
import type { Clock, EngineLog, EngineMetrics, EffectPerformers, Random } from '../contract/ports.ts';
import type { CachedMachine } from '../writer/cachedMachine.ts';
import { madeStorable } from '../contract/storableText.ts';

const DEFAULT_ATTEMPTS = 5;
/** How often overdue performances are looked for. */
const SWEEP_MS = 100;

class Running extends IntrusiveListNode {
  readonly cached: CachedMachine;
  readonly entry: PendingEffectEntry;
  readonly terms: EffectDeliveryPolicy;
  readonly call: Call;
  /** When its time is over, monotonic. */
  readonly until: number;

  constructor(
    cached: CachedMachine,
    entry: PendingEffectEntry,
    terms: EffectDeliveryPolicy,
    call: Call,
    until: number,
  ) {
    super();
    this.cached = cached;
    this.entry = entry;
    this.terms = terms;
    this.call = call;
    this.until = until;
  }
}

export interface EffectRunnerDeps {
  shard: string;
  clock: Clock;
  random: Random;
  performers: EffectPerformers;
  metrics: EngineMetrics;
  log: EngineLog;
  /** Whether this node may act on rows now. */
  mayBegin(sentAt: number): boolean;
  /** The moment for a commit to be followed by its effects has passed: renew the commit, then begin. */
  renew(cached: CachedMachine, entry: PendingEffectEntry): void;
  dispatcher(cached: CachedMachine, mail: Mail): void;
  /** An effect was accepted with nothing to tell. */
  settle(cached: CachedMachine, effect: string): void;
}

export class EffectRunner {
  readonly #scope: EffectRunnerDeps;
  readonly #running = new IntrusiveList<Running>();
  #sweeping = false;

  constructor(scope: EffectRunnerDeps) {
    this.#scope = scope;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Begins an effect whose commit was sent at `sentAt` (monotonic). */
  begin(cached: CachedMachine, machine: MachineState, entry: PendingEffectEntry, sentAt: number): void {
    if (cached.running.includes(entry.id)) return;
    const { shard, clock, performers } = this.#scope;
    if (!this.#scope.mayBegin(sentAt)) {
      this.#scope.metrics.effectEnded(entry.name, 'late');
      this.#scope.renew(cached, entry);
      return;
    }
    const terms = machine.chart.kind.effects[entry.name]!;
    const performer = performers[entry.name] as EffectPerformer | undefined;
    const call = new Call(shard, machine, entry);
    const running = new Running(cached, entry, terms, call, clock.monotonic() + terms.timeoutMs);
    cached.running = [...cached.running, entry.id];
    this.#running.add(running);
    this.#sweep();
    if (!performer) {
      this.#end(running, new NotRetryable('noPerformer', `nothing here performs ${entry.name}`));
      return;
    }
    try {
      performer(call).then(
        (performed) => this.#accepted(running, performed?.events ?? []),
        (error: unknown) => this.#end(running, error),
      );
    } catch (error) {
      this.#end(running, error);
    }
  }

  /** Ends everything without a word, as a crash would. */
  abandon(): void {
    this.#running.clear();
  }

  #take(running: Running): boolean {
    if (!this.#running.remove(running)) return false;
    running.cached.running = running.cached.running.filter((id) => id !== running.entry.id);
    return true;
  }

  #accepted(running: Running, facts: Fact[]): void {
    if (!this.#take(running)) return;
    const { cached, entry } = running;
    const { id: effect } = entry;
    // Only one who was stopped meanwhile did not notice before.
    const lateMs = Math.ceil(this.#scope.clock.monotonic() - running.until);
    this.#scope.metrics.effectEnded(entry.name, 'accepted');
    if (facts.length === 0 && lateMs <= 0) this.#scope.settle(cached, effect);
    else this.#scope.dispatcher(cached, { what: 'accepted', effect, facts: madeStorable(facts), lateMs });
  }

  #end(running: Running, error: unknown): void {
    if (!this.#take(running)) return;
    const { cached, entry } = running;
    const verdict = judge(running, error, this.#scope.random);
    this.#scope.metrics.effectEnded(entry.name, verdict.ended);
    if (verdict.bug)
      this.#scope.log.error(
        { err: error, machine: cached.id, effect: entry.name, id: entry.id },
        'effect broke',
      );
    this.#scope.dispatcher(cached, madeStorable(verdict.mail));
  }

  /** One timer for all: aborts what is over its declared time. */
  #sweep(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#scope.clock.after(SWEEP_MS, () => {
      this.#sweeping = false;
      const now = this.#scope.clock.monotonic();
      for (const running of this.#running) {
        if (running.until > now) continue;
        running.call.abort();
        this.#end(running, new Overdue(running, Math.ceil(now - running.until)));
      }
      if (this.#running.size > 0) this.#sweep();
    });
  }
}

class Overdue extends Error {
  /** How long ago its time was over; more than a moment: this process was stopped. */
  readonly lateMs: number;
  constructor({ entry, terms }: Running, lateMs: number) {
    super(`${entry.name} was not accepted within ${terms.timeoutMs} ms`);
    this.lateMs = lateMs;
  }
}

interface Verdict {
  ended: 'failed' | 'unknown' | 'retried';
  mail: Mail;
  bug: boolean;
}

/** What an error means: a no is final, a maybe is tried again or, for `atMostOnce`, reported as unknown. */
const judge = ({ entry, terms }: Running, error: unknown, random: Random): Verdict => {
  const effect = entry.id;
  const message = error instanceof Error ? error.message : String(error);
  const known = [Retryable, NotRetryable, OutcomeUnknown, Overdue].some((kind) => error instanceof kind);
  if (error instanceof NotRetryable)
    return {
      ended: 'failed',
      bug: false,
      mail: { what: 'failed', effect, reason: error.reason, message, attention: false },
    };
  // A performer says Retryable only when the world surely did not hear; anything else may have been heard.
  if (terms.delivery === 'atMostOnce' && !(error instanceof Retryable))
    return { ended: 'unknown', bug: !known, mail: { what: 'unknown', effect } };
  if (entry.tries >= (terms.attempts ?? DEFAULT_ATTEMPTS))
    return {
      ended: 'failed',
      bug: !known,
      mail: { what: 'failed', effect, reason: 'triesUsedUp', message, attention: true },
    };
  const asked = error instanceof Retryable ? error.afterMs : undefined;
  const lateMs = error instanceof Overdue ? error.lateMs : 0;
  return {
    ended: 'retried',
    bug: !known,
    mail: { what: 'again', effect, delayMs: asked ?? backoffMs(entry.tries, random()), lateMs },
  };
};

/** The call handed to a performer; its abort signal is made only when looked at. */
class Call implements EffectCall {
  readonly id: string;
  readonly name: string;
  readonly params: Record<string, unknown>;
  readonly machine: EffectCall['machine'];
  readonly attempt: number;
  readonly seen: Readonly<Record<string, number>>;
  #controller: AbortController | null = null;
  #aborted = false;

  constructor(shard: string, machine: MachineState, entry: PendingEffectEntry) {
    this.id = `${shard}.${machine.account}.${machine.id}.${entry.id}`;
    this.name = entry.name;
    this.params = entry.params;
    this.machine = { shard, account: machine.account, id: machine.id, kind: machine.chart.kind.name };
    this.attempt = entry.tries;
    this.seen = machine.lastSeq;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}
