import { describe, expect, it } from 'vitest';
import type { Story } from './story.ts';
import { answer, changes, pending, record, stored, submits } from './templates.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

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
