import { describe, expect, it } from 'vitest';
import { takenTransitionsFinder, type Step } from '../../../src/console/statechart/inferTransitionPath.ts';
import { everyChart } from './charts.ts';

const call = everyChart.find(({ kind }) => kind === 'call')!.chart;
const passageOf = takenTransitionsFinder(call);

/** As `from -event-> to`, guesses with a question mark. */
const told = (step: Step): string[] =>
  passageOf(step).transitions.map(({ id, certainty }) => {
    const { from, label, guard, to = from } = call.transitions[id]!;
    const how = [label, guard].filter((word) => word !== '').join(': ') || 'else';
    return `${from} -${how}-> ${to}${certainty === 'guessed' ? '?' : ''}`;
  });

describe('the passage of a step', () => {
  it('is known where the chart has one way only', () => {
    expect(told({ before: 'dialing.placing', event: 'ringing', after: 'dialing.ringing' })).toEqual([
      'dialing.placing -ringing: isCallee-> dialing.ringing',
    ]);
  });

  it('leads through the questions that were answered in the same step', () => {
    const step = { before: 'scheduled', event: 'retryNow', after: 'awaitingTurn' };
    expect(told(step)).toEqual(['scheduled -retryNow-> due', 'due -needsTurn-> awaitingTurn']);
    expect(passageOf(step).states).toEqual(['due', 'awaitingTurn']);
  });

  it('is a guess where several ways lead to the same state, but for what they have in common', () => {
    expect(told({ before: 'scheduled', event: 'retryNow', after: 'scheduled' })).toEqual([
      'scheduled -retryNow-> due',
      'due -isMissed-> scheduled?',
    ]);
  });

  it('begins in the first state', () => {
    // Audio that is stale would be prepared, too.
    expect(told({ before: '', event: 'started', after: 'preparing' })).toEqual([
      'born -needsAudio-> preparing?',
    ]);
    expect(passageOf({ before: '', event: 'started', after: 'preparing' }).states).toEqual([
      'born',
      'preparing',
    ]);
  });

  it('knows timers by the events that histories name', () => {
    expect(
      told({ before: 'retrying', event: 'xstate.after.resume.call.retrying', after: 'clearing' }),
    ).toEqual(['retrying -after resume-> due', 'due -else-> clearing']);
  });

  it('asks the questions of a state that the event does not leave', () => {
    expect(told({ before: 'closing', event: 'hungUp', after: 'filing' })).toEqual([
      'closing -hungUp: isCallee-> closing?',
      'closing -isOnlyFileOpen-> filing',
    ]);
  });

  it('is empty where the chart has no way', () => {
    expect(passageOf({ before: 'ended', event: 'answered', after: 'dialing.placing' })).toEqual({
      transitions: [],
      states: [],
    });
  });

  it('is what was written down, where it was', () => {
    const before = { before: 'scheduled', event: 'retryNow', after: 'scheduled' };
    const [leave] = passageOf(before).transitions;
    const early = call.transitions.find(({ from, guard }) => from === 'due' && guard === 'isEarly')!;
    expect(told({ ...before, taken: [leave!.id, early.id] })).toEqual([
      'scheduled -retryNow-> due',
      'due -isEarly-> scheduled',
    ]);
  });
});
