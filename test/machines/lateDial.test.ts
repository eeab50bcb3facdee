import { describe, expect, it } from 'vitest';
import { end, life, prepared } from './calls.ts';
import { dialling, told, waiting } from './turns.ts';
import type { Story } from './story.ts';

const late = (call: Story, leg: number): Story =>
  call.hears('originateFailed', {
    reason: 'late',
    message: 'it could not be begun in time',
    params: { leg },
  });

describe('a dial that could not be made in time', () => {
  it('is no attempt: the call is asked for anew', () => {
    const call = late(
      prepared({ schedule: { tries: 2, intervalMs: 1_000 } }).hears('cleared', { route: 'r' }),
      1,
    );
    expect([call.state, life(call)]).toMatchObject(['clearing', { attempt: 0, status: '' }]);
    expect(call.last('requestClearance')).toMatchObject({ attempt: 1, question: 2 });
    call.hears('cleared', { route: 'r', question: 2 });
    expect(call.last('originate')).toMatchObject({ leg: 2, attempt: 1 });
  });

  it('leaves the attempt before it as it was, and is not made after the last moment', () => {
    const call = prepared({ schedule: { tries: 3, intervalMs: 1_000, until: 1_700_000_060_000 } });
    call.hears('cleared', { route: 'r' }).hears('hungUp', end(1, 'busy')).passes(1_000);
    call.hears('cleared', { route: 'r', question: 2 });
    const before = { attempt: 1, status: 'BUSY', reason: 'busy' };
    expect(life(late(call, 2))).toMatchObject(before);
    expect(call.context['explanations']).toMatchObject([
      { rule: 'retry' },
      { rule: 'late', detail: 'attempt 2 could not be dialled in time, and is asked for anew' },
    ]);
    call
      .passes(600_000)
      .hears('cleared', { route: 'r', question: call.last('requestClearance')['question'] });
    expect([call.isOver, call.count('originate'), life(call)]).toMatchObject([true, 2, before]);
  });

  it('gives the turn and the number back to the campaign, which counts the destination as not dialled', () => {
    const call = late(dialling(), 1);
    expect(call.state).toBe('awaitingTurn');
    expect(told(call)).toEqual([
      { type: 'attemptUndone', call: 77, attempt: 1 },
      { type: 'attemptWanted', call: 77, region: '11', ask: 1 },
    ]);
    expect(call.asked.map(({ name }) => name)).toContain('release');
    expect(waiting().state).toBe('awaitingTurn');
  });

  it('ends with its campaign when that is over meanwhile', () => {
    const call = late(dialling().hears('campaignOver', { reason: 'expired' }), 1);
    call.hears('campaignOver', { reason: 'expired' });
    expect([call.isOver, life(call)]).toMatchObject([true, { status: 'CANCEL', reason: 'expired' }]);
  });
});
