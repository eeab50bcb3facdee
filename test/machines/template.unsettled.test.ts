import { describe, expect, it } from 'vitest';
import { explainTemplate } from '../../machines/template/explain.ts';
import type { Story } from './story.ts';
import { accepted, answer, contextOf, definition, record, stored, submits } from './templates.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('a submission of which nobody knows', () => {
  const doubted = (): Story =>
    submits(stored()).hears('templateUnsettled', { submission: 1, text: 'the connection broke', answer: '' });

  it('is looked for by name and language, and taken when upstream has it', () => {
    const told = doubted();
    expect(told.asked).toEqual([
      {
        name: 'findTemplate',
        params: {
          ...{ line: 5, submission: 1, name: 'order_ready', language: 'pt_BR' },
          bodyText: definition.bodyText,
        },
      },
    ]);
    told.hears('templateFound', { submission: 1, upstreamId: '9001', status: 'PENDING', answer: '' });
    expect([told.state, answer(told, 's')?.upstreamId, told.count('submitTemplate')]).toEqual([
      'submitted.watched',
      '9001',
      1,
    ]);
  });

  it('is not judged by what became of an earlier one', () => {
    const told = submits(stored()).hears('templateRefused', { submission: 1, text: 'no', answer: '' });
    submits(told, 'again');
    const failure = { params: { submission: 1 }, reason: 'exhausted', message: 'away' };
    told.hears('submitTemplateFailed', failure);
    told.hears('outcomeUnknown', { effect: 'submitTemplate', params: { submission: 1 } });
    expect(told.state).toBe('submitting.posting');
    told.hears('outcomeUnknown', { effect: 'submitTemplate', params: { submission: 2 } });
    told.hears('findTemplateFailed', failure).hears('templateMissing', { submission: 1 });
    expect(told.state).toBe('submitting.looking');
  });

  it('is looked for when its process died, and when nothing was ever heard', () => {
    expect(submits(stored()).hears('outcomeUnknown', { effect: 'submitTemplate' }).state).toBe(
      'submitting.looking',
    );
    expect(submits(stored()).passes(10 * MINUTE).state).toBe('submitting.looking');
  });

  it('is looked for four times over some minutes before it is believed that upstream never got it', () => {
    const told = doubted();
    for (const pause of [5 * SECOND, 30 * SECOND, 2 * MINUTE]) {
      told.hears('templateMissing', { submission: 1 });
      expect(answer(told, 's')).toMatchObject({ why: 'unsettled', status: '' });
      expect(told.state).toBe('submitting.waiting');
      const before = told.at;
      expect(told.waits().at - before).toBe(pause);
    }
    expect(explainTemplate(told.context as never)).toMatchObject([{ rule: 'unknown' }]);
    told.hears('templateMissing', { submission: 1 });
    expect(record(told)).toMatchObject({
      state: 'stored',
      status: 'REJECTED',
      rejection_reason: 'the connection broke; upstream does not have it',
    });
    expect([told.count('submitTemplate'), told.isOver]).toEqual([1, false]);
  });

  it('waits for upstream to be reachable, and whoever submits it meanwhile hears that nobody knows', () => {
    const told = doubted();
    for (let looks = 1; looks < 49; looks += 1)
      told.hears('findTemplateFailed', { reason: 'triesUsedUp', message: '' }).waits();
    told.hears('findTemplateFailed', { reason: 'triesUsedUp', message: '' });
    expect(answer(submits(told, 'later'), 'later')?.why).toBe('unsettled');
    submits(told.waits(), 'last');
    told.hears('templateFound', { submission: 1, upstreamId: '9001', status: 'APPROVED', answer: '' });
    expect([told.state, answer(told, 'last')?.upstreamId]).toEqual(['submitted.resting', '9001']);
    expect(told.count('submitTemplate')).toBe(1);
  });

  it('is given up after fifty looks that upstream did not answer', () => {
    const told = doubted();
    for (let looks = 1; looks < 50; looks += 1)
      told.hears('findTemplateFailed', { reason: 'triesUsedUp', message: '' }).waits();
    told.hears('findTemplateFailed', { reason: 'triesUsedUp', message: '' });
    expect(record(told)['rejection_reason']).toBe(
      'the connection broke; upstream could not be asked whether it has it',
    );
  });

  it('believes an acceptance that comes late', () => {
    expect(accepted(doubted()).state).toBe('submitted.watched');
  });

  it('does not take the answer to an earlier submission for its own', () => {
    const told = submits(stored());
    told.hears('templateRefused', { submission: 1, text: 'no', answer: '' });
    submits(told, 't').hears('templateAccepted', { submission: 1, upstreamId: '8', status: 'PENDING' });
    expect([told.state, contextOf(told).upstreamId]).toEqual(['submitting.posting', '']);
  });
});
