/** The judgement of the campaigns: every destination once, every campaign at its end, every count as the calls say. */
import type { CallInput } from '../../../machines/call/input.ts';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { PersistedSnapshot } from '../../../src/engine/step/stepperTypes.ts';
import type { Book } from '../book.ts';
import type { Database } from '../database.ts';
import type { SimulatedCampaign } from './program.ts';

/** How campaigns end. */
export const ENDS: readonly string[] = ['completed', 'limitReached', 'expired'];

export interface CampaignTrial {
  book: Book;
  database: Database;
  campaigns: readonly SimulatedCampaign[];
  /** What the carrier was asked to dial. */
  dialled: readonly { machine: number; to: string }[];
}

/** A call of a campaign: what it was born with, and its record. */
interface Call {
  id: number;
  region: string;
  row: number;
  record: Record<string, unknown>;
}

export const judgeCampaigns = (trial: CampaignTrial): void => {
  const calls = callsByCampaign(trial.database);
  for (const campaign of trial.campaigns) {
    const row = trial.database.tables.machines.get(campaign.id);
    if (!row) continue;
    const { c } = JSON.parse(row.snapshot) as PersistedSnapshot;
    const own = calls.get(campaign.id) ?? [];
    const standing = { ...trial, campaign, context: c as CampaignContext, calls: own };
    judgeEnd(standing, row.agenda);
    judgeClaims(standing);
    judgeCounts(standing);
    judgeNumbers(standing);
    trial.book.count('destinations', campaign.destinations.length);
    trial.book.count('destinations called', own.length);
    trial.book.count(`fate ${campaign.sort} ${row.state}`);
  }
};

interface Standing extends CampaignTrial {
  campaign: SimulatedCampaign;
  context: CampaignContext;
  calls: readonly Call[];
}

const callsByCampaign = ({ born, tables }: Database): Map<number, Call[]> => {
  const calls = new Map<number, Call[]>();
  for (const [id, { kind }] of born) {
    if (kind !== 'call') continue;
    const { campaign } = JSON.parse(tables.history.get(id)?.[0]?.payload ?? '{}') as Partial<CallInput>;
    if (!campaign) continue;
    const record = tables.records.get('calls')?.get(id) ?? {};
    const call = { id, region: campaign.region, row: campaign.row, record };
    calls.set(campaign.id, [...(calls.get(campaign.id) ?? []), call]);
  }
  return calls;
};

/** It came to its end, waits for nobody, and owes nothing but to be forgotten one day. */
const judgeEnd = ({ book, campaign, context }: Standing, agenda: string): void => {
  const { granted, wanting, ahead, dialling, up, fetching } = context.flow;
  const waits = granted.length + wanting.length + ahead.length + fetching;
  if (!ENDS.includes(context.phase) || waits > 0 || agenda.includes('"effect"'))
    book.violated(
      'stuck',
      campaign.id,
      `${context.phase} with ${JSON.stringify(context.flow)}, owes ${agenda}`,
    );
  if (dialling !== 0 || up !== 0)
    book.violated('counted wrong', campaign.id, `${dialling} dial and ${up} are up for good`);
};

/** Nobody is called twice, and nobody is left out before one who comes later in the same region. */
const judgeClaims = ({ book, campaign, context, calls }: Standing): void => {
  const rows = new Set<number>();
  for (const { id, row } of calls) {
    if (rows.has(row)) book.violated('called twice', id, `row ${row} of campaign ${campaign.id}`);
    rows.add(row);
  }
  for (const { region, seq, row } of campaign.destinations) {
    const claimed = seq <= (context.regions[region]?.cursor ?? 0);
    if (claimed !== rows.has(row))
      book.violated(
        'left out',
        campaign.id,
        `row ${row} is ${claimed ? 'claimed and has no call' : 'called unclaimed'}`,
      );
    if (!claimed && context.phase === 'completed')
      book.violated('left out', campaign.id, `row ${row} was not called, and it is completed`);
  }
};

/** The counters are what the records of its calls say. */
const judgeCounts = ({ book, campaign, context, calls }: Standing): void => {
  const many = (says: (record: Record<string, unknown>) => boolean): number =>
    calls.filter(({ record }) => says(record)).length;
  const expected = {
    started: calls.length,
    made: many(({ attempt }) => Number(attempt) > 0),
    answered: many(({ answered_at }) => answered_at !== null),
    transferred: many(({ transferred_at }) => transferred_at !== null),
    ended: many(({ finished }) => finished === true),
  };
  for (const [name, count] of Object.entries(expected)) {
    const counted = context.counts[name as keyof typeof expected];
    if (counted !== count) book.violated('counted wrong', campaign.id, `${counted} ${name}, not ${count}`);
  }
  const { maxAnswered } = campaign.input;
  if (maxAnswered !== null && expected.answered > maxAnswered)
    book.violated('more than max_answered', campaign.id, `${expected.answered} answered, not ${maxAnswered}`);
};

/** A number of a destination is dialled by its own call only. */
const judgeNumbers = ({ book, campaign, calls, dialled }: Standing): void => {
  const rowOf = new Map(calls.map(({ id, row }) => [id, row]));
  const numbersOf = new Map(campaign.destinations.map(({ row, numbers }) => [row, numbers]));
  const listed = new Set(campaign.destinations.flatMap(({ numbers }) => numbers));
  for (const { machine, to } of dialled) {
    const row = rowOf.get(machine);
    if (row === undefined || !listed.has(to) || numbersOf.get(row)!.includes(to)) continue;
    book.violated('called twice', machine, `row ${row} dialled ${to}, which is another's`);
  }
};
