import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../machines/call/context.ts';
import type { Story } from './story.ts';
import { dialling, granted, told, waiting } from './turns.ts';

describe('a question to the campaign', () => {
  const until = 1_700_000_120_000;
  const grant = (call: Story, ask: number): Story => call.hears('attemptGranted', { ask });

  it('keeps its number when it is repeated, and has a new one when it is asked anew', () => {
    const call = waiting().passes(600_000);
    expect(told(call)).toMatchObject([{ type: 'attemptWanted', ask: 1 }]);
    grant(call, 1).hears('attemptRevoked', { ask: 1 });
    expect([call.state, told(call)]).toMatchObject(['awaitingTurn', [{ type: 'attemptWanted', ask: 2 }]]);
  });

  it('is not answered by the grant for an earlier one', () => {
    const call = grant(waiting(), 1).hears('attemptRevoked', { ask: 1 });
    expect([grant(call, 1).state, told(call)]).toEqual([
      'awaitingTurn',
      [{ type: 'attemptDropped', call: 77, ask: 1 }],
    ]);
    expect(grant(call, 2).state).toBe('clearing');
  });

  it('is not taken back by a word about an earlier one', () => {
    const call = grant(grant(waiting(), 1).hears('attemptRevoked', { ask: 1 }), 2);
    expect(call.hears('attemptRevoked', { ask: 1 }).state).toBe('clearing');
    expect(call.hears('attemptRevoked', { ask: 2 }).state).toBe('awaitingTurn');
  });

  it('whose grant comes when it cannot be used has it given back at once', () => {
    const call = waiting().hears('attemptDeferred', { until, reason: 'window', detail: 'closed' });
    call.hears('retryNow').hears('attemptDeferred', { until, reason: 'window', detail: 'closed' });
    grant(call, 2).hears('postponed', { reason: 'window', detail: 'closed', until });
    expect([call.state, told(call)]).toEqual(['postponed', [{ type: 'attemptDropped', call: 77, ask: 2 }]]);
    expect(told(grant(call, 2))).toEqual([{ type: 'attemptDropped', call: 77, ask: 2 }]);
    expect(told(grant(dialling(), 0))).toEqual([]);
  });

  it('is held while the carrier is full, however long, and its grant with it', () => {
    const call = grant(waiting(), 1).passes(1_200_000);
    expect([call.state, call.hears('attemptAwaited', { ask: 1 }).state]).toEqual(['clearing', 'clearing']);
    expect([told(call), call.count('withdrawClearance')]).toEqual([
      [{ type: 'attemptHeld', call: 77, ask: 1 }],
      0,
    ]);
    expect(told(call.hears('attemptAwaited', { ask: 0 }))).toMatchObject([
      { type: 'attemptDropped', ask: 0 },
    ]);
    expect(call.hears('cleared', { route: 'r' }).state).toBe('dialing.placing');
  });

  it('is asked with another number once the call has said that it has no grant for it', () => {
    const call = waiting().hears('attemptAwaited', { ask: 1 });
    expect(told(call)).toEqual([{ type: 'attemptDropped', call: 77, ask: 1 }]);
    expect(grant(call, 1).state).toBe('awaitingTurn');
    expect(told(call.passes(600_000))).toMatchObject([{ type: 'attemptWanted', ask: 2 }]);
  });

  it('goes on from a state that was kept before there were numbers', () => {
    const call = granted();
    const context = call.context as unknown as CallContext;
    const { ask: _ask, ...turn } = context.turn!;
    const { question: _question, ...dial } = context.dial;
    const { snapshot } = call;
    call.snapshot = { ...snapshot, context: { ...context, turn, dial } } as typeof snapshot;
    expect(told(call.hears('attemptAwaited', { ask: 0 }))).toMatchObject([{ type: 'attemptHeld', ask: 0 }]);
    call.passes(300_000).hears('cleared', { route: 'r' });
    expect(told(call)).toMatchObject([{ type: 'attemptBegun', ask: 0 }]);
  });

  it('has no number with those who were asked before there were numbers', () => {
    const call = waiting().hears('attemptGranted').hears('attemptRevoked');
    expect([call.state, call.hears('attemptGranted').state]).toEqual(['awaitingTurn', 'clearing']);
  });
});
