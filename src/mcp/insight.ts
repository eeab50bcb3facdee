/** What the administration knows of calls and campaigns, as far as their own account may hear of it. */
import type { AccountRow } from '../store/control.ts';

export interface Insight {
  /** A call of the account; undefined: it has none such. */
  call(account: AccountRow, id: number): Promise<CallInsight | undefined>;
  /** Plays a campaign ahead, or says why not. */
  forecast(account: AccountRow, wish: ForecastWish, signal: AbortSignal): Promise<CampaignInsight>;
}

/** All moments are epoch milliseconds. */
export interface CallInsight {
  destination: string;
  requestedAt: number;
  /** Empty until it has ended. */
  status: string;
  attempts: number;
  /** Outer state of its machine; empty: only its record is left. */
  state: string;
  ended: boolean;
  /** How it ended; undefined: it has not. */
  outcome: string | undefined;
  /** Rules that refused, put off or retried something, oldest first. `open`: still holds. */
  reasons: { rule: string; detail: string; at: number; until?: number; open: boolean }[];
  /** Something went wrong that an operator must mend. */
  stuck: boolean;
}

export interface ForecastWish {
  campaign: number;
  callsPerMinute?: number | undefined;
  maxTransfers?: number | undefined;
  /** 0 to 1. */
  answerRate?: number | undefined;
}

export type CampaignInsight =
  | { outcome: 'refused'; code: number; why: string }
  | { outcome: 'forecast'; forecast: CampaignForecast };

export interface CampaignForecast {
  /** Whether it dials now, or would have to be switched on. */
  active: boolean;
  ends: 'completed' | 'limitReached' | 'expired' | 'truncated';
  endsAt: number;
  /** Why it does not end with its list dialled through. */
  reason: string;
  destinations: number;
  unreached: number;
  calls: number;
  attempts: number;
  answered: number;
  transferred: number;
  minutes: number;
  /** As the interface writes amounts. */
  cost: string;
  answerRate: number;
  /** `default`: too few calls are known, so that it is a guess. */
  ratesFrom: 'campaign' | 'campaigns' | 'calls' | 'default' | 'given';
}
