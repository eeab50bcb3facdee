/**
 * Mail that a machine's own timers and effects bring: due timers, and outcomes of effects. The machine may have been
 * evicted meanwhile; then its row is read.
 */
import type { PendingEffectEntry } from '../contract/timersAndPendingEffects.ts';
import type { Mail } from '../contract/machineMail.ts';
import type { ClusterMembership } from '../cluster/membership.ts';
import type { EngineLog } from '../contract/ports.ts';
import type { MachineMailDispatcher } from './machineMailDispatcher.ts';
import type { CachedMachine } from '../writer/cachedMachine.ts';
import type { DeferredEffectAckBuffer } from '../writer/effectAcceptanceBuffer.ts';

export interface TimerAndEffectMailerDeps {
  dispatcher: MachineMailDispatcher;
  acks: DeferredEffectAckBuffer;
  membership: ClusterMembership;
  log: EngineLog;
  /** Steps a machine may take on its own account within a second; more is a chart that spins. */
  ownStepsPerSecond: number;
}

export class TimerAndEffectMailer {
  readonly #scope: TimerAndEffectMailerDeps;
  #stopped = false;

  constructor(scope: TimerAndEffectMailerDeps) {
    this.#scope = scope;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Mail that a machine causes itself. A chart that spins is stopped, the rest goes on. */
  mail(cached: CachedMachine, mail: Mail): void {
    if (this.#stopped) return;
    const { membership, log, ownStepsPerSecond } = this.#scope;
    const spins = cached.exceedsStepRate(membership.now(), ownStepsPerSecond);
    if (!spins) this.#deliver(cached, mail);
    else if (spins === 'first') {
      log.error({ machine: cached.id, mail: mail.what }, 'chart spins');
      const event = mail.what === 'timer' ? mail.id : mail.what;
      const message = 'too many steps of its own within a second';
      this.#deliver(cached, { what: 'broken', event, message, mails: [] });
    }
  }

  /** An effect was accepted with nothing to tell: that waits for the machine's next step. */
  settle(cached: CachedMachine, effect: string): void {
    if (this.#stopped) return;
    const current = this.#scope.dispatcher.known(cached.id);
    if (!current) {
      this.#deliver(cached, { what: 'accepted', effect, facts: [] });
      return;
    }
    if (!current.settled.some(({ id }) => id === effect))
      current.settled = [...current.settled, { id: effect, at: this.#scope.membership.now() }];
    this.#scope.acks.add(current, current.committed!.snapshot.status !== 'active');
  }

  /** The moment for an effect to follow its commit has passed: it begins under a new one. */
  async renew(cached: CachedMachine, { id: effect, tries }: PendingEffectEntry): Promise<void> {
    const { membership } = this.#scope;
    if (!membership.fresh) await membership.nextBeat();
    this.#deliver(cached, { what: 'begin', effect, tries });
  }

  #deliver({ account, id }: CachedMachine, mail: Mail): void {
    if (!this.#stopped) this.#scope.dispatcher.deliver(account, id, mail);
  }
}
