import { describe, expect, it } from 'vitest';
import { campaignStateMachine } from '../../machines/campaign.ts';
import {
  anInput,
  at,
  type Doing,
  explained,
  HOUR,
  many,
  MINUTE,
  mostWithin,
  NOON,
  World,
} from './campaigns.ts';
import { Story } from './story.ts';

describe('a campaign', () => {
  it('dials every destination once and is completed when the last call has ended', () => {
    const world = new World(anInput(), { regions: many(250) }).passes(MINUTE);
    expect(world.dials.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    );
    expect(world.phase).toBe('completed');
    expect(world.story.state).toBe('completed');
    expect(world.counts).toMatchObject({
      destinations: 250,
      started: 250,
      made: 250,
      answered: 250,
      ended: 250,
    });
  });

  it('is completed at once when the list leaves nobody to dial', () => {
    const world = new World(anInput(), { regions: [], skipped: { blocklist: 3 } });
    expect(world.phase).toBe('completed');
    expect(world.counts).toMatchObject({ destinations: 0, skipped: 3 });
  });

  it('keeps the order of the list', () => {
    const world = new World(anInput(at(60)), { regions: ['SP', 'RJ', 'SP', 'BA', 'RJ'] }).passes(MINUTE);
    expect(world.dials.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps its place in the list when that is said to be generated once more', () => {
    const world = new World(anInput(at(60)), { regions: many(20) }).passes(5_000);
    expect(world.dials.length).toBeGreaterThan(2);
    world.hears('destinationsGenerated', { destinations: 20, skipped: {}, regions: { SP: 20 } });
    world.passes(HOUR);
    expect(world.dials.map(({ row }) => row)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(world.phase).toBe('completed');
  });

  it('takes a transfer back that did not come about', () => {
    const world = new World(anInput(), {
      regions: many(1),
      doing: () => [
        [40, 'attemptBegun', { attempt: 1 }],
        [2_000, 'callAnswered'],
        [2_000, 'callTransferred'],
        [2_000, 'transferUndone'],
        [2_000, 'callEnded', { was: 'up' }],
      ],
    }).passes(5_000);
    expect(world.counts['transferred']).toBe(1);
    expect(world.passes(MINUTE).counts).toMatchObject({ answered: 1, transferred: 0, ended: 1 });
  });

  it('is expired after its last day, and tells those who wait', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-18',
      timeStart: '08:00:00',
      timeEnd: '12:30:00',
    };
    const retries: Doing = [
      [40, 'attemptBegun', { attempt: 1 }],
      [1_000, 'attemptEnded'],
      [HOUR, 'attemptWanted'],
    ];
    const world = new World(anInput({ hours, ...at(1) }), { regions: many(100), doing: () => retries });
    world.passes(3 * HOUR);
    expect(world.story.state).toBe('expired');
    expect(world.dials.length).toBeLessThanOrEqual(31);
    expect(world.counts['ended']).toBe(world.counts['started']);
  });

  it('goes on when an expired campaign is given a later last day', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-18',
      timeStart: '08:00:00',
      timeEnd: '12:10:00',
    };
    const world = new World(anInput({ hours, ...at(1) }), { regions: many(30) }).passes(HOUR);
    expect(world.story.state).toBe('expired');
    world.hears('changed', { changes: { hours: { timeEnd: '23:00:00' } } }).passes(HOUR);
    expect(world.phase).toBe('completed');
  });

  it('is over when it is closed, calls nobody more, says why, and goes on when it is switched on again', () => {
    const world = new World(anInput(at(60)), { regions: many(30) }).passes(5_000);
    const before = world.dials.length;
    world.hears('close').passes(MINUTE);
    expect(world.story.state).toBe('expired');
    expect(world.dials.length).toBe(before);
    expect(explained(world)[0]).toMatchObject({ rule: 'closed' });
    expect(explained(world)[0]?.detail).toContain(`${30 - before} destinations are left`);
    world
      .hears('close')
      .hears('changed', { changes: { name: 'winter' } })
      .passes(MINUTE);
    expect(world.story.state).toBe('expired');
    world.hears('changed', { changes: { active: true } }).passes(HOUR);
    expect(world.phase).toBe('completed');
    expect(world.dials).toHaveLength(30);
  });

  it('is over as soon as its destinations are chosen when it was closed before', () => {
    const story = new Story(campaignStateMachine, anInput(), NOON, 31);
    story.hears('close', {});
    expect(story.state).toBe('loading');
    story.hears('destinationsGenerated', { destinations: 3, skipped: {}, regions: { SP: 3 } });
    expect(story.state).toBe('expired');
    expect(story.all.filter(({ name }) => name === 'generateDestinations')).toHaveLength(1);
  });

  it('is never dialled while it is a model', () => {
    const world = new World(anInput({ active: false }), { regions: many(3) });
    world.hears('changed', { changes: { model: true, active: true } }).passes(HOUR);
    expect(world.story.state).toBe('paused');
    expect(explained(world)[0]?.detail).toContain('model');
  });

  it('makes the audio of its calls before it grants them their attempt', () => {
    const call = { ...anInput().call, prompts: { opening: [{ text: 'Olá <NOME>', voice: 'v' }], slots: {} } };
    const world = new World(anInput({ call, ...at(60) }), { regions: many(90) }).passes(MINUTE);
    expect(world.dials.length).toBeGreaterThanOrEqual(57);
    expect(
      mostWithin(
        world.dials.map((dial) => dial.at),
        MINUTE,
      ),
    ).toBeLessThanOrEqual(61);
    expect(world.counts['started']! - world.counts['made']!).toBeLessThanOrEqual(15);
  });

  it('stands as failed when its list cannot be read, and is tried again on an operator’s word', () => {
    const world = new World(anInput(), { regions: many(2), unreadable: 1 });
    expect(world.story.state).toBe('failed');
    expect(explained(world)[0]?.detail).toContain('list is away');
    world.hears('reload').passes(MINUTE);
    expect(world.story.state).toBe('completed');
    expect(world.counts['made']).toBe(2);
  });

  it('hands its results to a delivery when it is over and its last call has ended', () => {
    const world = new World(anInput({ resultsProfile: 8 }), { regions: many(2) }).passes(MINUTE);
    expect(world.story.last('addressResults')).toEqual({ profile: 8 });
    world.hears('resultsAddressed', { delivery: 900, input: { subject: '31' } });
    expect(world.story.last('startMachine')).toEqual({ kind: 'delivery', id: 900, input: { subject: '31' } });
    expect(world.story.count('addressResults')).toBe(1);
  });

  it('delivers its results once more when it was over and went on', () => {
    const past = { ...anInput().hours, dateStart: '2026-01-01', dateEnd: '2026-01-02' };
    const world = new World(anInput({ resultsProfile: 8, hours: past }), { regions: many(2) }).passes(MINUTE);
    const isDelivered = (delivery: number): void => {
      world.hears('resultsAddressed', { delivery, input: { subject: '31' } }).passes(MINUTE);
    };
    isDelivered(900);
    world.hears('changed', { changes: { hours: { timeEnd: '23:00:00' } } }).passes(MINUTE);
    expect([world.story.state, world.story.count('addressResults')]).toEqual(['expired', 1]);
    world.hears('changed', { changes: { hours: { dateEnd: '2026-11-30' } } }).passes(MINUTE);
    expect([world.story.state, world.story.count('addressResults')]).toEqual(['completed', 2]);
    isDelivered(901);
    expect(world.story.last('startMachine')).toMatchObject({ kind: 'delivery', id: 901 });
  });

  it('asks again where its results go when nobody could say', () => {
    const world = new World(anInput({ resultsProfile: 8 }), { regions: many(2) }).passes(MINUTE);
    world.hears('addressResultsFailed', { params: { profile: 8 }, reason: 'exhausted', message: 'away' });
    expect(world.story.count('addressResults')).toBe(2);
  });
});
