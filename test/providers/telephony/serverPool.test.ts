/** Which server a leg is made on, and which one hears what is asked of it later; connections follow the table. */
import { describe, expect, test } from 'vitest';
import type { EffectCall } from '../../../src/engine/contract/performer.ts';
import { Retryable } from '../../../src/engine/contract/performer.ts';
import { openTelephonyPool } from '../../../src/providers/telephony/serverPool.ts';
import type {
  TelephonyServerConnection,
  TelephonyServerRecord,
} from '../../../src/providers/telephony/serverPool/serverConnections.ts';
import type { Telephony } from '../../../src/providers/contracts/telephony.ts';

type Row = TelephonyServerRecord<string>;

/** Notes what it is asked; has the legs that it was asked to make. */
class FakeServer implements TelephonyServerConnection<string> {
  readonly asked: string[] = [];
  readonly made = new Set<string>();
  isUp = true;
  isStopped = false;
  reached: string;
  constructor(access: string) {
    this.reached = access;
  }
  performers = new Proxy({} as Telephony['performers'], {
    get: (_, name) => async (call: EffectCall<{ leg?: number; legs?: number[] }>) => {
      const legs = call.params.legs ?? [call.params.leg!];
      this.asked.push(`${String(name)} ${legs.join(',')}`);
      if (name === 'originate') for (const leg of legs) this.made.add(`${call.machine.id}.${leg}`);
      return name === 'adopt' ? { events: legs.map((leg) => ({ type: 'legFound', leg })) } : undefined;
    },
  });
  start = async () => {};
  stop = async () => void (this.isStopped = true);
  health = () => ({ ok: this.isUp, detail: this.isUp ? 'connected' : 'Asterisk is away' });
  has = async ({ id }: { id: number }, leg: number) => {
    if (!this.isUp) throw new Retryable('away');
    return this.made.has(`${id}.${leg}`);
  };
  legs = () => this.made.size;
  registrations = () => [];
  reachBy = (access: string) => void (this.reached = access);
}

const bed = async (rows: Row[]) => {
  const opened = new Map<string, FakeServer>();
  let now = 0;
  const open = () =>
    openTelephonyPool<string>({
      profile: { name: 'asterisk', callsPerSecond: 1, legs: 1, route: 'asterisk' },
      servers: () => rows,
      serverOf: (trunk) => ({ b: 2, gone: 9 })[trunk ?? ''] ?? 1,
      hasTrunk: (trunk) => ['a', 'b', 'gone'].includes(trunk),
      open: (access) => {
        const server = opened.get(access) ?? new FakeServer(access);
        opened.set(access, server);
        return server;
      },
      now: () => now,
    });
  const pool = open();
  await pool.start();
  return {
    ...{ pool, rows, opened },
    at: (access: string) => opened.get(access)!,
    pass: (ms: number) => (now += ms),
    /** The same servers, for a process that remembers nothing. */
    restarted: async () => {
      const other = open();
      await other.start();
      return other;
    },
  };
};

const row = (id: number, more: Partial<Row> = {}): Row => ({
  ...{ id, name: `server-${id}`, state: 'on', access: `at ${id}` },
  ...more,
});

const call = <Params>(params: Params, id = 1): EffectCall<Params> => ({
  ...{ id: 'e', name: '', params, attempt: 1, seen: {}, signal: new AbortController().signal },
  machine: { shard: 'a', account: 3, id, kind: 'call' },
});
const dial = (leg: number, more: object = {}, id = 1) =>
  call(
    {
      leg,
      to: { kind: 'number', number: '1' },
      callerId: '',
      ringSeconds: 1,
      limitSeconds: 1,
      ...more,
    } as never,
    id,
  );

describe('a pool of servers', () => {
  test('makes a leg on the server of its trunk, and asks that one for the rest', async () => {
    const { pool, at } = await bed([row(1), row(2)]);
    await pool.performers.originate(dial(1, { trunk: 'b' }));
    await pool.performers.hold(call({ leg: 1, music: 'music' }));
    await pool.performers.hangUp(call({ leg: 1, reason: 'normal' }));
    expect(at('at 2').asked).toEqual(['originate 1', 'hold 1', 'hangUp 1']);
    expect(at('at 1').asked).toEqual([]);
  });

  test('finds a leg whose trunk was deleted on the server that has it', async () => {
    const { pool, at, restarted } = await bed([row(1), row(2)]);
    await pool.performers.originate(dial(1, { trunk: 'b' }));
    const later = await restarted();
    await later.performers.adopt(call({ legs: [1], trunk: 'deleted since' }));
    expect([at('at 1').asked, at('at 2').asked]).toEqual([[], ['originate 1', 'adopt 1']]);
  });

  test('makes a second leg where the callee is, whatever its trunk', async () => {
    const { pool, at } = await bed([row(1), row(2)]);
    await pool.performers.originate(dial(1, { trunk: 'b' }));
    await pool.performers.originate(dial(2, { onBehalfOf: 1 }));
    await pool.performers.bridge(call({ legs: [1, 2] as [number, number] }));
    expect(at('at 2').asked).toEqual(['originate 1', 'originate 2', 'bridge 1,2']);
  });

  test('finds a leg after a restart, and takes each over where it is', async () => {
    const { pool, at, restarted } = await bed([row(1), row(2)]);
    await pool.performers.originate(dial(1, { trunk: 'a' }));
    await pool.performers.originate(dial(2, { trunk: 'b' }));
    const other = await restarted();
    const { events } = (await other.performers.adopt(call({ legs: [1, 2] })))!;
    expect(events?.map(({ leg }) => leg)).toEqual([1, 2]);
    expect([at('at 1').asked.at(-1), at('at 2').asked.at(-1)]).toEqual(['adopt 1', 'adopt 2']);
  });

  test('while a server that may have a leg is away, the request is tried again', async () => {
    const { pool, at, restarted } = await bed([row(1), row(2)]);
    await pool.performers.originate(dial(1, { trunk: 'b' }));
    const other = await restarted();
    at('at 2').isUp = false;
    await expect(other.performers.lookUp(call({ leg: 1 }))).rejects.toBeInstanceOf(Retryable);
    at('at 2').isUp = true;
    await other.performers.lookUp(call({ leg: 1 }));
    expect(at('at 2').asked.at(-1)).toBe('lookUp 1');
  });

  test('with one server asks it for everything, without a look', async () => {
    const { pool, at } = await bed([row(1)]);
    at('at 1').isUp = false;
    await pool.performers.lookUp(call({ leg: 7 }));
    expect(at('at 1').asked).toEqual(['lookUp 7']);
  });

  test('connects to a server that is added, and reaches it anew when it is changed', async () => {
    const { pool, rows, at, opened } = await bed([row(1)]);
    rows.push(row(2));
    pool.follow();
    expect([...opened.keys()]).toEqual(['at 1', 'at 2']);
    rows[1] = row(2, { access: 'elsewhere' });
    pool.follow();
    expect(at('at 2').reached).toBe('elsewhere');
  });

  test('leaves a server that is switched off a minute after its last leg, and makes none there then', async () => {
    const { pool, rows, at, pass } = await bed([row(1), row(2)]);
    await pool.performers.originate(dial(1, { trunk: 'b' }));
    rows[1] = row(2, { state: 'off' });
    for (let minute = 0; minute < 5; minute++) {
      pass(60_000);
      pool.follow();
    }
    expect(at('at 2').isStopped).toBe(false);
    at('at 2').made.clear();
    pass(60_001);
    pool.follow();
    expect(at('at 2').isStopped).toBe(true);
    await expect(pool.performers.originate(dial(1, { trunk: 'b' }, 2))).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });

  test('goes back to a server that was switched off for the calls that another node had there', async () => {
    const { pool, at } = await bed([row(1), row(2, { state: 'off' })]);
    await pool.performers.adopt(call({ legs: [1], trunk: 'b' }));
    expect(at('at 2').asked).toEqual(['adopt 1']);
  });

  test('names the server that is away, and says of a single one what it says itself', async () => {
    const { pool, rows, at } = await bed([row(1), row(2)]);
    at('at 2').isUp = false;
    expect(pool.health()).toEqual({ ok: false, detail: 'trunk server server-2: Asterisk is away' });
    expect(pool.problems()).toEqual(['trunk server server-2: Asterisk is away']);
    rows.shift();
    expect(pool.health()).toEqual({ ok: false, detail: 'Asterisk is away' });
    expect(pool.problems()).toEqual([]);
  });
});
