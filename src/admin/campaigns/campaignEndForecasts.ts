/** When running campaigns will end: played ahead one at a time, in the background, while a page shows them. */
import type { ForecastEndReason, ForecastResult } from '../../forecast/scenarioAndResultTypes.ts';
import { lruOf } from '../../lib/lru.ts';

export interface CampaignAtPace {
  shard: string;
  account_id: number;
  id: number;
  state: string;
  /** Null: as many as the carrier bears. */
  calls_per_minute: number | null;
}

/** Moments are epoch milliseconds. */
export interface ForecastCampaignEnd {
  ends: ForecastEndReason;
  ends_at: number;
  /** Destinations that are not dialled by then. */
  unreached: number;
  /** When this was played. */
  as_of: number;
}

export interface CampaignEndForecastSources {
  /** Plays a campaign ahead. Rejects for one that cannot be played, and while as many as may are played already. */
  play(campaign: CampaignAtPace): Promise<Pick<ForecastResult, 'ends' | 'endsAt' | 'unreached'>>;
  /** Epoch milliseconds of a shard. */
  now(shard: string): number;
  /** Milliseconds of any monotonic clock. */
  clock(): number;
}

interface Turn {
  /** When its last turn was over, monotonic. */
  at: number;
  /** Null: it could not be played. */
  end: ForecastCampaignEnd | null;
}

/** What these forecasts may take of a processor. */
const processorShare = 1 / 50;
/** A turn that took long on a busy machine is followed by no longer a rest than this, milliseconds. */
const longestRestMs = 60_000;
/** What is known of a campaign is played anew after so long, milliseconds. */
const freshMs = 5 * 60_000;
const remembered = 1_000;

export class CampaignEndForecasts {
  readonly #sources: CampaignEndForecastSources;
  readonly #turns = lruOf<string, Turn>(remembered);
  #isPlaying = false;
  /** No turn begins before, monotonic. */
  #restsUntil = -Infinity;

  constructor(sources: CampaignEndForecastSources) {
    this.#sources = sources;
  }

  /**
   * What is known of each, at the pace that it has now; null: nothing, or it does not dial. Begins the next turn: of one that
   * had none yet, or else of the one whose turn is longest ago.
   */
  of<Campaign extends CampaignAtPace>(
    campaigns: readonly Campaign[],
  ): (Campaign & { forecast: ForecastCampaignEnd | null })[] {
    const running = campaigns.filter(({ state }) => state === 'active');
    this.#takeTurn(running);
    return campaigns.map((campaign) => ({
      ...campaign,
      forecast: (campaign.state === 'active' && this.#turns.get(keyOf(campaign))?.end) || null,
    }));
  }

  #takeTurn(running: readonly CampaignAtPace[]): void {
    if (this.#isPlaying || this.#sources.clock() < this.#restsUntil) return;
    const next = this.#longestAgo(running);
    if (next) void this.#play(next);
  }

  #longestAgo(running: readonly CampaignAtPace[]): CampaignAtPace | undefined {
    let [next, at] = [undefined as CampaignAtPace | undefined, this.#sources.clock() - freshMs];
    for (const campaign of running) {
      const turn = this.#turns.peek(keyOf(campaign))?.at ?? -Infinity;
      if (turn < at) [next, at] = [campaign, turn];
    }
    return next;
  }

  async #play(campaign: CampaignAtPace): Promise<void> {
    const { play, clock, now } = this.#sources;
    this.#isPlaying = true;
    const began = clock();
    const end = await play(campaign).then(
      ({ ends, endsAt, unreached }) => ({ ends, ends_at: endsAt, unreached, as_of: now(campaign.shard) }),
      // It is over meanwhile, is too large, or as many as may are played already: its next turn may tell.
      () => null,
    );
    const at = clock();
    this.#turns.set(keyOf(campaign), { at, end });
    this.#restsUntil = at + Math.min(longestRestMs, (at - began) / processorShare);
    this.#isPlaying = false;
  }
}

const keyOf = ({ shard, account_id: account, id, calls_per_minute: pace }: CampaignAtPace): string =>
  `${shard} ${account} ${id} ${pace}`;
