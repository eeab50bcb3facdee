import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, contextOf, stored } from './templates.ts';

describe('a template, walked at random', () => {
  const ask = fc.integer({ min: 0, max: 400 }).map(String);
  const number = fc.integer({ min: 0, max: 3 });
  const check = fc.integer({ min: 0, max: 9 });
  const upstreamId = fc.constantFrom('1', '2', '3');
  const status = fc.constantFrom('PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DELETED', 'X');
  const text = fc.constant('t');
  const fact = (type: string, facts: Record<string, fc.Arbitrary<unknown>> = {}) =>
    fc.record({ type: fc.constant(type), facts: fc.record(facts) });
  const steps = fc.oneof(
    fc.constant(null),
    fact('submit', { ask, json: fc.constant('{"name":"n"}'), jsonWithUrls: text }),
    fact('check', { ask }),
    fact('delete', { ask, mode: fc.constantFrom('upstream', 'upstream', 'both', 'local') }),
    fact('edited', { ask, definition: fc.record({ bodyText: fc.constantFrom('a', 'b') }) }),
    fact('templateAccepted', { submission: number, upstreamId, status, answer: text }),
    fact('templateRefused', { submission: number, text, answer: text }),
    fact('templateUnsettled', { submission: number, text, answer: text }),
    fact('templateFound', { submission: number, upstreamId, status, answer: text }),
    fact('templateMissing', { submission: number }),
    fact('templateChecked', { check, status, name: text, reason: text }),
    fact('templateUnchecked', { check, text }),
    fact('templateGone', { upstreamId }),
    fact('templateKept', { upstreamId, text }),
    fact('statusTold', { status, occurredAt: fc.integer({ min: 0, max: 9 }) }),
    fact('outcomeUnknown', { effect: fc.constant('submitTemplate') }),
    ...['submitTemplateFailed', 'findTemplateFailed', 'checkTemplateFailed', 'deleteTemplateFailed'].map(
      (type) => fact(type, { message: text, reason: text, params: fc.record({ check }) }),
    ),
    fact('checkNow'),
    fact('takenOver'),
    fact('somethingElse'),
  );

  it('never throws, posts once at a time, answers everybody, and rests once time passes', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 80 }), (walk) => {
        const told = stored();
        const open = new Set<string>();
        const settle = (): void => {
          for (const { name, params } of told.asked)
            if (name === 'reach') open.delete(String(params['milestone']).replace('answered ', ''));
        };
        for (const step of walk) {
          const before = told.state;
          if (told.isOver) break;
          if (step === null) {
            if (told.timers.size > 0) told.waits();
          } else {
            const { type, facts } = step;
            if (type === 'submit') facts['editedAt'] = contextOf(told).editedAt;
            if ('ask' in facts && answer(told, String(facts['ask'])) === undefined)
              open.add(String(facts['ask']));
            told.hears(type, facts);
          }
          settle();
          const posts = told.asked.filter(({ name }) => name === 'submitTemplate').length;
          if (posts > 0) expect([posts, /^(stored|deleted|submitted)/.test(before)]).toEqual([1, true]);
          const { answers, changes: all, asks } = contextOf(told);
          expect([answers.length <= 64, all.length <= 100, asks.length <= 32]).toEqual([true, true, true]);
          expect([...open].toSorted()).toEqual([...asks].toSorted());
        }
        // Thirty days of polls that nobody answers: two timers an hour.
        for (let left = 1_600; told.timers.size > 0; left -= 1) {
          if (left === 0) throw new Error(`stuck in ${told.state}`);
          told.waits();
          settle();
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
