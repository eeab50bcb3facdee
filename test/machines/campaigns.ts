/** Campaigns for stories, and a small world of theirs: a dialler that answers at once, and calls that do as told. */
import { campaignStateMachine } from '../../machines/campaign.ts';
import type { CampaignContext } from '../../machines/campaign/context.ts';
import { explainCampaign } from '../../machines/campaign/explain.ts';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import {
  campaignEndInRegion,
  campaignWindowInRegion,
} from '../../src/rules/campaigns/campaignWindowByRegion.ts';
import type { CallingWindows } from '../../src/rules/voice/callingWindows.ts';
import type { DiallerEffects } from '../../machines/contracts/campaign.ts';
import { Story } from './story.ts';

/** 2026-11-18 12:00 in São Paulo, a Wednesday. */
export const NOON = Date.parse('2026-11-18T15:00:00Z');

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const anInput = (changes: Partial<CampaignInput> = {}): CampaignInput => ({
  name: 'autumn',
  description: '',
  correlation: '',
  group: null,
  list: 5,
  active: true,
  hours: { dateStart: '2026-11-18', dateEnd: '2026-11-30', timeStart: '00:00:00', timeEnd: '23:59:59' },
  pace: { callsPerMinute: null, maxTransfers: null },
  maxAnswered: null,
  selection: { mobile: true, skipBlocklist: false, recordsPerName: 1, severalNumbers: false },
  call: {
    mode: 'play',
    callerId: '',
    prompts: { opening: [{ media: 'tf1' }], slots: {} },
    keys: {},
    digits: { count: 1, waitSeconds: 7 },
    waitInLine: false,
    lineSeconds: 300,
    music: 'music',
    schedule: { tries: 1, intervalMs: 1_800_000 },
    priority: 0,
    ringSeconds: 45,
    limitSeconds: 3600,
    answerSeconds: 0,
    policy: { skipBlocklist: false, audioKey: 'k', waitForWindow: false },
    customerCampaign: '',
    correlation: '',
    origin: 'api',
    fixedRoutes: [],
  },
  resultsProfile: null,
  audio: ['tf1'],
  ...changes,
});

/** So many destinations of a region. */
export const many = (count: number, region = 'SP'): string[] => Array<string>(count).fill(region);

/** The change of a campaign to this pace. */
export const at = (callsPerMinute: number | null, maxTransfers: number | null = null) => ({
  pace: { callsPerMinute, maxTransfers },
});

/** What a destination's call does, by its row: reports with their delay from the one before, milliseconds. */
export type Doing = [afterMs: number, type: string, facts?: Record<string, unknown>][];

/** Dials after 40 ms, is answered after 2 s, ends after 5 s. */
const answers: Doing = [
  [40, 'attemptBegun', { attempt: 1 }],
  [2_000, 'callAnswered'],
  [5_000, 'callEnded', { was: 'up' }],
];
/** Rings for 20 s, nobody answers. */
export const ringsOut: Doing = [
  [40, 'attemptBegun', { attempt: 1 }],
  [20_000, 'callEnded', { was: 'dialling' }],
];

export interface WorldOptions {
  /** Destinations by region, in the order of the list. */
  regions?: string[];
  /** What the call of a row does; default: it answers. */
  doing?: (row: number) => Doing;
  /** The regional table, when the account's campaigns keep it. */
  table?: CallingWindows;
  skipped?: Record<string, number>;
  /** The list cannot be read so many times. */
  unreadable?: number;
  /** The dialler finds nothing by itself: the test says what it found, and when. */
  slow?: boolean;
  /** The dialler does not say when the regions may be rung: the test does. */
  deaf?: boolean;
  /** The dialler finds calls that wait when it is asked for them; default: the test says which it found. */
  findsCalls?: boolean;
}

interface Due {
  at: number;
  happens: () => void;
}

/** A campaign and all that surrounds it, on one virtual clock. */
export class World {
  readonly story: Story;
  /** Moments of `attemptBegun`, and whose. */
  readonly dials: { at: number; row: number; region: string }[] = [];
  /** Calls by id. */
  readonly #calls = new Map<number, { row: number; region: string; doing: Doing }>();
  readonly #regions: string[];
  readonly #doing: (row: number) => Doing;
  readonly #skipped: Record<string, number>;
  readonly #table: CallingWindows | undefined;
  readonly #slow: boolean;
  readonly #deaf: boolean;
  readonly #findsCalls: boolean;
  #due: Due[] = [];
  #unreadable: number;
  #seen = 0;
  #nextCall = 1_000;

  constructor(input: CampaignInput, options: WorldOptions = {}, start = NOON) {
    this.#regions = options.regions ?? Array<string>(10).fill('SP');
    this.#doing = options.doing ?? (() => answers);
    this.#skipped = options.skipped ?? {};
    this.#table = options.table;
    this.#slow = options.slow ?? false;
    this.#deaf = options.deaf ?? false;
    this.#findsCalls = options.findsCalls ?? false;
    this.#unreadable = options.unreadable ?? 0;
    this.story = new Story(campaignStateMachine, input, start, 31);
    this.#answer();
  }

  get context(): CampaignContext {
    return this.story.context as unknown as CampaignContext;
  }

  get phase(): string {
    return this.context.phase;
  }

  get counts(): Record<string, number> {
    return { ...this.context.counts };
  }

  /** A fact or an order arrives now. */
  hears(type: string, facts: Record<string, unknown> = {}): this {
    this.story.hears(type, facts);
    this.#answer();
    return this;
  }

  /** Time passes. */
  passes(ms: number): this {
    const end = this.story.at + ms;
    for (;;) {
      const timer = Math.min(...[...this.story.timers.values()].map(({ due }) => due));
      const event = this.#due[0]?.at ?? Number.POSITIVE_INFINITY;
      const next = Math.min(timer, event);
      if (next > end) break;
      if (event <= timer) {
        this.story.at = Math.max(this.story.at, event);
        this.#due.shift()!.happens();
      } else this.story.passes(Math.max(0, timer - this.story.at));
      this.#answer();
    }
    this.story.at = end;
    return this;
  }

  /** Answers everything that was asked since. */
  #answer(): void {
    while (this.#seen < this.story.all.length) {
      const { name, params } = this.story.all[this.#seen++]!;
      if (name === 'tell') this.#told(params as { machine: number; event: { type: string; until?: number } });
      else if (name === 'startMachine' && params['kind'] === 'call')
        this.#born(params as unknown as CallBirth);
      else this.#asked(name, params);
    }
  }

  #asked(name: string, params: Record<string, unknown>): void {
    if (name === 'generateDestinations' && this.#unreadable > 0) {
      this.#unreadable -= 1;
      this.story.hears('generateDestinationsFailed', {
        params,
        reason: 'exhausted',
        message: 'list is away',
      });
    } else if (name === 'generateDestinations') {
      const counts: Record<string, number> = {};
      for (const region of this.#regions) counts[region] = (counts[region] ?? 0) + 1;
      this.story.hears('destinationsGenerated', {
        destinations: this.#regions.length,
        skipped: this.#skipped,
        regions: counts,
      });
    } else if (name === 'planWindows' && !this.#deaf) {
      const { hours, regions: asked, question } = params as unknown as DiallerEffects['planWindows'];
      const rules = { hours, homeZone: 'America/Sao_Paulo', ...(this.#table && { table: this.#table }) };
      const windows = asked.map((region) => [region, campaignWindowInRegion(region, this.story.at, rules)]);
      this.story.hears('windowsPlanned', {
        question,
        regions: Object.fromEntries(windows),
        over: Math.max(...asked.map((region) => campaignEndInRegion(region, rules))),
      });
    } else if (name === 'findLiveCalls' && this.#findsCalls) {
      this.story.hears('callsLive', { calls: [...this.#calls.keys()], more: false });
    } else if (name === 'fetchDestinations' && !this.#slow) {
      this.story.hears('destinationsFound', { found: this.#find(params as never) });
    }
  }

  #find({ cursors, limit }: { cursors: Record<string, number>; limit: number }): object[] {
    const seqs: Record<string, number> = {};
    const rows = this.#regions.map((region, index) => {
      seqs[region] = (seqs[region] ?? 0) + 1;
      return { region, seq: seqs[region], row: index + 1 };
    });
    return rows
      .filter(({ region, seq }) => region in cursors && seq > cursors[region]!)
      .slice(0, limit)
      .map((row) => ({
        ...row,
        call: this.#nextCall++,
        numbers: [`5511900000${row.row}`],
        placeholders: { nome: `n${row.row}` },
        texts: [],
      }));
  }

  #born({ id, input }: CallBirth): void {
    const { row, region, granted } = input.campaign;
    const call = { row, region, doing: [...this.#doing(row)] };
    this.#calls.set(id, call);
    if (granted) this.#goOn(id);
    else this.#in(300, () => this.story.hears('attemptWanted', { call: id, region }));
  }

  #told({ machine, event }: { machine: number; event: { type: string; until?: number } }): void {
    const call = this.#calls.get(machine);
    if (!call) return;
    if (event.type === 'attemptGranted') this.#goOn(machine);
    if (event.type === 'attemptDeferred')
      this.#in(event.until! - this.story.at, () =>
        this.story.hears('attemptWanted', { call: machine, region: call.region }),
      );
    if (event.type === 'campaignOver')
      this.#in(1, () => this.story.hears('callEnded', { call: machine, was: 'idle' }));
  }

  /** Does what comes next, until it has to ask again. */
  #goOn(id: number): void {
    const call = this.#calls.get(id)!;
    const next = call.doing.shift();
    if (!next) return;
    const [afterMs, type, facts] = next;
    this.#in(afterMs, () => {
      if (type === 'attemptBegun') this.dials.push({ at: this.story.at, row: call.row, region: call.region });
      this.story.hears(type, { call: id, region: call.region, ...facts });
      if (type !== 'attemptWanted') this.#goOn(id);
    });
  }

  #in(ms: number, happens: () => void): void {
    this.#due.push({ at: this.story.at + ms, happens });
    this.#due = this.#due.toSorted((one, other) => one.at - other.at);
  }
}

interface CallBirth {
  id: number;
  input: { campaign: { row: number; region: string; granted: boolean } };
}

/** Most moments that any stretch of this length holds. */
export const mostWithin = (moments: readonly number[], ms: number): number => {
  let most = 0;
  for (const [index, from] of moments.entries()) {
    let to = index;
    while (to < moments.length && moments[to]! < from + ms) to++;
    most = Math.max(most, to - index);
  }
  return most;
};

/** Why it does not dial. */
export const explained = (world: World) => explainCampaign(world.context);
