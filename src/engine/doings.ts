/** What a machine's own doings bring: timers that are due, effects that ended. It may have been forgotten meanwhile. */
import type { EffectEntry } from './agenda.ts';
import type { Mail } from './mail.ts';
import type { Membership } from './membership.ts';
import type { EngineLog } from './ports.ts';
import type { Post } from './post.ts';
import type { Resident } from './resident.ts';
import type { Settling } from './settling.ts';

export interface DoingsScope {
  post: Post;
  settling: Settling;
  membership: Membership;
  log: EngineLog;
  /** Steps a machine may take on its own account within a second; more is a chart that spins. */
  ownStepsPerSecond: number;
}

export class Doings {
  readonly #scope: DoingsScope;
  #stopped = false;

  constructor(scope: DoingsScope) {
    this.#scope = scope;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Mail that a machine causes itself. A chart that spins is stopped, the rest goes on. */
  mail(resident: Resident, mail: Mail): void {
    if (this.#stopped) return;
    const { membership, log, ownStepsPerSecond } = this.#scope;
    const spins = resident.spins(membership.now(), ownStepsPerSecond);
    if (!spins) this.#deliver(resident, mail);
    else if (spins === 'first') {
      log.error({ machine: resident.id, mail: mail.what }, 'chart spins');
      const event = mail.what === 'timer' ? mail.id : mail.what;
      const message = 'too many steps of its own within a second';
      this.#deliver(resident, { what: 'broken', event, message, mails: [] });
    }
  }

  /** An effect was accepted with nothing to tell: that waits for the machine's next step. */
  settle(resident: Resident, effect: string): void {
    if (this.#stopped) return;
    const current = this.#scope.post.known(resident.id);
    if (!current) {
      this.#deliver(resident, { what: 'accepted', effect, facts: [] });
      return;
    }
    if (!current.settled.includes(effect)) current.settled = [...current.settled, effect];
    this.#scope.settling.add(current, current.committed!.snapshot.status !== 'active');
  }

  /** The moment for an effect to follow its commit has passed: it begins under a new one. */
  async renew(resident: Resident, { id: effect, tries }: EffectEntry): Promise<void> {
    const { membership } = this.#scope;
    if (!membership.fresh) await membership.nextBeat();
    this.#deliver(resident, { what: 'begin', effect, tries });
  }

  #deliver({ account, id }: Resident, mail: Mail): void {
    if (!this.#stopped) this.#scope.post.bring(account, id, mail);
  }
}
