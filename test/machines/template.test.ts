import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainTemplate } from '../../machines/template/explain.ts';
import { templateRecord } from '../../machines/template/record.ts';
import type { Story } from './story.ts';
import {
  accepted,
  answer,
  changes,
  checked,
  contextOf,
  definition,
  payload,
  pending,
  record,
  stored,
  submission,
  submits,
} from './templates.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a template that is submitted', () => {
  it('is posted once, with the payload it was given, and answers whoever asked', () => {
    const told = submits(stored());
    expect(told.asked).toEqual([
      { name: 'submitTemplate', params: { line: 5, submission: 1, body: payload } },
    ]);
    expect([told.state, record(told)['state']]).toEqual(['submitting.posting', 'submitting']);
    accepted(told.passes(300));
    expect(told.asked).toContainEqual({ name: 'reach', params: { milestone: 'answered s' } });
    expect(answer(told, 's')).toEqual({
      ...{ asks: ['s'], text: '', status: 'PENDING', previous: '', upstreamId: '9001', name: 'order_ready' },
      answer: '{"id":"9001"}',
    });
    expect(record(told)).toMatchObject({
      state: 'submitted',
      status: 'PENDING',
      told_status: 'PENDING',
      upstream_id: '9001',
      meta_json: JSON.stringify(payload),
      removed: false,
    });
    expect(JSON.parse(String(record(told)['changes']))).toEqual([
      { at: told.start + 300, status: 'PENDING', by: 'submit', reason: '', upstreamId: '9001' },
    ]);
  });

  it('is posted once however many ask at a time, and all are answered', () => {
    const told = accepted(submits(submits(submits(stored(), 'a'), 'b'), 'c'));
    expect([told.count('submitTemplate'), answer(told, 'a')?.asks]).toEqual([1, ['a', 'b', 'c']]);
  });

  it('is not posted again while upstream has it, nor when the same is asked twice', () => {
    const told = submits(pending(), 'again');
    expect([told.state, answer(told, 'again')?.why]).toEqual(['submitted.watched', 'submitted']);
    expect(submits(told, 's').asked).toEqual([]);
    expect(told.count('submitTemplate')).toBe(1);
  });

  it('is REJECTED with upstream’s reason when that refuses it, and may be submitted again', () => {
    const told = submits(stored());
    told.hears('templateRefused', { submission: 1, text: 'Template name exists', answer: '{"error":1}' });
    expect(answer(told, 's')).toMatchObject({
      why: 'refused',
      text: 'Template name exists',
      answer: '{"error":1}',
      status: 'REJECTED',
    });
    expect(record(told)).toMatchObject({
      state: 'stored',
      status: 'REJECTED',
      told_status: 'REJECTED',
      rejection_reason: 'Template name exists',
      upstream_id: '',
    });
    expect(submits(told, 't').last('submitTemplate')).toMatchObject({ submission: 2 });
  });

  it('is REJECTED as well when it could not be posted at all', () => {
    const told = submits(stored()).hears('submitTemplateFailed', { reason: 'noLine', message: 'no line 5' });
    expect(record(told)).toMatchObject({ status: 'REJECTED', rejection_reason: 'no line 5' });
  });

  it('is not made of what was edited after the payload was', () => {
    const told = stored().hears('edited', { ask: 'e', definition: { bodyText: 'Other' } });
    told.hears('submit', { ask: 's', editedAt: told.start, json: '{}', jsonWithUrls: '{}' });
    expect([told.state, answer(told, 's')?.why]).toEqual(['stored', 'edited']);
  });

  it('cannot be edited or deleted while it is under way', () => {
    const told = submits(stored());
    told.hears('edited', { ask: 'e', definition: { bodyText: 'Other' } });
    told.hears('delete', { ask: 'd', mode: 'local' });
    expect([told.state, answer(told, 'e')?.why, answer(told, 'd')?.why]).toEqual([
      'submitting.posting',
      'busy',
      'busy',
    ]);
  });
});

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

describe('a template that is edited', () => {
  it('is stored again when it was submitted, and its history tells what was', () => {
    const told = checked(pending().waits(), 'APPROVED');
    told.passes(SECOND).hears('edited', { ask: 'e', definition: { bodyText: 'Pronto!' } });
    expect(record(told)).toMatchObject({
      state: 'stored',
      status: '',
      told_status: '',
      upstream_id: '',
      body_text: 'Pronto!',
      name: 'order_ready',
      meta_json: '',
      updated_at: told.at,
    });
    expect(changes(told)).toEqual(['submit PENDING', 'poll APPROVED', 'edit ']);
    expect(contextOf(told).changes.at(-1)).toMatchObject({ upstreamId: '9001' });
    expect(answer(told.hears('check', { ask: 'c' }), 'c')?.why).toBe('notSubmitted');
  });

  it('stays as it is when nothing was changed', () => {
    const told = pending().hears('edited', { ask: 'e', definition: { name: 'order_ready' } });
    expect([told.state, answer(told, 'e')?.why, changes(told)]).toEqual([
      'submitted.watched',
      undefined,
      ['submit PENDING'],
    ]);
  });
});

describe('a template that is deleted', () => {
  const deletes = (told: Story, mode: string): Story => told.hears('delete', { ask: 'd', mode });
  const gone = (told: Story): Story => told.hears('templateGone', { upstreamId: '9001' });

  it('upstream only: the row is kept as DELETED, and can be submitted anew', () => {
    const told = deletes(pending(), 'upstream');
    const asked = { line: 5, upstreamId: '9001', name: 'order_ready' };
    expect(told.last('deleteTemplate')).toEqual({ ...asked, known: 'there' });
    gone(told);
    expect(record(told)).toMatchObject({ state: 'deleted', status: 'DELETED', removed: false });
    expect([answer(told, 'd')?.why, changes(told).at(-1)]).toEqual([undefined, 'delete DELETED']);
    expect(told.hears('statusTold', { status: 'APPROVED' }).state).toBe('deleted');
    expect(submits(told, 't').state).toBe('submitting.posting');
  });

  it('in both places: the row goes when upstream has deleted it', () => {
    const told = gone(deletes(pending(), 'both'));
    expect([told.isOver, record(told)['removed'], answer(told, 'd')?.why]).toEqual([true, true, undefined]);
  });

  it('again in both places: upstream is told that it is known to be gone, and the row goes', () => {
    const told = gone(deletes(pending(), 'upstream')).hears('delete', { ask: 'again', mode: 'both' });
    expect(told.last('deleteTemplate')).toMatchObject({ known: 'deleted' });
    expect([gone(told).isOver, record(told)['removed']]).toEqual([true, true]);
  });

  it('here only: nothing is sent, submitted or not', () => {
    for (const told of [stored(), pending(), pending().hears('check', { ask: 'c' })]) {
      const before = told.effects.length;
      deletes(told, 'local');
      expect([told.isOver, told.effects, record(told)['removed']]).toEqual([true, [], true]);
      expect([told.count('deleteTemplate'), before < 2]).toEqual([0, true]);
    }
  });

  it('not at all when it was not submitted and upstream is to delete it', () => {
    for (const mode of ['upstream', 'both']) {
      const told = deletes(stored(), mode);
      expect([told.state, answer(told, 'd')?.why]).toEqual(['stored', 'notSubmitted']);
    }
  });

  it('is not taken for another that upstream had before', () => {
    const told = deletes(pending(), 'both');
    told.hears('templateGone', { upstreamId: '8000' });
    told.hears('templateKept', { upstreamId: '8000', text: 'no' });
    told.hears('deleteTemplateFailed', {
      ...{ params: { upstreamId: '8000' }, reason: 'exhausted', message: 'away' },
    });
    expect(told.state).toBe('deleting');
    expect(told.hears('templateGone', { upstreamId: '9001' }).isOver).toBe(true);
  });

  it('not when upstream says no: it stays what it was', () => {
    const told = deletes(pending(), 'both').hears('templateKept', {
      upstreamId: '9001',
      text: 'no permission',
    });
    expect([told.state, answer(told, 'd')]).toMatchObject([
      'submitted.watched',
      { why: 'refused', text: 'no permission' },
    ]);
  });

  it('after all, when upstream’s word comes late', () => {
    const told = deletes(pending(), 'upstream').passes(10 * MINUTE);
    expect([told.state, answer(told, 'd')?.why]).toEqual(['submitted.watched', 'refused']);
    expect(gone(told).state).toBe('deleted');
  });
});

it('keeps upstream’s raw words of its last four answers only', () => {
  const told = stored();
  for (let nth = 0; nth < 9; nth += 1) {
    submits(told, `s${nth}`);
    told.hears('templateRefused', { submission: submission(told), text: 'no', answer: `raw ${nth}` });
  }
  expect(contextOf(told).answers.map((one) => one.answer)).toEqual([
    ...['', '', '', '', ''],
    ...['raw 5', 'raw 6', 'raw 7', 'raw 8'],
  ]);
});

it('forgets the milestones of answers that it no longer keeps', () => {
  const told = pending();
  const passed = new Set<string>();
  for (let nth = 0; nth < 100; nth += 1) {
    told.hears('check', { ask: `c${nth}` });
    checked(told, 'PENDING');
    for (const { name, params } of told.asked)
      if (name === 'reach') passed.add(String(params['milestone']));
      else if (name === 'forget') passed.delete(String(params['milestone']));
  }
  expect(passed.size).toBe(64);
  expect([...passed].at(-1)).toBe('answered c99');
});

it('the record of a template has the columns of the table, in its two parts', () => {
  const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const model = /model Template \{([\s\S]*?)\n\}/.exec(schema)![1]!;
  const names = (part: string): string[] =>
    [...part.matchAll(/^ {2}([a-z]\w*) /gm)].map((match) => match[1]!);
  const [before, after] = model.split('// living');
  expect(Object.keys(templateRecord.born)).toEqual(names(before!).slice(2));
  expect(Object.keys(templateRecord.living)).toEqual(names(after!));
});
