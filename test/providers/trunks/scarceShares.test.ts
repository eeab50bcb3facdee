/** A trunk that bears less than there are processes: who has calls has it, and those that all have calls take turns. */
import { describe, expect, it } from 'vitest';
import { aWorld } from './shareWorld.ts';

const SCARCE = { callsPerSecond: 1, legs: 1_000 };

describe('a trunk of one call a second', () => {
  it('is had within two seconds by the process whose call waits, whichever had it', async () => {
    for (const names of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const world = aWorld(SCARCE);
      const [idle, busy] = [await world.node(names[0]!), await world.node(names[1]!)];
      await world.pass(3_000);
      busy.ask(1);
      await world.pass(2_300);
      expect(world.grants.map(({ process }) => process)).toEqual([busy.process]);
      await world.pass(2_000);
      idle.ask(1);
      await world.pass(2_300);
      expect(world.grants.map(({ process }) => process)).toEqual([busy.process, idle.process]);
    }
  });

  it('is nearly all used by one of five processes when the others are idle', async () => {
    const world = aWorld({ callsPerSecond: 3, legs: 1_000 });
    const nodes = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) nodes.push(await world.node(name));
    for (const node of nodes) node.ask(1);
    await world.pass(10_000);
    nodes[4]!.ask(100);
    await world.pass(4_000);
    const before = world.grants.length;
    await world.pass(4_000);
    expect(world.grants.length - before).toBeGreaterThanOrEqual(11);
  });

  it('carries what was granted before it was given back', async () => {
    const world = aWorld(SCARCE);
    const [a, b] = [await world.node('a'), await world.node('b')];
    for (let second = 0; second < 60; second++) {
      for (const { ask } of [a, b]) ask(1);
      await world.pass(1_000);
      for (const { process, shares } of [a, b]) {
        const isFresh = world.grants.some(
          (one) => one.process === process && one.at > world.clock.now() - 900,
        );
        if (isFresh) expect(shares.reservedOf('trunk')!.callsPerSecond).toBe(1);
      }
    }
  });

  it('is had by turns where several have calls all the time, and never twice in a second', async () => {
    const world = aWorld(SCARCE);
    const nodes = [await world.node('a'), await world.node('b'), await world.node('c')];
    for (let second = 0; second < 120; second++) {
      for (const node of nodes) node.ask(1);
      await world.pass(1_000);
    }
    const counts = nodes.map(
      ({ process }) => world.grants.filter((grant) => grant.process === process).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(25);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(90);
    expect(world.mostInASecond()).toBe(1);
  });
});

describe('places on a trunk', () => {
  it('fewer than processes are had by the one whose call waits', async () => {
    const world = aWorld({ callsPerSecond: 100, legs: 1 });
    const [idle, busy] = [await world.node('a'), await world.node('b')];
    await world.pass(3_000);
    busy.ask(1);
    await world.pass(2_300);
    expect([idle.live.length, busy.live.length]).toEqual([0, 1]);
  });

  it('go to others as legs end, also where every end is followed by another call', async () => {
    const world = aWorld({ callsPerSecond: 100, legs: 6 });
    const [a, b] = [await world.node('a'), await world.node('b')];
    a.ask(50);
    await world.pass(3_000);
    expect(a.live.length).toBe(6);
    b.ask(50);
    for (let second = 0; second < 12; second++) {
      a.end(1);
      await world.pass(1_000);
      expect(a.live.length + b.live.length).toBeLessThanOrEqual(6);
    }
    expect([a.live.length, b.live.length]).toEqual([3, 3]);
  });

  it('one place is had by turns where all have calls all the time', async () => {
    const world = aWorld({ callsPerSecond: 100, legs: 1 });
    const nodes = [await world.node('a'), await world.node('b')];
    for (const node of nodes) node.ask(200);
    for (let second = 0; second < 90; second++) {
      await world.pass(1_000);
      expect(nodes[0]!.live.length + nodes[1]!.live.length).toBeLessThanOrEqual(1);
      for (const node of nodes) node.end(1);
    }
    const counts = nodes.map(
      ({ process }) => world.grants.filter((grant) => grant.process === process).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });
});
