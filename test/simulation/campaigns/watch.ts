/**
 * What must hold of campaigns at every moment, judged on what stands in the database as each step lands: every dial
 * on a grant of its own, never more under way than a campaign may have, and no dial long after a pause.
 */
import type { CallContext } from '../../../machines/call/context.ts';
import { hasSpokenText } from '../../../machines/campaign/callFromDestination.ts';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { CampaignChanges, CampaignPace } from '../../../machines/campaign/input.ts';
import type { Book } from '../book.ts';
import type { Database } from '../database.ts';
import { GRACE_MS, trouble } from '../plan.ts';
import type { World } from '../world.ts';
import type { HistoryRow, MachineWrite } from '../../../src/engine/contract/rows.ts';

/** A pause is durable, and the word of it on its way to the calls: one that is not hindered hears it by then. */
const PAUSE_HEARD_MS = 1_000;
/** A process may be paused so long, its calls with it; who goes on with them hears the word before its grace is over. */
const HINDERED_MS = trouble.longPauseMs[1] + GRACE_MS;

interface Standing {
  context: CampaignContext;
  /** Milliseconds in which the shard was open; undefined while it is not paused. */
  pausedAt: number | undefined;
  /** Its calls that dial or are up, and those that were answered. */
  dialled: Set<number>;
  answered: Set<number>;
}

export interface WatchScope {
  world: World;
  book: Book;
  database: Database;
  troubled: () => boolean;
}

export class Watch {
  readonly #scope: WatchScope;
  #campaigns = new Map<number, Standing>();
  /** By call: grants it was ever given, and attempts it made of them. */
  #grants = new Map<number, number>();
  #attempts = new Map<number, number>();
  /** What lands was judged before. */
  #isAgain = false;
  /** Virtual milliseconds: a pause that began then is felt for as long as it lasts. */
  #troubledAt = -Infinity;

  constructor(scope: WatchScope) {
    this.#scope = scope;
  }

  /** What it knows now; the function gives it back. */
  remember(): () => void {
    const campaigns = copyOf(this.#campaigns);
    const [grants, attempts] = [new Map(this.#grants), new Map(this.#attempts)];
    return () => {
      this.#campaigns = copyOf(campaigns);
      [this.#grants, this.#attempts] = [new Map(grants), new Map(attempts)];
    };
  }

  /** A step has landed; `isAgain`: not for the first time. */
  landed(kind: string, write: MachineWrite, isAgain: boolean): void {
    this.#isAgain = isAgain;
    const { world, troubled, database } = this.#scope;
    const { awayUntil, refusesUntil } = database;
    const hinderedUntil = troubled() ? world.now : Math.max(awayUntil, refusesUntil);
    this.#troubledAt = Math.max(this.#troubledAt, hinderedUntil);
    if (kind === 'campaign') this.#campaignStepped(write);
    if (kind === 'call') this.#callStepped(write);
  }

  #campaignStepped({ id, row, tells, history }: MachineWrite): void {
    const context = contextOf<CampaignContext>(row.snapshot);
    const before = this.#campaigns.get(id);
    const now: Standing = {
      dialled: before?.dialled ?? new Set(),
      answered: before?.answered ?? new Set(),
      context,
      pausedAt:
        context.phase === 'paused' ? (before?.pausedAt ?? this.#scope.database.openTime.allMs) : undefined,
    };
    this.#campaigns.set(id, now);
    let granted = context.flow.fetching > (before?.context.flow.fetching ?? 0);
    for (const { machine, event } of tells) {
      if (!event.includes('"attemptGranted"')) continue;
      this.#grants.set(machine, (this.#grants.get(machine) ?? 0) + 1);
      granted = true;
    }
    if (granted) this.#judgeRoom(id, now, highestPas(history, before?.context ?? context, context));
  }

  /** What was granted has room beside all that is under way, whether the campaign has heard of that or not. */
  #judgeRoom(id: number, { context, dialled, answered }: Standing, pas: number): void {
    const { flow, definition } = context;
    const open = new Set([...flow.granted.map(({ call }) => call), ...dialled]);
    // Texts become audio before a grant is asked for: what is fetched then is no grant yet.
    const fetching = hasSpokenText(definition.call) ? 0 : flow.fetching;
    const underWay = open.size + fetching;
    if (underWay > pas)
      this.#violated(
        'more than pas',
        id,
        `${underWay} under way, not ${pas}: ${JSON.stringify(flow)} beside ${[...dialled].join(' ')}`,
      );
    const wanted = definition.maxAnswered ?? Infinity;
    const reached = new Set([...open, ...answered]).size + fetching;
    if (reached > wanted)
      this.#violated('more than max_answered', id, `${reached} may be answered, not ${wanted}`);
  }

  #callStepped({ id, insert: birth, row }: MachineWrite): void {
    const { call, turn, dial } = contextOf<CallContext>(row.snapshot);
    const standing = call.campaign && this.#campaigns.get(call.campaign.id);
    if (!call.campaign || !standing) return;
    if (birth && call.campaign.granted) this.#grants.set(id, 1);
    const isDialled = row.state !== 'ended' && (turn?.stage === 'dialling' || turn?.stage === 'up');
    if (dial.attempt > (this.#attempts.get(id) ?? 0)) this.#dialled(id, call.campaign.id, standing);
    this.#attempts.set(id, dial.attempt);
    if (isDialled) standing.dialled.add(id);
    else standing.dialled.delete(id);
    if (dial.answeredAt) standing.answered.add(id);
  }

  #dialled(id: number, campaign: number, { pausedAt, context: { flow } }: Standing): void {
    const { world, book, database } = this.#scope;
    const attempts = (this.#attempts.get(id) ?? 0) + 1;
    if (attempts > (this.#grants.get(id) ?? 0))
      this.#violated('no grant', id, `attempt ${attempts} has no grant of ${campaign}`);
    if (![...flow.granted, ...flow.revoked].some(({ call }) => call === id))
      this.#violated('no grant', id, `attempt ${attempts}: ${campaign} knows of no grant any more`);
    if (pausedAt === undefined) return;
    book.count('dials that crossed a pause');
    const late = database.openTime.allMs - pausedAt;
    const isHindered = world.now - this.#troubledAt < HINDERED_MS;
    if (late > (isHindered ? HINDERED_MS : PAUSE_HEARD_MS))
      this.#violated('dialled in a pause', id, `${Math.round(late)} ms after ${campaign} was paused`);
  }

  #violated(rule: string, machine: number, detail: string): void {
    if (!this.#isAgain) this.#scope.book.violated(rule, machine, detail);
  }
}

const copyOf = (campaigns: ReadonlyMap<number, Standing>): Map<number, Standing> =>
  new Map(
    [...campaigns].map(([id, { dialled, answered, ...standing }]) => [
      id,
      { ...standing, dialled: new Set(dialled), answered: new Set(answered) },
    ]),
  );

const contextOf = <Context>(snapshot: string): Context => (JSON.parse(snapshot) as { c: Context }).c;

/** The highest `pas` that was in force while these steps, written together, were made. */
const highestPas = (
  history: readonly HistoryRow[],
  before: CampaignContext,
  after: CampaignContext,
): number =>
  Math.max(
    ...[before.plan.pace, after.plan.pace, ...history.map(paceGiven)].map(
      ({ maxTransfers = 0 }) => maxTransfers ?? Infinity,
    ),
  );

const paceGiven = ({ event, payload }: HistoryRow): Partial<CampaignPace> =>
  event === 'changed'
    ? ((JSON.parse(payload ?? '{}') as { changes?: CampaignChanges }).changes?.pace ?? {})
    : {};
