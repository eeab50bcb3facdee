import * as fc from 'fast-check';
import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { describe, expect, it } from 'vitest';
import { callMachineKind } from '../../machines/index.ts';
import { compileChart, dottedStateName } from '../../src/engine/step/compileChart.ts';
import { contextJson, type ContextJsonCache } from '../../src/engine/step/cachedContextJson.ts';
import { callInput } from '../bench/world.ts';
import { errand } from './errand.ts';

const events = [
  {
    type: 'audioPrepared',
    audio: [
      { media: 'm1', seconds: 2 },
      { media: 'm2', seconds: 1 },
    ],
  },
  { type: 'cleared', route: 'x' },
  { type: 'ringing', leg: 1 },
  { type: 'answered', leg: 1 },
  { type: 'answered', leg: 2 },
  { type: 'played', leg: 1, playback: '1' },
  { type: 'digitReceived', leg: 1, digit: '1' },
  { type: 'digitReceived', leg: 1, digit: '9' },
  { type: 'hungUp', leg: 1, outcome: 'normal', cause: 16, sipStatus: 200, by: 'them' },
  { type: 'hungUp', leg: 1, outcome: 'busy', cause: 17, sipStatus: 486, by: 'them' },
  { type: 'cancel' },
  { type: 'takenOver' },
  { type: 'nonsense' },
];

const machine = callMachineKind.versions[1] as AnyStateMachine;
const plain = (snapshot: Pick<AnyMachineSnapshot, 'value' | 'status' | 'context'>) =>
  JSON.stringify([snapshot.value, snapshot.status, snapshot.context]);

describe('the stepper', () => {
  it('steps exactly as XState’s public transition does', () => {
    const chart = compileChart(callMachineKind, 1);
    fc.assert(
      fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 25 }), (picks) => {
        const input = { ...callInput(1_000), at: 1_000, id: 5 };
        let [theirs] = initialTransition(machine, input as never) as unknown as [AnyMachineSnapshot];
        let ours = chart.begin(input).snapshot;
        picks.forEach((pick, index) => {
          const event = { ...events[pick]!, at: 2_000 + index };
          const [next, actions] = transition(machine, theirs as never, event as never) as unknown as [
            AnyMachineSnapshot,
            { type: string }[],
          ];
          const stepped = chart.step(ours, event);
          expect(plain(stepped.snapshot)).toBe(plain(next));
          const timers = actions.filter(({ type }) => type === 'xstate.cancel').length;
          expect(stepped.requests.filter((request) => request.do === 'disarm')).toHaveLength(timers);
          [theirs, ours] = [next, stepped.snapshot];
        });
      }),
      { numRuns: 200 },
    );
  });

  it('loses nothing of a snapshot that is frozen and thawed between any two events', () => {
    const chart = compileChart(callMachineKind, 1);
    fc.assert(
      fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 25 }), (picks) => {
        let kept = chart.begin({ ...callInput(1_000), at: 1_000, id: 5 }).snapshot;
        let thawed = kept;
        const parts: ContextJsonCache = new Map();
        picks.forEach((pick, index) => {
          const event = { ...events[pick]!, at: 2_000 + index };
          kept = chart.step(kept, event).snapshot;
          thawed = chart.thaw(
            JSON.parse(JSON.stringify(chart.serialize(chart.step(thawed, event).snapshot))) as never,
          );
          expect(plain(thawed)).toBe(plain(kept));
          expect(contextJson(kept.context, parts)).toBe(JSON.stringify(kept.context));
        });
      }),
      { numRuns: 200 },
    );
  });

  it('refuses a request that is no declared effect', () => {
    const chart = compileChart({ ...errand, effects: {} }, 1);
    const { snapshot } = chart.begin({ at: 1 });
    expect(() => chart.step(snapshot, { type: 'ask', name: 'fetch', at: 2 })).toThrow('no declared effect');
  });

  it('names nested and parallel states by one dotted word', () => {
    expect(dottedStateName('open')).toBe('open');
    expect(dottedStateName({ talking: { gathering: 'waiting' } })).toBe('talking.gathering.waiting');
    expect(dottedStateName({ b: 'on', a: { c: 'off' } })).toBe('a.c.off+b.on');
  });
});
