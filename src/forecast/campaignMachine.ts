/**
 * The campaign in a forecast: its chart's own decision on every fact, and its own timer.
 *
 * The chart is a shell around `decide` and `nextCampaignWakeup`: it gives every fact to the one, and waits as long as the other
 * says. A forecast asks the two directly, which is three times as fast; a test holds it equal to the chart.
 */
import { type CampaignContext, isCampaignOver } from '../../machines/campaign/context.ts';
import { decideCampaignStep } from '../../machines/campaign/decide.ts';
import type { CampaignEffectRequest, CampaignEvent } from '../../machines/campaign/events.ts';
import type { CampaignChanges } from '../../machines/campaign/input.ts';
import { nextCampaignWakeup } from '../../machines/campaign/nextWakeup.ts';
import type { VirtualTimer, VirtualClock } from './clock.ts';

/** The name of the chart's timer; to `decide` it says only that time has passed. */
const LOOK = 'xstate.after.look.campaign.active';

/** A fact without its moment. */
export type UntimedCampaignEvent = { type: string; [key: string]: unknown };

export class SimulatedForecastCampaign {
  #context: CampaignContext;
  #look: VirtualTimer | undefined;
  #steps = 0;
  readonly #clock: VirtualClock;
  readonly #ask: (asked: CampaignEffectRequest) => void;

  /** A campaign that stands still; `ask` hears what it asks for. */
  constructor(context: CampaignContext, clock: VirtualClock, ask: (asked: CampaignEffectRequest) => void) {
    this.#context = context;
    this.#clock = clock;
    this.#ask = ask;
  }

  get context(): CampaignContext {
    return this.#context;
  }

  /** Facts and timers that it was given. */
  get steps(): number {
    return this.#steps;
  }

  /** Switched on, with these changes. */
  switchOn(changes: CampaignChanges): void {
    this.hear({ type: 'changed', changes: { ...changes, active: true, model: false } });
  }

  hear(fact: UntimedCampaignEvent): void {
    this.#steps += 1;
    const at = this.#clock.now();
    const decided = decideCampaignStep({ context: this.#context, event: { ...fact, at } as CampaignEvent });
    this.#context = decided.context;
    if (this.#look) this.#clock.callOff(this.#look);
    this.#look = isCampaignOver(this.#context)
      ? undefined
      : this.#clock.set(nextCampaignWakeup(this.#context, at) - at, () => this.hear({ type: LOOK }));
    for (const asked of decided.asked) this.#ask(asked);
  }
}

/** The campaign put to rest where it stands: nothing is granted, no call waits, nothing is planned. */
export const resetCampaignContextForForecast = (
  context: CampaignContext,
  liveCalls: number,
): CampaignContext => ({
  ...context,
  plan: { ...context.plan, active: false },
  phase: 'paused',
  overAt: 0,
  counts: { ...context.counts, ended: context.counts.started - liveCalls },
  flow: { granted: [], revoked: [], wanting: [], ahead: [], dialling: 0, up: 0, fetching: 0, nextAt: 0 },
  calendar: { at: 0, asked: false, regions: {}, over: 0 },
  results: 'none',
});
