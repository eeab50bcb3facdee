/**
 * What was missed is heard before timers judge (decision 0015). A machine that listens to the world and was taken up, or whose
 * process was away, hears for a while first: none of its timers ends a wait whose fact lies outside.
 */
import type {
  TimerOrPendingEffect,
  ArmedMachineTimer,
} from '../../src/engine/contract/timersAndPendingEffects.ts';
import type { Book } from './book.ts';
import type { Before } from './database.ts';
import type { Life } from './life.ts';
import { GRACE_MS, SHARD } from './plan.ts';
import type { World } from './world.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

const HEARING_MS = GRACE_MS / 2;
/** What a process notices of its absence is a little less than that was. */
const NOTICED = 0.5;
/** An absence that is shorter does not count, and a timer due so soon after it began was told before. */
const SHORT_MS = 1_500;

export interface HearingScope {
  world: World;
  book: Book;
  lifeOf(incarnation: number): Life | undefined;
  /** Whether a machine of this kind listens in this state. */
  isAdoptable(kind: string, before: Before): boolean;
}

export class Hearing {
  readonly #scope: HearingScope;
  /** When machines heard that they were taken up, by the shard's time, and at which revision. */
  readonly #takenUp = new Map<number, { at: number; revision: number }>();

  constructor(scope: HearingScope) {
    this.#scope = scope;
  }

  /** A step has landed. */
  landed(kind: string, { id, row, history }: MachineWrite, before: Before): void {
    for (const { event, at, revision } of history) {
      if (event === 'takenOver') this.#takenUp.set(id, { at, revision });
      const timer = timerOf(before.agenda, event);
      if (!timer) continue;
      this.#judgeTakenUp(id, timer, at);
      if (this.#scope.isAdoptable(kind, before)) this.#judgeAway(id, timer, row.heldBy);
    }
  }

  #judgeTakenUp(id: number, timer: ArmedMachineTimer, at: number): void {
    const taken = this.#takenUp.get(id);
    if (!taken || timer.rev >= taken.revision || at >= taken.at + HEARING_MS) return;
    this.#scope.book.violated('judged unheard', id, `${timer.id}, ${at - taken.at} ms after it was taken up`);
  }

  #judgeAway(id: number, timer: ArmedMachineTimer, heldBy: number): void {
    const { world, book, lifeOf } = this.#scope;
    const life = lifeOf(heldBy);
    if (!life) return;
    const { pausedFrom, pausedUntil } = life;
    const awayMs = pausedUntil - pausedFrom;
    // By the time of now: a step may have been formed before the absence, refused with others, and written after it.
    const dueAt = world.now - (life.engine!.now(SHARD) - timer.due);
    const hearsUntil = pausedUntil + NOTICED * Math.min(awayMs, HEARING_MS);
    if (
      awayMs < SHORT_MS ||
      dueAt < pausedFrom + SHORT_MS ||
      world.now < pausedUntil ||
      world.now >= hearsUntil
    )
      return;
    const since = Math.round(world.now - pausedUntil);
    book.violated('judged unheard', id, `${timer.id}, ${since} ms after ${life.name} was away`);
  }
}

const timerOf = (agenda: string, event: string): ArmedMachineTimer | undefined =>
  agenda.includes(event)
    ? (JSON.parse(agenda) as TimerOrPendingEffect[]).find(
        (entry): entry is ArmedMachineTimer => entry.t === 'timer' && (entry.event ?? entry.id) === event,
      )
    : undefined;
