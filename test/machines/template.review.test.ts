import { describe, expect, it } from 'vitest';
import { explainTemplate } from '../../machines/template/explain.ts';
import type { Story } from './story.ts';
import { answer, changes, checked, pending, record } from './templates.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a template under review', () => {
  it('is asked for after 10 s, 30 s, 1, 2, 5, 10, 20, 40 minutes, and then every hour', () => {
    const told = pending();
    const pauses: number[] = [];
    for (let polls = 0; polls < 11; polls += 1) {
      const before = told.at;
      told.waits();
      pauses.push((told.at - before) / SECOND);
      expect(told.last('checkTemplate')).toMatchObject({ line: 5, upstreamId: '9001' });
      checked(told, 'PENDING');
    }
    expect(pauses).toEqual([10, 30, 60, 120, 300, 600, 1200, 2400, 3600, 3600, 3600]);
    expect(changes(told)).toEqual(['submit PENDING']);
  });

  it('is no longer asked for after 30 days', () => {
    const told = pending();
    while (told.armed.includes('nextPoll')) checked(told.waits(), 'PENDING');
    expect(told.at - told.start).toBeGreaterThanOrEqual(30 * DAY);
    expect(told.at - told.start).toBeLessThan(30 * DAY + HOUR);
    expect([told.state, told.armed]).toEqual(['submitted.resting', []]);
  });

  it('is APPROVED by the schedule, and the next check tells it as news', () => {
    const told = checked(pending().waits(), 'APPROVED');
    expect([told.state, changes(told)]).toEqual(['submitted.resting', ['submit PENDING', 'poll APPROVED']]);
    expect(record(told)).toMatchObject({ status: 'APPROVED', told_status: 'PENDING' });
    checked(told.hears('check', { ask: 'c' }), 'APPROVED');
    expect(answer(told, 'c')).toMatchObject({ previous: 'PENDING', status: 'APPROVED' });
    checked(told.hears('check', { ask: 'd' }), 'APPROVED');
    expect(answer(told, 'd')).toMatchObject({ previous: 'APPROVED', status: 'APPROVED' });
    expect(changes(told)).toHaveLength(2);
  });

  it('is APPROVED by a hook, and REJECTED with its reason', () => {
    const told = pending().hears('statusTold', { status: 'APPROVED', reason: 'NONE' });
    expect([told.state, record(told)['status'], record(told)['told_status']]).toEqual([
      'submitted.resting',
      'APPROVED',
      'PENDING',
    ]);
    told.hears('statusTold', { status: 'REJECTED', reason: 'INVALID_FORMAT' });
    expect(record(told)).toMatchObject({ status: 'REJECTED', rejection_reason: 'INVALID_FORMAT' });
    expect(explainTemplate(told.context as never)).toMatchObject([{ detail: 'REJECTED: INVALID_FORMAT' }]);
    expect(changes(told)).toEqual(['submit PENDING', 'hook APPROVED', 'hook REJECTED']);
  });

  it('does not hear a hook twice, nor one that was overtaken', () => {
    const told = pending().hears('statusTold', { status: 'APPROVED', occurredAt: 2_000 });
    told.hears('statusTold', { status: 'APPROVED', occurredAt: 2_000 });
    told.hears('statusTold', { status: 'PENDING', occurredAt: 1_000 });
    expect(changes(told)).toEqual(['submit PENDING', 'hook APPROVED']);
    told.hears('statusTold', { status: 'PAUSED', occurredAt: 3_000 });
    expect(record(told)['status']).toBe('PAUSED');
  });

  it('asks again when a hook tells something while upstream is asked, and believes only the later answer', () => {
    const told = pending().hears('check', { ask: 'c' });
    told.hears('statusTold', { status: 'APPROVED' });
    expect([told.state, told.effects]).toEqual(['checking', ['checkTemplate']]);
    told.hears('templateChecked', { check: 1, status: 'PENDING', name: '', reason: '' });
    expect([told.state, answer(told, 'c')]).toEqual(['checking', undefined]);
    checked(told, 'APPROVED');
    expect(answer(told, 'c')).toMatchObject({ previous: 'PENDING', status: 'APPROVED' });
    expect(changes(told)).toEqual(['submit PENDING', 'hook APPROVED']);
  });

  it('keeps a status that nobody here has heard of', () => {
    expect(record(checked(pending().waits(), 'LIMIT_EXCEEDED'))['status']).toBe('LIMIT_EXCEEDED');
  });

  it('asks upstream once for all who ask at a time', () => {
    const told = pending().hears('check', { ask: 'a' }).hears('check', { ask: 'b' });
    checked(told, 'APPROVED');
    expect([told.count('checkTemplate'), answer(told, 'b')?.asks]).toEqual([1, ['a', 'b']]);
    expect(changes(told).at(-1)).toBe('check APPROVED');
  });

  it('says that upstream said no to a check, and goes on asking by its schedule', () => {
    const told = pending().hears('check', { ask: 'a' });
    told.hears('templateUnchecked', { check: 1, text: 'token expired' });
    expect(answer(told, 'a')).toMatchObject({ why: 'refused', text: 'token expired', status: 'PENDING' });
    expect([told.state, told.armed]).toEqual(['submitted.watched', ['nextPoll']]);
    told.waits();
    told.hears('checkTemplateFailed', {
      params: told.last('checkTemplate'),
      ...{ reason: 'noLine', message: 'no line 5' },
    });
    expect(told.waits().passes(10 * MINUTE).state).toBe('submitted.watched');
  });

  it('is asked for at once when an operator says so', () => {
    expect(pending().hears('checkNow').effects).toEqual(['checkTemplate']);
  });
});

describe('what upstream changes of a template by itself', () => {
  const notice = (told: Story, trait: string, word: string, more: object = {}): Story =>
    told.hears('traitTold', { upstreamId: '9001', trait, word, ...more });
  const traits = (told: Story): unknown[] => [record(told)['upstream_category'], record(told)['quality']];

  it('is kept beside what was asked for, wherever the template stands', () => {
    const told = notice(notice(pending(), 'category', 'MARKETING'), 'quality', 'YELLOW');
    expect([told.state, traits(told)]).toEqual(['submitted.watched', ['MARKETING', 'YELLOW']]);
    expect(record(told)).toMatchObject({ category: 'UTILITY', status: 'PENDING' });
    expect(traits(notice(told.hears('checkNow'), 'quality', 'RED'))).toEqual(['MARKETING', 'RED']);
  });

  it('is not taken back by an earlier word, nor by one of another template', () => {
    const told = notice(pending(), 'quality', 'RED', { occurredAt: 2_000 });
    notice(told, 'quality', 'GREEN', { occurredAt: 1_000 });
    notice(told, 'quality', 'GREEN', { upstreamId: '9002' });
    expect(traits(told)).toEqual(['', 'RED']);
    expect(traits(notice(told, 'quality', 'GREEN', { occurredAt: 3_000 }))).toEqual(['', 'GREEN']);
  });

  it('ends with an edit: that is another template upstream', () => {
    const told = notice(pending(), 'quality', 'RED').hears('edited', {
      ask: 'e',
      definition: { bodyText: 'x' },
    });
    expect(traits(told)).toEqual(['', '']);
  });
});
