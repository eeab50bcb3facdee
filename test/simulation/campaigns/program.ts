/** The campaigns of a run: of every sort one, with lists, hours and calls as the seed says. */
import type { CallInput, PromptSource } from '../../../machines/call/input.ts';
import type { CallTemplate, CampaignInput } from '../../../machines/campaign/input.ts';
import { callInput } from '../callInputs.ts';
import type { Dice } from '../dice.ts';
import { ACCOUNTS, EPOCH } from '../plan.ts';
import { listedNumber } from './numbers.ts';

/** What holds a campaign back: each run has one of every sort. */
const SORTS = ['pace', 'transfers', 'answers', 'speech', 'windows', 'dates'] as const;
type Sort = (typeof SORTS)[number];

/** `''`: numbers without a region. */
const REGIONS = ['SP', 'AM', 'AC', ''];
const FEWEST = 8;

/** A record of a list that is dialled. */
export interface Destination {
  region: string;
  /** Within its region, from 1. */
  seq: number;
  row: number;
  numbers: string[];
}

/** When the regions of a campaign are open: for a share of every period, each region at moments of its own. */
export interface Hours {
  periodMs: number;
  openShare: number;
  offsets: Record<string, number>;
  /** Nothing opens any more after this moment, epoch milliseconds. */
  over: number;
}

export interface SimulatedCampaign {
  sort: Sort;
  account: number;
  id: number;
  input: CampaignInput;
  destinations: readonly Destination[];
  hours: Hours;
  /** When it is asked for, virtual milliseconds. */
  startsAt: number;
}

/** One campaign of every sort, two an account; together they have almost half as many destinations as there are calls. */
export const campaignsOf = (dice: Dice, calls: number): SimulatedCampaign[] =>
  SORTS.map((sort, index) => {
    const account = ACCOUNTS[index % ACCOUNTS.length]!;
    const own = dice.of(sort);
    const size = Math.max(FEWEST, Math.round((calls / 15) * own.between(0.6, 1.4)));
    const startsAt = Math.round(own.between(2_000, 20_000));
    return {
      sort,
      account,
      id: account * 1_000 + index,
      input: inputOf(own, sort, account, size),
      destinations: listOf(own, account, size),
      hours: hoursOf(own, sort, startsAt),
      startsAt,
    };
  });

const listOf = (dice: Dice, account: number, size: number): Destination[] => {
  const seqs = new Map<string, number>();
  const numbers = dice.pick([1, 1, 2, 3]);
  return Array.from({ length: size }, (_, index) => {
    const region = dice.pick(REGIONS);
    const seq = (seqs.get(region) ?? 0) + 1;
    seqs.set(region, seq);
    return {
      region,
      seq,
      row: index + 1,
      numbers: Array.from({ length: numbers }, (_, alternative) => listedNumber(account, index, alternative)),
    };
  });
};

const hoursOf = (dice: Dice, sort: Sort, startsAt: number): Hours => {
  const closes = sort === 'windows' || dice.chance(0.3);
  return {
    periodMs: Math.round(dice.between(40_000, 150_000)),
    openShare: closes ? dice.between(0.3, 0.8) : 1,
    offsets: Object.fromEntries(REGIONS.map((region) => [region, dice.whole(0, 150_000)])),
    over: EPOCH + startsAt + (sort === 'dates' ? dice.whole(60_000, 240_000) : 30 * 86_400_000),
  };
};

const inputOf = (dice: Dice, sort: Sort, account: number, size: number): CampaignInput => ({
  name: sort,
  description: '',
  correlation: '',
  group: null,
  list: 1,
  active: true,
  hours: { dateStart: '2026-01-05', dateEnd: '2026-12-31', timeStart: '00:00:00', timeEnd: '23:59:59' },
  pace: {
    callsPerMinute: paceOf(dice, sort, size),
    maxTransfers: sort === 'transfers' ? Math.ceil(size / 25) + dice.whole(0, 2) : null,
  },
  maxAnswered: sort === 'answers' ? Math.ceil(size * dice.between(0.1, 0.5)) : null,
  selection: { mobile: true, skipBlocklist: false, recordsPerName: 0, severalNumbers: true },
  call: templateOf(dice, sort, account),
  resultsProfile: null,
  audio: [],
});

/** Most last some minutes, so that they see the trouble. */
const paceOf = (dice: Dice, sort: Sort, size: number): number | null => {
  switch (sort) {
    case 'transfers':
    case 'answers':
      return null;
    case 'speech':
      // However long the list: three tries of three numbers each take less than a run may last.
      return dice.pick([null, Math.max(60, Math.ceil(size / 4)), 1_200]);
    case 'dates':
      return Math.ceil(size / 4);
    case 'pace':
    case 'windows':
      return Math.ceil(size / dice.between(1, 4));
  }
};

/** A call of any sort, without what is the record's own; dates are the campaign's. */
const templateOf = (dice: Dice, sort: Sort, account: number): CallTemplate => {
  const {
    destination: _destination,
    alternatives: _alternatives,
    campaign: _campaign,
    placeholders: _placeholders,
    requestedAt: _requestedAt,
    validation,
    callback,
    ...call
  } = callInput(dice, account, 0, `campaign ${sort}`);
  return {
    ...call,
    ...(callback && { callback: { url: callback.url, events: callback.events } }),
    prompts: sort === 'speech' || dice.chance(0.2) ? call.prompts : recorded(call.prompts),
    schedule: { tries: dice.whole(1, 3), intervalMs: dice.whole(5, 60) * 1_000 },
    ...(validation && {
      compare: { column: 'extra1', confirm: validation.confirm, digits: validation.digits },
    }),
  };
};

/** The prompts with files in the place of texts: nothing is made before the dial. */
const recorded = (prompts: CallInput['prompts']): CallInput['prompts'] =>
  JSON.parse(JSON.stringify(prompts), (_name, value: PromptSource | undefined) =>
    value && typeof value === 'object' && 'text' in value ? { media: '2s file' } : value,
  ) as CallInput['prompts'];
