/** Charts that nobody would draw: every way of leaving, entering, raising and finishing that one path of states allows. */
import * as fc from 'fast-check';
import { and, assign, enqueueActions, not, or, raise, setup, stateIn, type AnyStateMachine } from 'xstate';

/** A state in the making; targets are picked by number once it is known how many states there are. */
interface Sketch {
  kind: 'atomic' | 'compound' | 'final';
  entry: number[];
  exit: number[];
  on: Record<string, Turn[]>;
  always: Turn[];
  after: boolean;
  tagged: boolean;
  children: Sketch[];
  onDone: Turn[];
  initially: number[];
}

interface Turn {
  guard: number;
  target: number | null;
  reenter: boolean;
  actions: number[];
}

interface Context {
  count: number;
  notes: string;
}

export const eventTypes = ['go', 'turn', 'xstate.after.short.m', 'unheard-of'];

const words = setup({
  types: { context: {} as Context, events: {} as { type: string }, input: {} as { count: number } },
  actions: {
    did: () => {},
    count: assign({ count: ({ context }) => context.count + 1 }),
    note: assign<Context, { type: string }, { word: string }, { type: string }, never>(
      ({ context, event }, params) => ({
        notes: `${context.notes}${params.word}${event.type.at(-1)}`.slice(-20),
      }),
    ),
    several: enqueueActions(({ context, enqueue, check }) => {
      if (context.count % 2 === 0) enqueue({ type: 'count' });
      enqueue.assign({ notes: 'several' });
      if (check('even' as never)) enqueue({ type: 'did', params: { count: context.count } } as never);
    }),
  },
  guards: {
    even: ({ context }) => context.count % 2 === 0,
    below: ({ context }, params: { most: number }) => context.count < params.most,
    isGo: ({ event }) => event.type === 'go',
  },
  delays: { short: ({ context }) => 100 + context.count },
});

const actions = (label: string, picks: readonly number[]): object[] =>
  picks.map((pick, index) => {
    const choices: unknown[] = [
      { type: 'did', params: { label, index } },
      'count',
      { type: 'note', params: { word: label } },
      { type: 'did', params: ({ context }: { context: Context }) => ({ count: context.count }) },
      raise({ type: 'turn' }),
      'several',
      raise({ type: 'go' }, { delay: 'short' as never, id: `later-${label}` }),
    ];
    return choices[pick % choices.length] as object;
  });

const guards = [
  undefined,
  'even',
  not('even'),
  { type: 'below', params: { most: 4 } },
  { type: 'below', params: ({ context }: { context: Context }) => ({ most: context.notes.length }) },
  and(['even', 'isGo']),
  or(['isGo', not('even')]),
  stateIn('#m.s0'),
];

const turn = fc.record<Turn>({
  guard: fc.nat(guards.length - 1),
  target: fc.option(fc.nat(50)),
  reenter: fc.boolean(),
  actions: fc.array(fc.nat(6), { maxLength: 2 }),
});
/** Most states have none: too many, and no chart ever comes to rest. */
const always = fc.oneof(
  { arbitrary: fc.constant<Turn[]>([]), weight: 4 },
  { arbitrary: fc.array(turn, { maxLength: 2 }), weight: 1 },
);

const { root } = fc.letrec<{ root: Sketch; state: Sketch; inner: Sketch }>((tie) => {
  const sketch = (kind: fc.Arbitrary<Sketch['kind']>, children: fc.Arbitrary<Sketch[]>) =>
    fc.record<Sketch>({
      kind,
      entry: fc.array(fc.nat(6), { maxLength: 3 }),
      exit: fc.array(fc.nat(6), { maxLength: 2 }),
      on: fc.dictionary(fc.constantFrom(...eventTypes.slice(0, 2), '*'), fc.array(turn, { maxLength: 2 })),
      always,
      after: fc.boolean(),
      tagged: fc.boolean(),
      children,
      onDone: fc.array(turn, { maxLength: 1 }),
      initially: fc.array(fc.nat(6), { maxLength: 1 }),
    });
  const leaf = sketch(fc.constantFrom('atomic', 'atomic', 'final'), fc.constant([]));
  return {
    root: sketch(fc.constant('compound'), fc.array(tie('state'), { minLength: 2, maxLength: 4 })),
    state: fc.oneof(
      leaf,
      sketch(fc.constant('compound'), fc.array(tie('inner'), { minLength: 1, maxLength: 3 })),
    ),
    inner: fc.oneof(
      { maxDepth: 2 },
      leaf,
      sketch(fc.constant('compound'), fc.array(leaf, { minLength: 1, maxLength: 2 })),
    ),
  };
});

const idsOf = (sketch: Sketch, id: string): string[] => [
  id,
  ...sketch.children.flatMap((child, index) => idsOf(child, `${id}.s${index}`)),
];

const drawn = (sketch: Sketch, id: string, ids: readonly string[]): object => {
  const turns = (label: string, all: readonly Turn[]): object[] =>
    all.map(({ guard, target, reenter, actions: picks }) => ({
      guard: guards[guard],
      ...(target !== null && { target: `#${ids[target % ids.length]!}` }),
      reenter,
      actions: actions(`${label} of ${id}`, picks),
    }));
  const heard = Object.entries(sketch.on).map(([type, all]) => [type, turns(type, all)] as const);
  const base = { entry: actions(`enter ${id}`, sketch.entry), exit: actions(`leave ${id}`, sketch.exit) };
  if (sketch.kind === 'final') return { type: 'final', ...base };
  return {
    ...base,
    on: Object.fromEntries(heard),
    always: turns('always', sketch.always),
    tags: sketch.tagged ? [`in ${id}`] : [],
    ...(sketch.after && {
      after: { short: { target: `#${ids[1]!}`, actions: actions(`after ${id}`, [0]) } },
    }),
    ...(sketch.children.length > 0 && {
      initial: { target: 's0', actions: actions(`begin ${id}`, sketch.initially) },
      states: Object.fromEntries(
        sketch.children.map((child, index) => [`s${index}`, drawn(child, `${id}.s${index}`, ids)]),
      ),
      onDone: turns('done', sketch.onDone),
    }),
  };
};

/** A chart at random, with every id that its states have. */
export const randomChart: fc.Arbitrary<AnyStateMachine> = root.map(
  (sketch) =>
    words.createMachine({
      id: 'm',
      context: ({ input }: { input: { count: number } }) => ({ count: input.count, notes: '' }),
      options: { maxIterations: 12 },
      ...drawn(sketch, 'm', idsOf(sketch, 'm')),
    } as never) as unknown as AnyStateMachine,
);
