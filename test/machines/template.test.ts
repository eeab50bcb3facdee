import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { templateRecordTable } from '../../machines/template/record.ts';
import {
  accepted,
  answer,
  changes,
  checked,
  contextOf,
  payload,
  pending,
  record,
  stored,
  submission,
  submits,
} from './templates.ts';

const SECOND = 1_000;

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
  expect(Object.keys(templateRecordTable.insertColumns)).toEqual(names(before!).slice(2));
  expect(Object.keys(templateRecordTable.updateColumns)).toEqual(names(after!));
});
