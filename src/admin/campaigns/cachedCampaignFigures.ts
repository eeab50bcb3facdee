/** How campaigns stand, in figures: read once for all who look, as often as it may be for what it costs. */
import type { Pool } from 'pg';
import { lruOf } from '../../lib/lru.ts';
import { amountToTenThousandths, formatTenThousandths } from '../../rules/accounts/pricing.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import {
  countCampaignDialsByTimeBucket,
  countCampaignCallOutcomes,
  countCampaignCallStates,
  readCampaignFirstCallTime,
  type CallOutcomeTimeBucket,
} from '../../store/reads/campaigns/campaignFigures.ts';
import { staleWhileRevalidate } from '../console/staleWhileRevalidate.ts';

export interface CampaignFiguresReaderSources {
  pool(shard: string): Pool;
  /** Epoch milliseconds of a shard. */
  now(shard: string): number;
  /** Milliseconds of any monotonic clock. */
  clock(): number;
}

/** Which campaign. */
export interface CampaignRef {
  shard: string;
  account: number;
  id: number;
  /** What the account pays for a minute, ten-thousandths of the currency. */
  rate: bigint;
}

/** A campaign of this account, with its price of a minute. */
export const campaignRefWithRate = (
  { shard, id: account, call_rate }: AccountRow,
  id: number,
): CampaignRef => ({
  ...{ shard, account, id },
  rate: amountToTenThousandths(call_rate.toFixed(4)),
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Buckets of a series, most of them an hour's parts; the first with which a series has at most so many counts. */
const steps = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 6 * hourMs, dayMs, 7 * dayMs] as const;
const mostBuckets = 120;
/** Campaigns whose figures are remembered. */
const remembered = 200;
/** Between two reads at least, milliseconds. */
const every = { states: 250, series: 1_000 } as const;

export class CampaignFiguresReader {
  readonly #sources: CampaignFiguresReaderSources;
  readonly #known = lruOf<string, Parts>(remembered);

  constructor(sources: CampaignFiguresReaderSources) {
    this.#sources = sources;
  }

  /** Rejects where the database does not answer. */
  async read(ref: CampaignRef): Promise<CampaignFigures> {
    const parts = this.#partsOf(ref);
    const [states, series] = await Promise.all([parts.states(), parts.series()]);
    return { states, ...series };
  }

  #partsOf(ref: CampaignRef): Parts {
    const key = `${ref.shard} ${ref.account} ${ref.id} ${ref.rate}`;
    const known = this.#known.get(key);
    if (known) return known;
    const parts = partsOf(this.#sources, ref);
    this.#known.set(key, parts);
    return parts;
  }
}

export type CampaignFigures = Awaited<ReturnType<typeof readSeries>> & {
  states: { state: string; count: number }[];
};

type Parts = ReturnType<typeof partsOf>;

const partsOf = ({ pool, now, clock }: CampaignFiguresReaderSources, ref: CampaignRef) => ({
  states: staleWhileRevalidate({
    read: () => countCampaignCallStates(pool(ref.shard), ref.account, ref.id),
    everyMs: every.states,
    now: clock,
  }),
  series: staleWhileRevalidate({
    read: () => readSeries(pool(ref.shard), ref, now(ref.shard)),
    everyMs: every.series,
    now: clock,
  }),
});

/** Outcomes so far with what they cost, and both series in buckets from `from` on. */
const readSeries = async (pool: Pool, { account, id, rate }: CampaignRef, now: number) => {
  const first = await readCampaignFirstCallTime(pool, account, id);
  const stepMs = steps.find((step) => now - (first ?? now) < (mostBuckets - 1) * step) ?? steps.at(-1)!;
  const from = Math.floor((first ?? now) / stepMs) * stepMs;
  const filter = { account, campaign: id, from, stepMs };
  const [all, dialled] = await Promise.all([
    countCampaignCallOutcomes(pool, { ...filter, rate }),
    countCampaignDialsByTimeBucket(pool, filter),
  ]);
  const ended = all.map(({ bucket, outcome, count }) => ({ bucket, outcome, count }));
  const outcomes: Record<string, number> = {};
  for (const { outcome, count } of ended) outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
  return { outcomes, cost: costOf(all), from, step_ms: stepMs, ended, dialled };
};

const costOf = (all: readonly CallOutcomeTimeBucket[]) => {
  const sale = all.reduce((sum, one) => sum + BigInt(one.sale), 0n);
  const purchase = all.reduce((sum, one) => sum + BigInt(one.purchase), 0n);
  return {
    ...{
      sale: formatTenThousandths(sale),
      purchase: formatTenThousandths(purchase),
      margin: formatTenThousandths(sale - purchase),
    },
    unpriced: all.reduce((sum, one) => sum + one.unpriced, 0),
  };
};
