/** How a campaign stands, as the admin API tells it. */
import { refused } from '../failure.ts';
import type { Client } from '../http.ts';
import { type Explanation, machinePath } from '../machine.ts';

export interface Standing {
  cp_id: number;
  cdcs_id: number;
  name: string;
  /** loading, active, paused, completed, limitReached, expired, failed. */
  state: string;
  /** The same, and while it is active: waitingWindow, dialing, throttled, draining. */
  phase: string;
  /** Why it failed. */
  reason: string;
  calls_per_minute: number | null;
  destinations: number;
  /** Records left out. */
  skipped: number;
  /** Destinations dialled at least once. */
  made: number;
  answered: number;
  transferred: number;
  /** Calls that ended. */
  ended: number;
  created_at: number;
  finished_at: number | null;
  /** Records left out, by reason. */
  skipped_by_reason: Record<string, number>;
}

const overStates = ['completed', 'limitReached', 'expired', 'failed'];

/** Whether it has come to its end; one that failed may be told to try again. */
export const isOver = ({ state }: Standing): boolean => overStates.includes(state);

export interface Place {
  account: number;
  campaign: number;
  /** Its machine; undefined: it has been over for so long that it rests. */
  machine: string | undefined;
}

/** Where a campaign is found. `account`: when it is known. Throws a `Failure` when nobody knows. */
export const placeOf = async (client: Client, campaign: number, account?: number): Promise<Place> => {
  const query = new URLSearchParams({
    kind: 'campaign',
    q: String(campaign),
    ...(account !== undefined && { account: String(account) }),
  });
  const { machines } = await client.admin<{ machines: { id: string; account: number }[] }>(
    'GET',
    `/machines?${query.toString()}`,
  );
  const found = machines[0];
  const owner = account ?? found?.account;
  if (owner !== undefined) return { account: owner, campaign, machine: found?.id };
  throw refused(
    `there is no campaign ${campaign}, or it has been over for long`,
    'npx ramal campaign ls shows those of your token; one that has been over for long is found with --account <id>.',
  );
};

export const standingOf = (client: Client, { account, campaign }: Place): Promise<Standing> =>
  client.admin<Standing>('GET', `/accounts/${account}/campaigns/${campaign}`);

export interface Hindrance {
  rule: string;
  detail: string;
  /** Epoch milliseconds. */
  until?: number;
}

/** What stands in its way now; records that were left out are no part of it. */
export const hindrancesOf = async (client: Client, { account, machine }: Place): Promise<Hindrance[]> => {
  if (machine === undefined) return [];
  const { reasons } = await client.admin<Explanation>('GET', machinePath(machine, '/explain', { account }));
  return reasons
    .filter(({ open, rule }) => open && !rule.startsWith('skipped:'))
    .map(({ rule, detail, until }) => ({ rule, detail, ...(until !== undefined && { until }) }));
};

/** When it will be over, epoch milliseconds, as the service plays it ahead; undefined: that cannot be said now. */
export const forecastOf = async (
  client: Client,
  { account, campaign }: Place,
): Promise<number | undefined> => {
  const path = `/accounts/${account}/campaigns/${campaign}/forecast`;
  // One that is nearly through has nothing left to forecast, and a busy service has no place for one.
  const forecast = await client
    .admin<{ stops_at: string; truncated: boolean }>('POST', path, {})
    .catch(() => undefined);
  return forecast && !forecast.truncated ? Date.parse(forecast.stops_at) : undefined;
};
