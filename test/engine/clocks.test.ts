/** Clocks are set, machines are suspended: timers keep their time, who lives is not buried, what is old does not begin. */
import { describe, expect, it } from 'vitest';
import {
  account,
  born,
  buried,
  databaseSet,
  GRACE_MS,
  type Host,
  HOUR_MS,
  join,
  joined,
  jumps,
  MINUTE_MS,
  pass,
  rung,
  setDatabase,
  silenceDatabase,
  store,
  useHosts,
  waitMs,
  wireMs,
} from './hosts.ts';

useHosts();

/** So far may nodes be apart whose machine was suspended without a word. */
const BEHIND_MS = GRACE_MS / 2;

const steps = [-HOUR_MS, -MINUTE_MS, -1_500, -300, 300, 1_500, MINUTE_MS, 9 * MINUTE_MS];

describe('a database whose clock is set', () => {
  it.each(steps)('by %i ms leaves timers their time', async (byMs) => {
    const host = await join();
    const [ref, later] = [await born(host), await born(host)];
    void host.engine.send(ref, { type: 'wait' });
    await pass(waitMs / 2);
    void host.engine.send(later, { type: 'wait' });
    await pass(1_000);
    setDatabase(byMs);
    await pass(waitMs / 2 - 2_000);
    expect(await rung(host, ref)).toBe(0);
    await pass(1_500);
    expect(await rung(host, ref)).toBe(1);
    await pass(waitMs / 2 - 2_000);
    expect(await rung(host, later)).toBe(0);
    await pass(2_500);
    expect(await rung(host, later)).toBe(1);
  });

  it.each(steps)(
    'by %i ms buries nobody who lives, of those who are there and those who join',
    async (byMs) => {
      await join();
      await join();
      setDatabase(byMs);
      await pass(500);
      await join();
      await pass(MINUTE_MS);
      await join();
      await pass(2 * MINUTE_MS);
      expect({ buried, joined }).toEqual({ buried: 0, joined: 4 });
    },
  );

  it.each(steps)('by %i ms leaves those who join later at the time of those who are there', async (byMs) => {
    const one = await join();
    setDatabase(byMs);
    await pass(5_000);
    const other = await join();
    expect(Math.abs(other.now - one.now)).toBeLessThan(50);
    await pass(10 * MINUTE_MS);
    expect(Math.abs(other.now - one.now)).toBeLessThan(50);
  });

  it.each(steps)('by %i ms leaves one who joins at the same moment at about their time', async (byMs) => {
    const one = await join();
    await pass(1_900);
    setDatabase(byMs);
    const other = await join();
    expect(Math.abs(other.now - one.now)).toBeLessThan((1.5 * GRACE_MS) / 5 + 50);
  });

  it.each([-MINUTE_MS, 9 * MINUTE_MS])(
    'by %i ms leaves one who joins at the time of a node that beats, though the last that beat before is paused',
    async (byMs) => {
      const [one, paused] = [await join(), await join()];
      // Behind the other, so that its heartbeats do not look like the latest ones.
      one.freezes = true;
      one.suspend(BEHIND_MS);
      await pass(BEHIND_MS + GRACE_MS / 5);
      setDatabase(byMs);
      paused.pause(GRACE_MS / 2);
      const other = await join();
      expect(Math.abs(other.now - one.now)).toBeLessThan(500);
      expect(buried).toBe(0);
    },
  );

  it('lets no claim of a node that was paused meanwhile end earlier for one who joined', async () => {
    const one = await join();
    await pass(1_900);
    one.pause(GRACE_MS / 2 + 2_000);
    setDatabase(9 * MINUTE_MS);
    const other = await join();
    await pass(GRACE_MS / 2 + 2_000);
    expect(buried).toBe(0);
    expect(other.now - one.now).toBeGreaterThan(8 * MINUTE_MS);
    const claims = [{ key: 'number', forMs: 5 * MINUTE_MS }];
    const claim = async (host: Host): Promise<string> => {
      const begun = host.engine.start({ shard: 'a', account, kind: 'watch', input: {}, claims });
      await pass(100);
      return (await begun).outcome;
    };
    expect(await claim(one)).toBe('started');
    await pass(4 * MINUTE_MS);
    expect(await claim(other)).toBe('claimed');
    await pass(MINUTE_MS + GRACE_MS);
    expect(await claim(other)).toBe('started');
  });

  it('is followed slowly, and time never goes back', async () => {
    const host = await join();
    setDatabase(-MINUTE_MS);
    let last = host.engine.now('a');
    for (let second = 0; second < 7_000; second += 1) {
      await pass(1_000);
      const now = host.engine.now('a');
      expect(now - last).toBeGreaterThan(950);
      expect(now - last).toBeLessThan(1_050);
      last = now;
    }
    expect(Math.abs(host.now - databaseSet)).toBeLessThan(50);
  });

  it('does not take time back at the moment it is asked for, either', async () => {
    const host = await join();
    setDatabase(-MINUTE_MS);
    let last = host.engine.now('a');
    for (let look = 0; look < 4_000; look += 1) {
      await pass(5);
      expect(host.engine.now('a')).toBeGreaterThanOrEqual(last);
      last = host.engine.now('a');
    }
  });

  it('is reported once, by each node', async () => {
    await join();
    await join();
    setDatabase(-MINUTE_MS);
    await pass(MINUTE_MS);
    expect(jumps.toSorted()).toEqual(['process 0: database', 'process 1: database']);
    setDatabase(300);
    await pass(MINUTE_MS);
    expect(jumps).toHaveLength(2);
  });

  it('back by minutes while nobody runs does not let timers wait for it', async () => {
    const one = await join();
    const ref = await born(one);
    void one.engine.send(ref, { type: 'wait' });
    await pass(1_000);
    const stopping = one.engine.stop();
    await pass(1_000);
    await stopping;
    setDatabase(-5 * MINUTE_MS);
    const other = await join();
    await pass(GRACE_MS + waitMs);
    expect(await rung(other, ref)).toBe(1);
  });

  it.each([-HOUR_MS, HOUR_MS])('by an hour (%i) while nobody runs is believed', async (byMs) => {
    const one = await join();
    const stopping = one.engine.stop();
    await pass(1_000);
    await stopping;
    setDatabase(byMs);
    const other = await join();
    expect(Math.abs(other.now - byMs)).toBeLessThan(50);
  });

  it('forward by more than ten minutes is believed slowly, when the wall clock says otherwise', async () => {
    const host = await join();
    setDatabase(1_000 * HOUR_MS);
    await pass(MINUTE_MS);
    expect(host.now).toBeLessThan(1_000);
  });

  it('forward by more than ten minutes is believed at once, when the wall clock agrees', async () => {
    const host = await join();
    host.wallSet += HOUR_MS + 1_000;
    setDatabase(HOUR_MS);
    await pass(5_000);
    expect(Math.abs(host.now - HOUR_MS)).toBeLessThan(50);
  });
});

describe('a node that dies', () => {
  it('is taken for dead when its heartbeats have stood still for a grace time, whatever the clocks say', async () => {
    const [one, other] = [await join(), await join()];
    const ref = await born(one);
    await pass(4_000);
    one.engine.abandon();
    setDatabase(-MINUTE_MS);
    await pass(GRACE_MS - GRACE_MS / 5 - 100);
    expect(buried).toBe(0);
    await pass((2 * GRACE_MS) / 5 + 200);
    expect(buried).toBe(1);
    await pass(1_000);
    expect((await store.read([ref]))[0]!.heldBy).toBe(other.engine.shards.get('a')!.membership.incarnation);
  });

  it('is watched anew by one who was away itself', async () => {
    const [one, other] = [await join(), await join()];
    await pass(4_000);
    one.engine.abandon();
    other.suspend(HOUR_MS);
    await pass(HOUR_MS + GRACE_MS - 100);
    expect(buried).toBe(0);
    await pass(GRACE_MS / 2);
    expect(buried).toBe(1);
  });
});

describe('a machine that was suspended', () => {
  /** It sends the commit that asks for a dial, and sleeps before it hears of it. */
  const sleepsBeforeDial = async (host: Host, ms: number): Promise<{ id: number }> => {
    const ref = await born(host);
    host.engine.send(ref, { type: 'dial' }).catch(() => {});
    await pass(wireMs + 2);
    host.suspend(ms);
    return ref;
  };

  it.each([
    ['counts the time since boot', true],
    ['has its wall clock only', false],
  ])('begins nothing that others have taken up meanwhile: it %s', async (_how, countsBoot) => {
    const [one, other] = [await join(), await join()];
    one.countsBoot = countsBoot;
    await pass(5_000);
    const { id } = await sleepsBeforeDial(one, 30_000);
    await pass(29_000);
    expect(buried).toBe(1);
    await pass(10_000);
    expect({ one: one.dialled, other: other.dialled }).toEqual({ one: [], other: [] });
    const { agenda } = (await store.read([{ account, id }]))[0]!;
    expect(agenda).toBe('[]');
  });

  it('renews what it had committed before it begins, when nobody took it up', async () => {
    const one = await join();
    await pass(5_000);
    const { id } = await sleepsBeforeDial(one, 30_000);
    await pass(32_000);
    expect(one.dialled).toEqual([id]);
    // Its birth, the wish, the renewal, the acceptance.
    expect((await store.read([{ account, id }]))[0]!.revision).toBe(4);
  });

  it.each([true, false])(
    'has the time of the others when it wakes (counts since boot: %s)',
    async (countsBoot) => {
      const [one, other] = [await join(), await join()];
      one.countsBoot = countsBoot;
      await pass(5_000);
      one.suspend(8 * HOUR_MS);
      await pass(8 * HOUR_MS + 5_000);
      expect(Math.abs(one.now - other.now)).toBeLessThan(50);
      expect(jumps).toContain('process 0: machine');
    },
  );

  it('fires at once what came due while it slept', async () => {
    const one = await join();
    const ref = await born(one);
    void one.engine.send(ref, { type: 'wait' });
    await pass(5_000);
    one.suspend(MINUTE_MS);
    await pass(MINUTE_MS + 3_000);
    expect(await rung(one, ref)).toBe(1);
  });

  it('learns it from the database when all its clocks stood still', async () => {
    const one = await join();
    one.freezes = true;
    await pass(5_000);
    one.suspend(8_000);
    await pass(8_000 + GRACE_MS / 5 + 100);
    expect(jumps).toEqual(['process 0: database']);
  });
});

describe('a wall clock that is set', () => {
  it.each([-HOUR_MS, -MINUTE_MS, MINUTE_MS, HOUR_MS])(
    'by %i ms changes neither time nor timers',
    async (byMs) => {
      const [one, other] = [await join(), await join()];
      const ref = await born(one);
      void one.engine.send(ref, { type: 'wait' });
      await pass(5_000);
      one.wallSet += byMs;
      await pass(waitMs - 6_000);
      expect(await rung(one, ref)).toBe(0);
      await pass(2_000);
      expect(await rung(one, ref)).toBe(1);
      expect(Math.abs(one.now - other.now)).toBeLessThan(50);
      expect({ buried, joined }).toEqual({ buried: 0, joined: 2 });
      const next = await born(one);
      void one.engine.send(next, { type: 'dial' });
      await pass(1_000);
      expect(one.dialled).toEqual([next.id]);
    },
  );

  it.each([-MINUTE_MS, MINUTE_MS])(
    'by %i ms together with the database of its own host changes neither',
    async (byMs) => {
      const one = await join();
      const ref = await born(one);
      void one.engine.send(ref, { type: 'wait' });
      await pass(5_000);
      one.wallSet += byMs;
      setDatabase(byMs);
      await pass(waitMs - 6_000);
      expect(await rung(one, ref)).toBe(0);
      await pass(2_000);
      expect(await rung(one, ref)).toBe(1);
    },
  );
});

describe('a database that says nothing for a while', () => {
  it('is asked what is due as soon as it answers a heartbeat, though an earlier question is still waited for', async () => {
    const one = await join();
    const ref = await born(one);
    // So late that it is not known yet when the database falls silent: each look sees a minute ahead, every 20 s.
    void one.engine.send(ref, { type: 'wait', ms: 90_000 });
    await pass(25_000);
    silenceDatabase(45_000);
    await pass(64_500);
    expect(await rung(one, ref)).toBe(0);
    await pass(1_500);
    expect(await rung(one, ref)).toBe(1);
  });
});
