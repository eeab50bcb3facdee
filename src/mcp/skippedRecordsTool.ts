/** Records of a campaign's list that are not called, and why: refused when the list was read, or left out since. */
import * as z from 'zod';
import { int } from '../operations/parameterValueSchemas.ts';
import type { Services } from '../operations/services.ts';
import {
  countSkippedDestinations,
  type SkippedDestinationRow,
  readSkippedDestinations,
} from '../store/reads/campaigns/skippedAndDialledRecords.ts';
import { findCampaigns } from '../store/reads/campaigns/campaigns.ts';
import { readListRejects } from '../store/reads/lists/lists.ts';
import { toolSuccess, customTool } from './defineCustomTool.ts';
import { toolFailure, type Tool } from './tool.ts';
import { defineParams } from '../operations/param.ts';

const pageSize = 100;
const largestId = 2 ** 31 - 1;

const answer = z.object({
  skipped_by_reason: z.record(z.string(), z.int()).describe('How many were left out, by reason.'),
  records: z
    .array(
      z.object({
        row: z.int().describe('In the list, from 1.'),
        numbers: z.string(),
        name: z.string(),
        reason: z.string(),
        why: z.string(),
      }),
    )
    .describe('Left out by the campaign.'),
  rejected: z
    .array(z.object({ row: z.int(), content: z.string(), why: z.string() }))
    .describe('Refused when the list was read.'),
  next_row: z.int().describe('after_row of the next page; 0: none.'),
});

const skipParams = defineParams({
  campaign: { rest: 'cp_id', tool: 'cp_id', schema: int(1, largestId).optional(), description: 'The campaign.' },
  after: { rest: 'after_row', tool: 'after_row', schema: int(0, largestId).default(0), description: 'next_row of the page before.' },
}); // prettier-ignore

export const skippedRecordsTool = ({ database }: Pick<Services, 'database'>): Tool =>
  customTool({
    name: 'get_skipped_records',
    title: 'See who is not called, and why',
    description:
      'Records of a campaign’s list that it does not call, with the reason of each. Changes nothing. 404: no such campaign.',
    permission: 'telephony',
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    params: skipParams,
    requires: ['campaign'],
    answer,
    example: { cp_id: 41 },
    async handle({ campaign: id = 0, after }, { caller: { account } }) {
      const pool = database(account.shard);
      const [campaign] = await findCampaigns(pool, { account: account.id, id, limit: 1 });
      if (!campaign)
        return toolFailure(
          404,
          `cp_id ${id} is not a campaign of this account: get_campaigns_list lists those`,
        );
      const page = { account: account.id, list: campaign.list_id, after, limit: pageSize + 1 };
      const [byReason, left, refused] = await Promise.all([
        countSkippedDestinations(pool, account.id, id),
        readSkippedDestinations(pool, { ...page, campaign: id }),
        readListRejects(pool, page),
      ]);
      const last = lastRowOf(left, refused);
      return toolSuccess({
        skipped_by_reason: byReason,
        records: left.filter(({ row }) => row <= last).map(shown),
        rejected: refused
          .filter(({ row }) => row <= last)
          .map(({ reason, ...row }) => ({ ...row, why: reason })),
        next_row: last === largestId ? 0 : last,
      });
    },
  });

/** Both lists are read to the same row: the last of the page that ends first. */
const lastRowOf = (...pages: readonly (readonly { row: number }[])[]): number =>
  Math.min(...pages.map((page) => (page.length > pageSize ? page[pageSize - 1]!.row : largestId)));

const shown = (record: SkippedDestinationRow) => ({
  ...record,
  why: reasons[record.reason] ?? `It was left out: ${record.reason}.`,
});

/** What generation says of a record (`src/store/sql/generateDestinations.ts`). */
const reasons: Readonly<Record<string, string>> = {
  duplicate: 'Another record of the list has the same number.',
  blocklist: 'The number is on a block list and must not be called.',
  mobile: 'It is a mobile number, and the campaign leaves those out (mobile).',
  filter: 'The campaign’s filter leaves it out.',
  name: 'As many records of this name as limit_name allows are called already.',
};
