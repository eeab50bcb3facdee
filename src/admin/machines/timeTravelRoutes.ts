/** Time travel: a machine as it was after any of its events, and its events by their place. */
import * as z from 'zod';
import type { MachineRef, MachineView } from '../../engine/contract/api.ts';
import type { PastMachineState, MachineTimeTravel } from '../../console/travel/machineTimeTravel.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { anyObject, at, neverRefusedQueryField } from '../fieldSchemas.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { machineAccountQueryField, machineInPath } from './machineInPath.ts';
import { machineHistoryEntrySchema, machineHistoryEntryExample } from './machineSchemas.ts';

/** Rows of a timeline sent at once. */
const timelinePage = 100;

const timelineRowsSchema = z.array(
  z.object({
    index: z.int().describe('Place in the whole history.'),
    ...machineHistoryEntrySchema.shape,
  }),
);

const noChart = { 404: 'There is no such machine, or this build lacks its chart version.' };

export const timeTravelRoutes = {
  'GET /machines/:id/moment': defineRoute({
    role: 'operator',
    summary:
      'Shows a machine as it was after one of its events: what changed, what was owed, which way it went.',
    description:
      'The context is that of its chart version, to which the stored events are played again. Of effects only those are' +
      ' known to be owed that the event itself asked for.',
    scope: machineInPath,
    query: z.object({
      account: machineAccountQueryField,
      index: neverRefusedQueryField.describe('Which entry of its history, from 0 on.'),
      revision: neverRefusedQueryField.describe(
        'Or the last entry up to this revision. Neither: the newest.',
      ),
      whole: neverRefusedQueryField.describe('`1`: the whole context as well.'),
      rows: neverRefusedQueryField.describe(
        'So many rows of the timeline before it and after it as well, at most 100, in whole pages.',
      ),
    }),
    answer: z.object({
      machineRevision: z.int().describe('Revision of the machine when its history was read, or one before.'),
      count: z.int().describe('Entries of its history; of a very long one, the first 100,000.'),
      index: z.int().describe('Place of the entry; -1: it has none yet.'),
      entry: machineHistoryEntrySchema.nullable(),
      trouble: z
        .enum(['beginningMissing', 'failed'])
        .nullable()
        .describe('Why no context is known: its first entries were dropped, or its chart fails on them.'),
      agrees: z.boolean().describe('Played again, its chart stands where the machine stood.'),
      changes: z
        .object({ was: anyObject, is: anyObject })
        .describe('What the event changed in the context, each at its place.'),
      context: anyObject.nullable().describe('With `whole=1`; else null.'),
      owed: z
        .array(
          z.object({
            what: z.enum(['timer', 'effect']),
            name: z.string(),
            dueAt: at.nullable().describe('As it was set; null of an effect: it was asked for then.'),
          }),
        )
        .describe('What was owed then, timers first, earliest first.'),
      visits: z
        .array(z.object({ state: z.string(), count: z.int() }))
        .describe('How often it had entered each state.'),
      plays: z
        .array(z.int())
        .describe('What its effect `play` lets be heard: places in `sounds` of the machine.'),
      taken: z
        .object({ known: z.array(z.int()), guessed: z.array(z.int()) })
        .describe('Transitions it had taken; `guessed`: an older release wrote them down nowhere.'),
      timeline: z
        .array(z.object({ from: z.int().describe('The first row.'), rows: timelineRowsSchema }))
        .describe('Pages of the timeline around it, as `/timeline` sends them; none without `rows`.'),
    }),
    refuses: { ...noChart, 409: 'The number is that of machines of several accounts.' },
    example: {
      query: { index: '0' },
      answer: {
        ...{
          machineRevision: 3,
          count: 3,
          index: 0,
          entry: machineHistoryEntryExample,
          trouble: null,
          agrees: true,
        },
        ...{ changes: { was: {}, is: { attempt: 0 } }, context: null },
        owed: [{ what: 'effect', name: 'prepareAudio', dueAt: null }],
        plays: [],
        ...{ visits: [{ state: 'preparing', count: 1 }], taken: { known: [1], guessed: [] } },
        timeline: [],
      },
    },
    handle: async ({ deps, ref, view, query }) => {
      const travel = await travelOf(deps, ref, view);
      const index = indexIn(travel, query);
      const read = { machineRevision: view.revision, count: travel.count };
      if (index < 0) return { ...read, ...nowhere };
      const [moment, timeline] = await Promise.all([
        deps.travels.moment(ref, travel, index),
        pagesAround(deps, ref, travel, index, Math.min(wholeIn(query.rows) ?? 0, timelinePage)),
      ]);
      if (!moment) throw gone();
      const plays = playsOf(deps, view, moment);
      return { ...read, ...shown(moment, query.whole === '1'), plays, timeline };
    },
  }),
  'GET /machines/:id/timeline': defineRoute({
    role: 'operator',
    summary: "Lists a machine's events by their place, a hundred at a time.",
    scope: machineInPath,
    query: z.object({
      account: machineAccountQueryField,
      from: neverRefusedQueryField.describe('The first row, from 0 on.'),
      state: neverRefusedQueryField.describe(
        'Only events after which it was in this state, or that led through it.',
      ),
    }),
    answer: z.object({
      count: z.int().describe('All rows that there are.'),
      rows: timelineRowsSchema,
    }),
    refuses: { ...noChart, 409: 'The number is that of machines of several accounts.' },
    example: {
      query: { from: '0' },
      answer: { count: 1, rows: [{ index: 0, ...machineHistoryEntryExample }] },
    },
    handle: async ({ deps, ref, view, query }) => {
      const travel = await travelOf(deps, ref, view);
      const from = wholeIn(query.from) ?? 0;
      if (typeof query.state !== 'string' || query.state === '')
        return { count: travel.count, rows: await pageFrom(deps, ref, travel, from) };
      const touching = travel.touching(query.state);
      const indexes = touching.slice(from, from + timelinePage);
      return { count: touching.length, rows: await rowsAt(deps, ref, travel, indexes) };
    },
  }),
};

/** The machine's way until now. Throws a 404 where this build lacks its chart. */
const travelOf = async (deps: AdminDeps, ref: MachineRef, view: MachineView): Promise<MachineTimeTravel> => {
  const travel = await deps.travels.of(ref, view, deps.kind(view.kind));
  if (!travel) throw new AdminError(404, `this build has no chart ${view.kind} version ${view.version}`);
  return travel;
};

/** Old entries are dropped by day (`HISTORY_DAYS`); what was known of them is forgotten by now. */
const gone = (): AdminError => new AdminError(409, 'entries of its history were dropped just now; ask again');

const wholeIn = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

const indexIn = (
  travel: MachineTimeTravel,
  { index, revision }: { index?: unknown; revision?: unknown },
): number => {
  const last = travel.count - 1;
  const [place, until] = [wholeIn(index), wholeIn(revision)];
  if (place !== undefined) return Math.min(place, last);
  return until === undefined || last < 0 ? last : travel.indexOf(until);
};

const nowhere = {
  ...{ index: -1, entry: null, trouble: null, agrees: true, context: null, owed: [], visits: [] },
  ...{ changes: { was: {}, is: {} }, taken: { known: [], guessed: [] } },
  plays: [],
  timeline: [],
};

const playsOf = (deps: AdminDeps, { kind }: MachineView, { entry, context }: PastMachineState): number[] =>
  entry.asked.includes('play') && context !== null
    ? [...(deps.kind(kind)?.sounds?.playing(context) ?? [])]
    : [];

const shown = (moment: PastMachineState, isWhole: boolean) => {
  const { index, trouble, agrees, changes, context, timers, effects, walk } = moment;
  const taken = (certainty: 'known' | 'guessed') =>
    [...walk.taken].flatMap(([id, how]) => (how === certainty ? [id] : []));
  return {
    ...{ index, trouble, agrees, changes, context: isWhole ? context : null },
    entry: moment.entry,
    owed: [
      ...timers
        .toSorted((one, other) => one.due - other.due)
        .map(({ id, due }) => ({ what: 'timer' as const, name: id, dueAt: due })),
      ...effects.map((name) => ({ what: 'effect' as const, name, dueAt: null })),
    ],
    visits: [...walk.visits].flatMap(([state, count]) => (state === '' ? [] : [{ state, count }])),
    taken: { known: taken('known'), guessed: taken('guessed') },
  };
};

const row = (index: number, one: PastMachineState['entry']) => ({ index, ...one });

/** Rows that follow each other, a page at most. Throws a 409 where some of them are gone. */
const pageFrom = async (deps: AdminDeps, ref: MachineRef, travel: MachineTimeTravel, from: number) => {
  const entries = await deps.travels.entries(ref, travel, from, timelinePage);
  if (!entries) throw gone();
  return entries.map((one, nth) => row(from + nth, one));
};

/** The pages that hold so many rows before and after a place; none for no rows. */
const pagesAround = (
  deps: AdminDeps,
  ref: MachineRef,
  travel: MachineTimeTravel,
  index: number,
  rows: number,
) => {
  const pages: number[] = [];
  const last = Math.min(index + rows, travel.count - 1);
  for (let nth = Math.floor(Math.max(0, index - rows) / timelinePage); nth * timelinePage <= last; nth += 1)
    pages.push(nth * timelinePage);
  return Promise.all(
    (rows === 0 ? [] : pages).map(async (from) => ({ from, rows: await pageFrom(deps, ref, travel, from) })),
  );
};

/** Places nearer to each other than this are read together. */
const widestGap = 10;

/** Rows of places that need not follow each other, in order. */
const rowsAt = async (
  deps: AdminDeps,
  ref: MachineRef,
  travel: MachineTimeTravel,
  indexes: readonly number[],
) => {
  const rows: ReturnType<typeof row>[] = [];
  for (let nth = 0; nth < indexes.length;) {
    const from = indexes[nth]!;
    let end = nth + 1;
    while (end < indexes.length && indexes[end]! - indexes[end - 1]! <= widestGap) end += 1;
    const entries = await deps.travels.entries(ref, travel, from, indexes[end - 1]! - from + 1);
    if (!entries) throw gone();
    const wanted = indexes.slice(nth, end).filter((index) => index < from + entries.length);
    rows.push(...wanted.map((index) => row(index, entries[index - from]!)));
    nth += wanted.length;
  }
  return rows;
};
