/**
 * Calls of a campaign are much alike: where one stood before and heard the same, the chart need not be asked again.
 *
 * The chart is stepped once for every standing and fact, in a time that stands still, and what came of it is memoized.
 * That is exact because of how a call's chart reads time:
 * - a delay counts from the moment it is armed. Where a fact names that moment (`until`), it is put in anew each time;
 * - a guard compares it with the dates of the call, and campaign calls have none, or with the age of its audio, which
 *   every call brings along;
 * - everything else is kept for people to read, and so are explanations and earlier attempts: they are forgotten.
 * Tests hold it equal to `plainScript`.
 */
import type { CallContext } from '../../machines/call/context.ts';
import { AUDIO_KEEPS_MS } from '../../machines/call/guards.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { MachineEvent } from '../engine/contract/effect.ts';
import type { CompiledChart, MachineSnapshot, StepResult } from '../engine/step/compileChart.ts';
import {
  type SimulatedEventTime,
  type SimulatedCallTransition,
  type SimulatedCallStepper,
  type ForecastCallState,
  simulatedCallStateOf,
} from './callStepper.ts';

/** The moment at which time stands still. */
const STILL = Date.UTC(2024, 0, 1);
/** Stands for the moment that a fact names: no delay of the chart is that long. */
const NAMED_MS = 10 * 366 * 86_400_000;
/** A campaign's calls come to some hundreds. */
const KEPT = 20_000;

interface StepCache {
  chart: CompiledChart;
  kept: number;
  begun: Map<string, SimulatedCallTransition>;
  states: Map<string, ForecastCallState>;
}

/** `kept`: states that are memoized; those beyond are stepped each time they come up. */
export const memoizedStepper = (chart: CompiledChart, kept = KEPT): SimulatedCallStepper => {
  const cache: StepCache = { chart, kept, begun: new Map(), states: new Map() };
  return {
    begin: (input) => {
      const alike = likenessOf(input);
      const key = JSON.stringify(alike);
      return memoized(cache, cache.begun, key, () =>
        transitionTo(cache, chart.begin({ ...alike, at: STILL, id: 1 }), STILL),
      );
    },
  };
};

/** What a call has in common with those of other records. */
const likenessOf = (input: CallInput): CallInput => ({
  ...input,
  requestedAt: STILL,
  ...(input.campaign && { campaign: { ...input.campaign, row: 0, region: '' } }),
});

const memoized = (
  cache: StepCache,
  transitions: Map<string, SimulatedCallTransition>,
  key: string,
  find: () => SimulatedCallTransition,
): SimulatedCallTransition => {
  const known = transitions.get(key);
  if (known) return known;
  const found = find();
  if (cache.states.size < cache.kept) transitions.set(key, found);
  return found;
};

const transitionTo = (
  cache: StepCache,
  { snapshot, requests }: StepResult,
  now: number,
): SimulatedCallTransition => {
  const lean = forgetful(cache.chart, snapshot);
  const key = `${now} ${JSON.stringify(cache.chart.serialize(lean))}`;
  const to = cache.states.get(key) ?? new MemoizedState(cache, lean, now);
  if (cache.states.size < cache.kept) cache.states.set(key, to);
  return { to, requests };
};

/** Without what is only there to be read by people. */
const forgetful = (chart: CompiledChart, snapshot: MachineSnapshot): MachineSnapshot => {
  const { c, ...frozen } = chart.serialize(snapshot);
  return chart.thaw({ ...frozen, c: { ...(c as CallContext), explanations: [], attempts: [] } });
};

class MemoizedState implements ForecastCallState {
  readonly snapshot: MachineSnapshot;
  readonly context: CallContext;
  readonly question: string;
  readonly #cache: StepCache;
  /** Where time stands still here: later than elsewhere when audio has grown old on the way. */
  readonly #now: number;
  readonly #transitions = new Map<string, SimulatedCallTransition>();

  constructor(cache: StepCache, snapshot: MachineSnapshot, now: number) {
    ({
      snapshot: this.snapshot,
      context: this.context,
      question: this.question,
    } = simulatedCallStateOf(snapshot));
    this.#cache = cache;
    this.#now = now;
  }

  hear(fact: MachineEvent, moment: SimulatedEventTime): SimulatedCallTransition {
    const now = this.#now + this.#growsOld(moment);
    const key = keyOf(fact, now);
    const transition = memoized(this.#cache, this.#transitions, key, () => this.#step(fact, now));
    return 'until' in fact ? until(transition, Number(fact['until']) - moment.at) : transition;
  }

  /** Audio that was made too long ago is made again before a dial. */
  #growsOld({ at, audioAt }: SimulatedEventTime): number {
    if (audioAt === 0 || at - audioAt <= AUDIO_KEEPS_MS) return 0;
    return this.#now - this.context.audio.at > AUDIO_KEEPS_MS ? 0 : AUDIO_KEEPS_MS + 1;
  }

  #step(fact: MachineEvent, at: number): SimulatedCallTransition {
    const timeless = {
      ...fact,
      at,
      ...('until' in fact && { until: at + NAMED_MS }),
      ...('detail' in fact && { detail: '' }),
    };
    return transitionTo(this.#cache, this.#cache.chart.step(this.snapshot, timeless), at);
  }
}

/** A fact by all that may make a difference. */
const keyOf = (fact: MachineEvent, now: number): string => {
  let key = now === STILL ? fact.type : `${fact.type} ${now}`;
  for (const name in fact) {
    if (name === 'type' || name === 'until' || name === 'detail') continue;
    const value = fact[name];
    const isPlain = typeof value === 'string' || typeof value === 'number';
    key += ` ${name}=${isPlain ? value : JSON.stringify(value)}`;
  }
  return key;
};

/** The transition with the wait for the named moment, which is so many milliseconds away. */
const until = ({ to, requests }: SimulatedCallTransition, ms: number): SimulatedCallTransition => ({
  to,
  requests: requests.map((request) =>
    request.do === 'arm' && request.delayMs === NAMED_MS
      ? { ...request, delayMs: Math.max(0, Math.round(ms)) }
      : request,
  ),
});
