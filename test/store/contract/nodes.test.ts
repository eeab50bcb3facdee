/** Who has which slot, and who lives. */
import { expect, it } from 'vitest';
import { at, aWrite, ofEveryStore } from './bed.ts';

ofEveryStore((here) => {
  it('gives nodes slots of their own and incarnations that ascend', async () => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    const [one, other] = [await here.store.register(node), await here.store.register(node)];
    expect(other.incarnation).toBeGreaterThan(one.incarnation);
    expect(other.slot).not.toBe(one.slot);
    const third = await here.store.register({ ...node, at: at + 60_000 });
    expect([one.slot, other.slot]).not.toContain(third.slot);
  });

  it('takes a slot of a silent node only when there is no other, and fences that node off', async () => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    const first = await here.store.register(node);
    const slots = new Set([first.slot]);
    for (let joined = 1; joined < 64; joined += 1)
      slots.add((await here.store.register({ ...node, at: at + 60_000 })).slot);
    expect(slots.size).toBe(64);
    await expect(here.store.register(node)).rejects.toThrow('in use');
    expect(
      (await here.store.beat({ incarnation: first.incarnation, at, mintedMs: 7, aheadMs: 0 })).alive,
    ).toBe(true);
    const late = await here.store.register({ ...node, at: at + 60_000 });
    expect(late).toMatchObject({ slot: first.slot, mintedMs: 7 });
    expect(
      (await here.store.beat({ incarnation: first.incarnation, at, mintedMs: 8, aheadMs: 0 })).alive,
    ).toBe(false);
  });

  it('lists which start of the server heard a node last, until the shard is opened with all that it wrote', async () => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    const heardBy = async (incarnation: number) => {
      const { nodes } = await here.store.beat({ incarnation: 0, at, mintedMs: 0, aheadMs: 0 });
      return nodes.find((one) => one.incarnation === incarnation)!.serverSince;
    };
    const first = await here.store.register(node);
    const thisStart = async () => (await here.store.standing(0)).serverSince;
    expect(await heardBy(first.incarnation)).toBe(await thisStart());
    await here.bed.restart();
    expect(await heardBy(first.incarnation)).not.toBe(await thisStart());
    const second = await here.store.register(node);
    await here.bed.restart();
    await here.store.beat({ incarnation: second.incarnation, at, mintedMs: 0, aheadMs: 0 });
    expect(await heardBy(second.incarnation)).toBe(await thisStart());
    await here.store.doubt('it may have gone back', at);
    await here.store.openAfterLoss(at);
    expect(await heardBy(first.incarnation)).toBeNull();
    expect(await heardBy(second.incarnation)).toBe(await thisStart());
  });

  it('fences a node that is declared dead: it beats no more', async () => {
    const { incarnation } = await here.store.register({
      name: 'n',
      process: 'p',
      at,
      aheadMs: 0,
      graceMs: 1_000,
    });
    const beat = async () => {
      const { alive, nodes } = await here.store.beat({ incarnation, at, mintedMs: 0, aheadMs: 0 });
      return { alive, seen: nodes.find((node) => node.incarnation === incarnation)! };
    };
    const { alive, seen } = await beat();
    expect(alive).toBe(true);
    const next = await beat();
    expect(next.seen.beats).toBe(seen.beats + 1);
    expect(await here.store.declareDead(incarnation, at + 900, seen)).toBe(false);
    expect((await beat()).alive).toBe(true);
    expect(await here.store.declareDead(incarnation, at, { ...seen, beats: seen.beats + 2 })).toBe(true);
    expect((await beat()).alive).toBe(false);
  });

  it('tells a node that joins how the time of those who live stands to its clock', async () => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    expect((await here.store.clockReference()).last).toBeNull();
    const [one, other] = [await here.store.register(node), await here.store.register(node)];
    await here.store.beat({ incarnation: one.incarnation, at: at + 5, mintedMs: 0, aheadMs: 60_000 });
    await here.store.beat({ incarnation: other.incarnation, at: at + 6, mintedMs: 0, aheadMs: -7 });
    expect((await here.store.clockReference()).last).toEqual({
      ...{ process: 'p', beats: 1, beatAt: at + 6, aheadMs: -7, left: false },
    });
    const living = async () =>
      [...(await here.store.clockReference()).living].toSorted((a, b) => a.incarnation - b.incarnation);
    const beats = [
      { incarnation: one.incarnation, beats: 1, beatAt: at + 5, aheadMs: 60_000 },
      { incarnation: other.incarnation, beats: 1, beatAt: at + 6, aheadMs: -7 },
    ];
    expect(await living()).toEqual(beats);
    await here.store.leaveNode(other.incarnation, at + 7);
    expect(await living()).toEqual(beats.slice(0, 1));
    expect((await here.store.clockReference()).last).toEqual({
      ...{ process: 'p', beats: 1, beatAt: at + 5, aheadMs: 60_000, left: false },
    });
    await here.store.leaveNode(one.incarnation, at + 8);
    expect((await here.store.clockReference()).last).toEqual({
      ...{ process: 'p', beats: 1, beatAt: at + 6, aheadMs: -7, left: true },
    });
    expect((await here.store.clockReference()).now).toBeCloseTo(await here.store.now(), -4);
  });

  /** Nodes in all slots, in the order they joined. */
  const full = async (): Promise<{ incarnation: number; slot: number }[]> => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    const nodes = [];
    for (let joined = 0; joined < 64; joined += 1) nodes.push(await here.store.register(node));
    return nodes;
  };
  const joins = () => here.store.register({ name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 });

  it('gives a slot away only when all who ever had it have stopped', async () => {
    const [first] = await full();
    await here.store.leaveNode(first!.incarnation, at);
    expect((await joins()).slot).toBe(first!.slot);
    await expect(joins()).rejects.toThrow('in use');
  });

  it('tells who takes a slot how far any of those before it has minted', async () => {
    const [first] = await full();
    await here.store.beat({ incarnation: first!.incarnation, at, mintedMs: at + 500, aheadMs: 0 });
    await here.store.leaveNode(first!.incarnation, at);
    const second = await joins();
    expect(second).toMatchObject({ slot: first!.slot, mintedMs: at + 500 });
    await here.store.beat({ incarnation: second.incarnation, at, mintedMs: at + 200, aheadMs: 0 });
    await here.store.leaveNode(second.incarnation, at);
    expect(await joins()).toMatchObject({ slot: first!.slot, mintedMs: at + 500 });
  });

  it('forgets nodes that ended long ago, and none that still holds a machine that has not', async () => {
    const holder = await joins();
    const idle = await joins();
    const fresh = await joins();
    const alive = await joins();
    const held = aWrite(1);
    held.row.heldBy = holder.incarnation;
    const over = aWrite(2);
    Object.assign(over.row, { heldBy: idle.incarnation, endedAt: at });
    await here.store.commit(0, [held, over], at);
    for (const { incarnation } of [holder, idle]) await here.store.leaveNode(incarnation, at);
    await here.store.leaveNode(fresh.incarnation, at + 10);
    await here.store.forgetNodes(at + 5);
    const beat = { incarnation: alive.incarnation, at, mintedMs: 0, aheadMs: 0 };
    const known = (await here.store.beat(beat)).nodes.map(({ incarnation }) => incarnation);
    const kept = [holder, fresh, alive].map(({ incarnation }) => incarnation);
    expect(known.toSorted((one, other) => one - other)).toEqual(kept);
  });
});
