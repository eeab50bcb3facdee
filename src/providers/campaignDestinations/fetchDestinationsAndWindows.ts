/** Reads lists and clocks for campaigns. It decides nothing: what is dialled when is the chart's. */
import type {
  DiallerEffects,
  DiallerEvent,
  DestinationToCall,
} from '../../../machines/contracts/campaign.ts';
import {
  campaignEndInRegion,
  campaignWindowInRegion,
  type CampaignWindowRules,
} from '../../rules/campaigns/campaignWindowByRegion.ts';
import { fillPlaceholders } from '../../rules/voice/placeholders.ts';
import { parseCallingWindows } from '../../rules/voice/callingWindows.ts';
import type {
  CampaignDestinationRepository,
  CampaignDestinationPerformers,
  ListDestinationRow,
} from '../contracts/campaignDestinations.ts';
import {
  Retryable,
  NotRetryable,
  type EffectCall,
  type EffectResult,
} from '../../engine/contract/performer.ts';

export interface CampaignDestinationPerformersOptions {
  repository: CampaignDestinationRepository;
  /** Ids for the calls to be born. */
  mintId(shard: string): number;
  /** The engine's own time of a shard, epoch milliseconds: the chart compares with it. */
  now(shard: string): number;
}

/** Opens the dialler. Performers throw `Retryable` when the repository cannot be read. */
export const createCampaignDestinationPerformers = ({
  repository,
  mintId,
  now,
}: CampaignDestinationPerformersOptions): CampaignDestinationPerformers => {
  const idsFor = (shard: string, { callbacks }: DiallerEffects['fetchDestinations']): Ids => ({
    call: mintId(shard),
    ...(callbacks && { delivery: mintId(shard) }),
  });
  return {
    generateDestinations: async ({ machine, params, signal }) => {
      const generated = await reading(() => repository.generate(machine, params, signal));
      // Of every record that is left out the reason is kept, and no list is without records.
      if (generated.destinations === 0 && Object.keys(generated.skipped).length === 0)
        throw new Retryable(`list ${params.list} ${IS_GONE}`, { afterMs: AGAIN_MS });
      return answer({ type: 'destinationsGenerated', ...generated });
    },

    planWindows: async ({ machine, params }) => {
      const rules = await rulesOf(repository, machine, params);
      const at = now(machine.shard);
      const regions = params.regions.map(
        (region) => [region, campaignWindowInRegion(region, at, rules)] as const,
      );
      const over = Math.max(...params.regions.map((region) => campaignEndInRegion(region, rules)));
      const { question } = params;
      return answer({ type: 'windowsPlanned', question, regions: Object.fromEntries(regions), over });
    },

    fetchDestinations: async ({ machine, params }) => {
      const [account, rows] = await reading(() =>
        Promise.all([repository.account(machine), repository.destinations(machine, params)]),
      );
      // Only regions are named that have some.
      if (rows.length === 0)
        throw new Retryable(`what campaign ${machine.id} is to dial of list ${params.list} ${IS_GONE}`, {
          afterMs: AGAIN_MS,
        });
      // An account that is switched off gets no destinations; the campaign asks again.
      const found = (account?.active ? rows : []).map((row) =>
        foundDestination(row, idsFor(machine.shard, params), params.texts),
      );
      return answer({ type: 'destinationsFound', found });
    },

    findLostCalls: async ({ machine, params }) => {
      const calls = await reading(() => repository.lostCalls(machine, params.calls));
      return answer({ type: 'callsLost', calls });
    },

    findLiveCalls: async ({ machine, params }) => {
      const calls = await reading(() => repository.liveCalls(machine, params));
      return answer({ type: 'callsLive', calls, more: calls.length === params.limit });
    },
  };
};

/**
 * A database that went back: lists and destinations are in no journal, and are never taken away otherwise. Tried again,
 * because a database that is being restored may have them yet; after the last try it is on the attention list.
 */
const IS_GONE =
  'is not in the database, which went back to before it was made. Upload it again, and make a campaign of it for the numbers that were not called';
const AGAIN_MS = 2_000;

const answer = (event: DiallerEvent): EffectResult => ({ events: [event] });

const rulesOf = async (
  repository: CampaignDestinationRepository,
  machine: EffectCall['machine'],
  { hours }: DiallerEffects['planWindows'],
): Promise<CampaignWindowRules> => {
  const account = await reading(() => repository.account(machine));
  if (!account) throw new NotRetryable('account', `there is no account ${machine.account}`);
  return {
    hours,
    homeZone: account.zone,
    ...(account.keepsTable && { table: parseCallingWindows(account.table) }),
  };
};

type Ids = Pick<DestinationToCall, 'call' | 'delivery'>;

const foundDestination = (row: ListDestinationRow, ids: Ids, texts: readonly string[]): DestinationToCall => {
  const placeholders = placeholdersOf(row);
  return {
    region: row.region,
    seq: row.seq,
    row: row.row,
    ...ids,
    numbers: row.numbers.split(' '),
    placeholders,
    texts: texts.map((text) => fillPlaceholders(text, placeholders)),
  };
};

/** Only values that say something: they travel with every call. */
const placeholdersOf = (row: ListDestinationRow): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      nome: row.name,
      cod_cli: row.client_code,
      extra1: row.extra_1,
      extra2: row.extra_2,
      extra3: row.extra_3,
      extra4: row.extra_4,
    }).filter(([, value]) => value !== ''),
  );

const reading = async <Answer>(read: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof NotRetryable) throw cause;
    throw new Retryable('the lists of the account cannot be read', { cause });
  }
};
