/** The calls of a forecast: where each that lives stands in its chart, its timers, and its own moments. */
import type { CallContext } from '../../machines/call/context.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { CallToCampaignEvent } from '../../machines/contracts/campaign.ts';
import type { MachineEvent } from '../engine/contract/effect.ts';
import type { ChartToEngineRequest } from '../engine/step/compileChart.ts';
import type { VirtualTimer, VirtualClock } from './clock.ts';
import type { ForecastCallee } from './simulatedCallees.ts';
import type { SimulatedCallTransition, SimulatedCallStepper, ForecastCallState } from './callStepper.ts';

/** A call that has not ended. */
export interface OngoingForecastCall {
  readonly id: number;
  /** Region of its record. */
  readonly region: string;
  standing: ForecastCallState;
  /** Those that are armed, by their alarms' names. */
  timers: readonly VirtualTimer[];
  /** Legs that have not ended. */
  legs: readonly number[];
  /** The person's numbers, as `packPhoneNumber` writes them. */
  readonly numbers: readonly number[];
  /** Attempts that were made before the forecast began. */
  readonly tried: number;
  /** What it was told of why it may not dial. */
  heldBy: readonly string[];
  /** Who is at the other end of the current attempt. */
  person: ForecastCallee | undefined;
  /** Which question it waits for an answer to; empty: none. */
  question: string;
  /** When its audio was made, and when the current attempt was answered and ended, epoch milliseconds; 0: never. */
  audioAt: number;
  answeredAt: number;
  endedAt: number;
}

export interface SimulatedForecastCallsDeps {
  clock: VirtualClock;
  script: SimulatedCallStepper;
  /** An effect is asked for. */
  perform(call: OngoingForecastCall, effect: string, params: Record<string, unknown>): void;
  /** A word to the campaign. */
  tell(report: CallToCampaignEvent): void;
  /** The call begins to wait for digits. */
  listens(call: OngoingForecastCall): void;
  ended(call: OngoingForecastCall): void;
}

/** What a call knows. Its moments are not to be trusted: those of this very call stand in `OngoingForecastCall`. */
export const contextOfSimulatedCall = (call: OngoingForecastCall): CallContext => call.standing.context;

/** Most calls wait, with one timer and no leg, and there may be very many. */
const NONE: readonly never[] = [];

export class SimulatedForecastCalls {
  readonly #around: SimulatedForecastCallsDeps;
  readonly #living = new Map<number, OngoingForecastCall>();
  #steps = 0;

  constructor(around: SimulatedForecastCallsDeps) {
    this.#around = around;
  }

  /** Facts and timers that calls were given. */
  get steps(): number {
    return this.#steps;
  }

  /** `tried`: attempts that were made before, default 0. */
  begin(
    id: number,
    input: CallInput,
    { numbers, tried = 0 }: { numbers: readonly number[]; tried?: number },
  ): void {
    const move = this.#around.script.begin(input, id, this.#around.clock.now());
    const call: OngoingForecastCall = {
      id,
      region: input.campaign?.region ?? '',
      standing: move.to,
      timers: NONE,
      legs: NONE,
      numbers,
      tried,
      heldBy: NONE,
      person: undefined,
      question: '',
      audioAt: 0,
      answeredAt: 0,
      endedAt: 0,
    };
    this.#living.set(id, call);
    this.#settle(call, move);
  }

  /** A word of the campaign. */
  tell(id: number, event: MachineEvent): void {
    const call = this.#living.get(id);
    if (call) this.hear(call, event);
  }

  /** A fact; a call that has ended hears nothing. */
  hear(call: OngoingForecastCall, event: MachineEvent): void {
    if (!this.#living.has(call.id)) return;
    const moment = { at: this.#around.clock.now(), audioAt: call.audioAt };
    this.#settle(call, call.standing.hear(event, moment));
  }

  /** A fact that arrives after so many milliseconds. */
  hearLater(call: OngoingForecastCall, ms: number, event: MachineEvent): void {
    this.#around.clock.set(ms, () => this.hear(call, event));
  }

  #settle(call: OngoingForecastCall, { to, requests }: SimulatedCallTransition): void {
    this.#steps += 1;
    this.#note(call, to.context);
    call.standing = to;
    for (const request of requests) this.#fulfil(call, request);
    if (to.snapshot.status === 'active') this.#watch(call);
    else this.#remove(call);
  }

  /** What has just got its moment, or lost it, did so now. */
  #note(call: OngoingForecastCall, { audio, dial }: CallContext): void {
    const known = contextOfSimulatedCall(call);
    const now = this.#around.clock.now();
    if (audio.at !== known.audio.at) call.audioAt = audio.at && now;
    if (dial.answeredAt !== known.dial.answeredAt) call.answeredAt = dial.answeredAt && now;
    if (dial.endedAt !== known.dial.endedAt) call.endedAt = dial.endedAt && now;
  }

  #watch(call: OngoingForecastCall): void {
    const { question } = call.standing;
    if (question !== '' && question !== call.question) this.#around.listens(call);
    call.question = question;
  }

  #remove(call: OngoingForecastCall): void {
    for (const timer of call.timers) this.#around.clock.callOff(timer);
    this.#living.delete(call.id);
    this.#around.ended(call);
  }

  #fulfil(call: OngoingForecastCall, request: ChartToEngineRequest): void {
    switch (request.do) {
      case 'arm':
        this.#disarm(call, request.timer);
        this.#arm(call, request);
        return;
      case 'disarm':
        return this.#disarm(call, request.timer);
      case 'tell':
        return this.#around.tell(this.#reported(call, request.event as CallToCampaignEvent));
      case 'effect':
        return this.#around.perform(call, request.name, request.params);
      default:
      // Milestones have no listeners, and a list has every number once: claims are granted.
    }
  }

  #arm(call: OngoingForecastCall, { timer, event, delayMs }: ChartToEngineRequest & { do: 'arm' }): void {
    const ring = (): void => {
      call.timers = listWithoutItem(call.timers, alarm);
      this.hear(call, { type: event });
    };
    const alarm = this.#around.clock.set(delayMs, ring, timer);
    // Unlike a spread, this leaves no room for more.
    call.timers = call.timers.concat(alarm);
  }

  #disarm(call: OngoingForecastCall, timer: string): void {
    const alarm = call.timers.find(({ name }) => name === timer);
    if (!alarm) return;
    this.#around.clock.callOff(alarm);
    call.timers = listWithoutItem(call.timers, alarm);
  }

  /** What is told is said by this call, which counts the attempts that were made before as well. */
  #reported({ id, region, tried }: OngoingForecastCall, report: CallToCampaignEvent): CallToCampaignEvent {
    switch (report.type) {
      case 'attemptWanted':
        return { ...report, call: id, region };
      case 'attemptBegun':
        return { ...report, call: id, attempt: report.attempt + tried };
      default:
        return { ...report, call: id };
    }
  }
}

/** The list without one of its items. */
export const listWithoutItem = <Item>(items: readonly Item[], item: Item): readonly Item[] =>
  items.length === 1 && items[0] === item ? NONE : items.filter((other) => other !== item);
