/** An attempt goes on with another trunk where one refused its leg before it rang, and has one outcome all the same. */
import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../machines/call/context.ts';
import { end, prepared } from './calls.ts';
import { granted } from './turns.ts';
import type { Story } from './story.ts';

const failover = [500, 503];
const noCircuit = { sipStatus: 503, cause: 34, by: 'them' };

const dialledOn = (route: string, changes: Parameters<typeof prepared>[0] = {}): Story =>
  prepared(changes).hears('cleared', { route, failover });

const refused = (told: Story, leg: number, more: Record<string, unknown> = {}): Story =>
  told.hears('hungUp', end(leg, 'congestion', { ...noCircuit, ...more }));

const contextOf = (told: Story): CallContext => told.context as unknown as CallContext;

describe('where a trunk refuses the leg', () => {
  it('asks for another within the same attempt, and dials a leg there', () => {
    const asked = refused(dialledOn('a'), 1);
    expect(asked.state).toBe('rerouting');
    expect(asked.last('requestClearance')).toMatchObject({ attempt: 1, tried: ['a'], question: 2 });
    const dialled = asked.hears('cleared', { route: 'b', question: 2 });
    expect(dialled.state).toBe('dialing.placing');
    expect(dialled.last('originate')).toMatchObject({ leg: 2, attempt: 1, trunk: 'b' });
    const { attempts, dial } = contextOf(dialled.hears('ringing', { leg: 2 }).hears('answered', { leg: 2 }));
    expect([attempts, dial.attempt, dial.route]).toEqual([[], 1, 'b']);
  });

  it('asks for none when a leg that was adopted while it rang is refused', () => {
    const told = dialledOn('a').hears('takenOver').hears('legFound', { leg: 1, state: 'ringing' });
    expect(told.state).toBe('dialing.ringing');
    refused(told, 1);
    expect([told.state, told.count('originate')]).toEqual(['ended', 1]);
  });

  it('asks for another when a leg that was adopted had not rung', () => {
    const told = dialledOn('a').hears('takenOver').hears('legFound', { leg: 1, state: 'dialing' });
    expect(refused(told, 1).state).toBe('rerouting');
  });

  it('writes down who refused it with the attempt', () => {
    const told = refused(dialledOn('a'), 1).hears('cleared', { route: 'b', question: 2 });
    const { attempts } = contextOf(told.hears('hungUp', end(2, 'busy', { sipStatus: 486, cause: 17 })));
    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({ route: 'b', status: 'BUSY', sipStatus: 486 });
    expect(attempts[0]!.tries).toMatchObject([{ route: 'a', leg: 1, reason: 'congestion', sipStatus: 503 }]);
  });

  it.each(['refused', 'postponed', 'requestClearanceFailed'])(
    'ends the attempt as its last leg ended when another is %s',
    (answer) => {
      const told = refused(dialledOn('a'), 1).hears(answer, { question: 2, params: {}, until: 1 });
      const { attempts } = contextOf(told);
      expect(told.state).toBe('ended');
      expect(attempts).toMatchObject([{ route: 'a', status: 'CONGESTION', sipStatus: 503, cause: 34 }]);
      expect(attempts[0]).not.toHaveProperty('tries');
    },
  );

  it('does not wait long for another', () => {
    const told = refused(dialledOn('a'), 1).passes(5_000);
    expect([told.state, told.count('withdrawClearance')]).toEqual(['ended', 1]);
    expect(contextOf(told).attempts).toMatchObject([{ status: 'CONGESTION' }]);
  });

  it('ends as cancelled when an operator cancels it meanwhile', () => {
    const told = refused(dialledOn('a'), 1).hears('cancel');
    expect(contextOf(told).attempts).toMatchObject([{ status: 'CANCEL', reason: 'cancelled' }]);
    expect([told.state, told.count('withdrawClearance')]).toEqual(['ended', 1]);
  });

  it('asks anew when its process died', () => {
    const told = refused(dialledOn('a'), 1).hears('takenOver');
    expect([told.state, told.count('requestClearance')]).toEqual(['rerouting', 3]);
  });

  it('passes over an answer to an earlier question', () => {
    expect(refused(dialledOn('a'), 1).hears('cleared', { route: 'b', question: 1 }).state).toBe('rerouting');
  });

  it('dials no more trunks than eight', () => {
    let told = dialledOn('t1');
    for (let leg = 1; leg < 8; leg++)
      told = refused(told, leg).hears('cleared', { route: `t${leg + 1}`, failover, question: leg + 1 });
    expect(refused(told, 8).state).toBe('ended');
    expect(told.count('originate')).toBe(8);
  });

  it('begins the next attempt without what the last one was refused by', () => {
    const told = refused(dialledOn('a', { schedule: { tries: 2 } }), 1)
      .hears('cleared', { route: 'b', question: 2 })
      .hears('hungUp', end(2, 'busy', { sipStatus: 486, cause: 17 }))
      .hears('retryNow');
    expect(told.last('requestClearance')).not.toHaveProperty('tried');
    const { dial } = contextOf(told.hears('cleared', { route: 'a', question: 3 }));
    expect([dial.attempt, dial.tries, dial.failover]).toEqual([2, undefined, undefined]);
  });

  it('keeps the number for its campaign, which hears of one attempt', () => {
    const told = granted().hears('cleared', { route: 'a', failover });
    const before = [told.count('claim'), told.count('release')];
    const rerouted = refused(told, 1).hears('cleared', { route: 'b', question: 2 });
    expect([rerouted.count('claim'), rerouted.count('release')]).toEqual(before);
  });
});

describe('no other trunk is tried', () => {
  const stays = (told: Story): void => {
    expect(told.count('requestClearance')).toBe(1);
    expect(contextOf(told).attempts).toHaveLength(1);
  };

  it('where there is none', () => stays(refused(prepared().hears('cleared', { route: 'a' }), 1)));

  it('after it rang', () => stays(refused(dialledOn('a').hears('ringing', { leg: 1 }), 1)));

  it('after it rang, which only its adoption told', () => {
    const taken = dialledOn('a').hears('takenOver').hears('legFound', { leg: 1, state: 'ringing' });
    expect(taken.state).toBe('dialing.ringing');
    stays(refused(taken, 1));
    expect(contextOf(taken).attempts[0]!.rangAt).toBeGreaterThan(0);
  });

  it('when the further one could not be dialled in time: it ends as its last leg did', () => {
    const told = refused(dialledOn('a', { schedule: { tries: 2 } }), 1).hears('cleared', {
      route: 'b',
      question: 2,
    });
    told.hears('originateFailed', { reason: 'late', message: 'too late', params: { leg: 2 } });
    expect([told.state, told.count('requestClearance')]).toEqual(['retrying', 2]);
    expect(contextOf(told).attempts).toMatchObject([
      { attempt: 1, route: 'a', status: 'CONGESTION', sipStatus: 503 },
    ]);
  });

  it('after busy', () =>
    stays(dialledOn('a').hears('hungUp', end(1, 'busy', { sipStatus: 486, cause: 17, by: 'them' }))));

  it('for a SIP answer that the trunk does not name', () =>
    stays(refused(dialledOn('a'), 1, { sipStatus: 404, cause: 1 })));

  it('for a leg that was lost', () => stays(refused(dialledOn('a'), 1, { lost: true })));

  it('for a leg that may ring somewhere', () => {
    const told = dialledOn('a').hears('originateFailed', {
      reason: 'timeout',
      message: 'm',
      params: { leg: 1 },
    });
    expect(told.state).toBe('checking');
  });
});

it('goes on where the server surely never dialled', () => {
  const failed = { reason: 'unreachable', message: 'away', params: { leg: 1 } };
  expect(dialledOn('a').hears('originateFailed', failed).state).toBe('rerouting');
});

it('goes by the cause where there is no SIP answer', () => {
  expect(refused(dialledOn('a'), 1, { sipStatus: 0, cause: 34 }).state).toBe('rerouting');
  expect(refused(dialledOn('a'), 1, { sipStatus: 0, cause: 21 }).state).toBe('ended');
});
