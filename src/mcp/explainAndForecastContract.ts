/** What the administration knows of calls and campaigns, as far as their own account may hear of it. */
import { wordChoiceSchema } from '../operations/parameterValueSchemas.ts';
import type { AccountRow } from '../store/controlDatabase.ts';
import type { MessageRow } from '../store/reads/sms/messageLog.ts';

/** Languages that calls and messages are explained in; the first one where none is asked for. */
export const explanationLanguages = ['en', 'pt'] as const;
export type ExplanationLanguage = (typeof explanationLanguages)[number];

/** The parameter of tools that explain. */
export const explanationLanguageParam = {
  rest: 'lang',
  tool: 'lang',
  schema: wordChoiceSchema(explanationLanguages).default('en'),
  description: 'Language of the sentences.',
} as const;

export interface ExplainAndForecastService {
  /** A call of the account; undefined: it has none such. */
  call(account: AccountRow, id: number, language: ExplanationLanguage): Promise<CallInsight | undefined>;
  /** A message of the account, by its row in the log. */
  message(account: AccountRow, row: MessageRow, language: ExplanationLanguage): MessageInsight;
  /** Plays a campaign ahead, or says why not. */
  forecast(account: AccountRow, wish: ForecastRequest, signal: AbortSignal): Promise<CampaignForecastResult>;
}

export interface CallInsight {
  destination: string;
  /** Empty until it has ended. */
  status: string;
  attempts: number;
  ended: boolean;
  /** What happened, as `explain` of the admin API tells it. */
  sentences: string[];
  /** What to do, or what to wait for. */
  next: string;
}

export type MessageInsight = Pick<CallInsight, 'sentences' | 'next'>;

export interface ForecastRequest {
  campaign: number;
  callsPerMinute?: number | undefined;
  maxTransfers?: number | undefined;
  /** 0 to 1. */
  answerRate?: number | undefined;
}

export type CampaignForecastResult =
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
  /** Destinations that are never dialled since a balance does not cover them, and when that begins, epoch milliseconds. */
  unfunded: number;
  runsOutAt: number | null;
  /** Destinations that are not dialled for other reasons, and those that have to wait; capacity apart. */
  leftOut: { waits: boolean; reason: string; destinations: number }[];
  answerRate: number;
  /** `default`: too few calls are known, so that it is a guess. */
  ratesFrom: 'campaign' | 'campaigns' | 'calls' | 'default' | 'given';
}
