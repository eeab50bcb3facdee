/**
 * What must hold of each single step of a campaign, judged as its history is played again: it grants in its hours
 * only, not while it is paused, and no faster than its pace; it claims no more than it asked for.
 */
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import { hasSpokenText } from '../../../machines/campaign/callFromDestination.ts';
import type { DestinationToCall } from '../../../machines/contracts/campaign.ts';
import type { StepResult } from '../../../src/engine/step/compileChart.ts';
import type { Book } from '../book.ts';
import { areShut, windowAt } from './hours.ts';
import type { SimulatedCampaign } from './program.ts';
import type { HistoryRow } from '../../../src/engine/contract/rows.ts';

const MINUTE_MS = 60_000;
/** Nodes know the database's time to within this. */
const SLACK_MS = 500;

/** Attempts let go in one step. */
interface Decision {
  at: number;
  attempts: number;
}

/** A stretch of time in which the pace was not changed. */
interface Stretch {
  callsPerMinute: number | null;
  decisions: Decision[];
}

export class Steps {
  readonly #book: Book;
  readonly #campaign: SimulatedCampaign;
  /** The latest moment of a step so far. */
  #latest = 0;
  readonly #stretches: Stretch[] = [];
  readonly #regions = new Map<number, string>();

  constructor(book: Book, campaign: SimulatedCampaign) {
    this.#book = book;
    this.#campaign = campaign;
  }

  /** One step; `before`: the context it was made from, absent at birth. */
  step(entry: HistoryRow, before: CampaignContext | undefined, { snapshot, requests }: StepResult): void {
    const after = snapshot.context as CampaignContext;
    this.#latest = Math.max(this.#latest, entry.at);
    const { callsPerMinute } = after.plan.pace;
    const last = this.#stretches.at(-1);
    if (!last || last.callsPerMinute !== callsPerMinute || changesPace(entry))
      this.#stretches.push({ callsPerMinute, decisions: [] });
    let attempts = 0;
    let births = 0;
    for (const request of requests) {
      if (request.do === 'startMachine') births += 1;
      if (request.do === 'startMachine') this.#born(entry, after, request);
      if (request.do === 'tell' && request.event.type === 'attemptGranted') {
        attempts += 1;
        this.#judgeHours(entry, this.#regions.get(request.machine) ?? '');
      }
      if (
        request.do === 'effect' &&
        request.name === 'fetchDestinations' &&
        !hasSpokenText(after.definition.call)
      )
        attempts += request.params['limit'] as number;
    }
    const isDialling = requests.some(({ do: what }) => what === 'startMachine') || attempts > 0;
    if (isDialling && areShut(after.plan.hours))
      this.#violated('granted outside its hours', `shut at ${entry.event}, revision ${entry.revision}`);
    if (isDialling && after.phase === 'paused')
      this.#violated('granted in a pause', `${entry.event} at revision ${entry.revision}`);
    if (attempts > 0) this.#stretches.at(-1)!.decisions.push({ at: entry.at, attempts });
    const asked = before?.flow.fetching ?? 0;
    if (births > asked)
      this.#violated('more than it asked for', `${births}, not ${asked}, at revision ${entry.revision}`);
    if (before && after.counts.started < before.counts.started)
      this.#violated('counted wrong', `fewer started at revision ${entry.revision}`);
  }

  /** All steps were told. */
  end(): void {
    for (const stretch of this.#stretches) this.#judgePace(stretch);
  }

  #born(
    entry: HistoryRow,
    { definition }: CampaignContext,
    { id, input }: { id: number; input: object },
  ): void {
    const { region } = (input as { campaign: Pick<DestinationToCall, 'region'> }).campaign;
    this.#regions.set(id, region);
    if (!hasSpokenText(definition.call)) this.#judgeHours(entry, region);
  }

  /** Its hours may have begun by the clock of a node that held it before, and is ahead. */
  #judgeHours({ at, event, revision }: HistoryRow, region: string): void {
    const { hours } = this.#campaign;
    const open = [at - SLACK_MS, at, at + SLACK_MS, this.#latest].some(
      (moment) => windowAt(hours, region, moment).open,
    );
    if (!open) this.#violated('granted outside its hours', `${region} by ${event} at revision ${revision}`);
  }

  /** No minute holds more than the pace and one. */
  #judgePace({ callsPerMinute, decisions }: Stretch): void {
    if (callsPerMinute === null) return;
    let from = 0;
    let sum = 0;
    for (const { at, attempts } of decisions) {
      sum += attempts;
      while (decisions[from]!.at <= at - MINUTE_MS) sum -= decisions[from++]!.attempts;
      const allowed = callsPerMinute === 0 ? 0 : callsPerMinute + 1;
      if (sum > allowed)
        this.#violated(
          'faster than its pace',
          `${sum} in the minute before ${new Date(at).toISOString()}, not ${allowed}`,
        );
    }
  }

  #violated(rule: string, detail: string): void {
    this.#book.violated(rule, this.#campaign.id, detail);
  }
}

/** ChangeCampaign begins a new pace at once, even when it names the same one. */
const changesPace = ({ event, payload }: HistoryRow): boolean =>
  event === 'changed' && (payload ?? '').includes('callsPerMinute');
