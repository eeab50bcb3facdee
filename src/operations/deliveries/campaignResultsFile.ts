/** Results of a campaign as a file: pages of records, written line by line. */
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import { BYTE_ORDER_MARK, type Delimiter } from '../../rules/deliveries/csvLine.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import { isTransientDatabaseError } from '../../store/transientError.ts';
import {
  findCampaignNameAndList,
  type CampaignResultRow,
  readCampaignResultsPage,
} from '../../store/reads/deliveries/deliveryProfilesAndCampaignCalls.ts';
import { campaignResultsCsvHeader, campaignResultsCsvLine } from '../../wire/campaignResultsCsv.ts';
import type { ControlDatabase } from '../../store/controlDatabase.ts';
import { type ControlAndShardPools, getShardPool } from '../../store/pools.ts';

/** Rows read at a time: what a delivery holds in memory. */
const pageSize = 1_000;

/** What a file of results is made of. */
export interface ResultsDeps {
  databases: ControlAndShardPools;
  control: Pick<ControlDatabase, 'account'>;
  /** Links to recordings. */
  mediaUrl(account: number, media: string): string;
}

/** The account that owns a campaign, and its shard. */
interface Tenant {
  shard: string;
  account: number;
}

/**
 * The file as text: a page is read when the one before has been written. Throws `NotRetryable` when there is no such
 * campaign, `Retryable` while the database is away.
 */
export const campaignResultsText = (
  deps: ResultsDeps,
  tenant: Tenant,
  campaign: number,
  delimiter: Delimiter,
): AsyncGenerator<string> => retryable(pages(deps, tenant, campaign, delimiter));

async function* pages(
  { databases, control, mediaUrl }: ResultsDeps,
  { shard, account }: Tenant,
  campaign: number,
  delimiter: Delimiter,
): AsyncGenerator<string> {
  const pool = getShardPool(databases, shard);
  const [owner, about] = await Promise.all([
    control.account(account),
    findCampaignNameAndList(pool, account, campaign),
  ]);
  if (!owner || !about) throw new NotRetryable('noCampaign', `the campaign ${campaign} does not exist`);
  const view = {
    shard,
    zone: owner.time_zone,
    ratePerMinute: amountToTenThousandths(owner.call_rate.toFixed(4)),
    numtype: '',
    origin: 'api',
    mediaUrl: (media: string) => mediaUrl(account, media),
  };
  yield BYTE_ORDER_MARK + campaignResultsCsvHeader(delimiter);
  let page: CampaignResultRow[];
  let afterId = 0;
  do {
    page = await readCampaignResultsPage(pool, {
      account,
      campaign,
      list: about.list_id,
      afterId,
      limit: pageSize,
    });
    if (page.length > 0) yield page.map((row) => campaignResultsCsvLine(row, view, delimiter)).join('');
    afterId = page.at(-1)?.id ?? afterId;
  } while (page.length === pageSize);
}

/** A database that is away passes; it is no mistake of ours. */
async function* retryable(content: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* content;
  } catch (cause) {
    throw isTransientDatabaseError(cause) ? new Retryable('the database is away', { cause }) : cause;
  }
}
