/**
 * The dialler desk of the simulation: lists and hours as the program has them. It fails at times, and now and then it
 * answers twice: once with the acceptance, once more later, as if it had been asked again.
 */
import type {
  DiallerEffects,
  DiallerEvent,
  DestinationToCall,
} from '../../../machines/contracts/campaign.ts';
import type { CampaignDestinationPerformers } from '../../../src/providers/contracts/campaignDestinations.ts';
import {
  Retryable,
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
} from '../../../src/engine/contract/performer.ts';
import type { Book } from '../book.ts';
import type { Database } from '../database.ts';
import type { Dice } from '../dice.ts';
import type { Life } from '../life.ts';
import { SHARD, trouble } from '../plan.ts';
import type { Wire } from '../wire.ts';
import type { World } from '../world.ts';
import { areShut, shutAt, windowAt } from './hours.ts';
import type { Destination, SimulatedCampaign } from './program.ts';

export interface DiallerDeskScope {
  world: World;
  book: Book;
  dice: Dice;
  wire: Wire;
  campaigns: readonly SimulatedCampaign[];
  database: Database;
  troubled: () => boolean;
}

type Asked = Omit<DiallerEffects, 'addressResults'>;

export class DiallerDesk {
  readonly #scope: DiallerDeskScope;

  constructor(scope: DiallerDeskScope) {
    this.#scope = scope;
  }

  /** The performers of one process. */
  performers(life: Life): CampaignDestinationPerformers {
    const asks =
      <Name extends keyof Asked>(
        name: Name,
        read: (campaign: SimulatedCampaign, params: Asked[Name], life: Life) => DiallerEvent,
      ): EffectPerformer<Asked[Name]> =>
      (call) =>
        this.#scope.wire.request(life, name, () =>
          this.#answer(life, call, () => read(this.#campaign(call.machine.id), call.params, life)),
        );
    return {
      generateDestinations: asks('generateDestinations', generated),
      planWindows: asks('planWindows', (campaign, params) =>
        this.#planned(campaign, params, life.engine!.now(SHARD)),
      ),
      fetchDestinations: asks('fetchDestinations', found),
      // Nobody is lost here: that is what is judged.
      findLostCalls: asks('findLostCalls', () => ({ type: 'callsLost', calls: [] })),
      findLiveCalls: asks('findLiveCalls', ({ id }, params) => this.#live(id, params)),
    };
  }

  #answer(life: Life, { name, machine }: EffectCall, read: () => DiallerEvent): Fact[] {
    const { world, book, dice, wire } = this.#scope;
    if (this.#happens(trouble.deskAway)) throw new Retryable(`${name}: the lists cannot be read`);
    if (this.#happens(trouble.deskBroken)) throw new NotRetryable('broken', `${name}: this cannot be read`);
    if (this.#happens(name === 'generateDestinations' ? trouble.generatedTwice : trouble.answeredTwice)) {
      book.count('second answers');
      const again = wire.marked({ ...read() });
      world.after(dice.between(1, 10_000), () => wire.tell(life, machine, again));
    }
    return [wire.marked({ ...read() })];
  }

  #planned(
    { hours }: SimulatedCampaign,
    { regions, question, hours: wanted }: Asked['planWindows'],
    at: number,
  ): DiallerEvent {
    const windows = regions.map(
      (region) => [region, areShut(wanted) ? shutAt(at) : windowAt(hours, region, at)] as const,
    );
    return { type: 'windowsPlanned', question, regions: Object.fromEntries(windows), over: hours.over };
  }

  #live(campaign: number, { after, limit }: Asked['findLiveCalls']): DiallerEvent {
    const records = [...(this.#scope.database.tables.records.get('calls') ?? [])];
    const calls = records
      .filter(([id, one]) => id > after && one['campaign_id'] === campaign)
      .filter(([, one]) => one['finished'] === false && one['answered_at'] === null)
      .map(([id]) => id)
      .toSorted((one, other) => one - other)
      .slice(0, limit);
    return { type: 'callsLive', calls, more: calls.length === limit };
  }

  #campaign(id: number): SimulatedCampaign {
    const campaign = this.#scope.campaigns.find((known) => known.id === id);
    if (!campaign) throw new Error(`there is no campaign ${id}`);
    return campaign;
  }

  #happens(chance: number): boolean {
    return this.#scope.troubled() && this.#scope.dice.chance(chance);
  }
}

const generated = ({ destinations }: SimulatedCampaign): DiallerEvent => {
  const regions: Record<string, number> = {};
  for (const { region } of destinations) regions[region] = (regions[region] ?? 0) + 1;
  return {
    type: 'destinationsGenerated',
    destinations: destinations.length,
    skipped: { duplicate: 2 },
    regions,
  };
};

/** The next records of the open regions, in the order of the list, each with an id for its call. */
const found = (
  { destinations }: SimulatedCampaign,
  { cursors, limit, texts, callbacks }: Asked['fetchDestinations'],
  life: Life,
): DiallerEvent => {
  const next = destinations.filter(({ region, seq }) => seq > (cursors[region] ?? Infinity)).slice(0, limit);
  return {
    type: 'destinationsFound',
    found: next.map((destination) => ({
      ...toCall(destination, life, texts),
      ...(callbacks && { delivery: life.engine!.mintId(SHARD) }),
    })),
  };
};

const toCall = (destination: Destination, life: Life, texts: string[]): DestinationToCall => ({
  ...destination,
  call: life.engine!.mintId(SHARD),
  placeholders: { nome: `name ${destination.row}`, extra1: `47${destination.row}` },
  texts,
});
