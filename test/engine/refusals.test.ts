/** What a database that refuses writes makes of the machines it is about, of the others, and of the log. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../../src/engine/contract/api.ts';
import { brokenDatabase, noise, type BrokenDatabase } from './brokenDatabase.ts';
import { until } from '../helpers/patience.ts';

let db: BrokenDatabase;
beforeEach(async () => {
  db = await brokenDatabase();
});
afterEach(() => db.end());

const many = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const raising = (condition: string, code: string): string =>
  `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN IF ${condition} THEN RAISE 'the trigger says no' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$;
   CREATE TRIGGER refuse BEFORE UPDATE ON machines FOR EACH ROW EXECUTE FUNCTION refuse()`;
const repaired = 'DROP TRIGGER refuse ON machines';

describe('data that the database refuses', () => {
  it.each([
    [
      'an index row that is too long (54000)',
      'CREATE INDEX big ON machines ((snapshot::text))',
      noise(9_000),
    ],
    [
      'a constraint (23514)',
      `ALTER TABLE machines ADD CONSTRAINT decent CHECK (snapshot::text NOT LIKE '%indecent%')`,
      'indecent',
    ],
    ['a trigger (P0001)', raising(`NEW.snapshot::text LIKE '%indecent%'`, 'P0001'), 'indecent'],
  ])('for %s is set aside, and the others go on', async (_, breaking, bad) => {
    await db.sql(breaking);
    const refs = await many(200, (index) => db.start(7 + (index % 5)));
    const before = { ...db.sent };
    const said = await Promise.allSettled(
      refs.map((ref, index) => db.say(ref, index === 137 ? bad : 'fine')),
    );
    expect(said.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([137]);
    const culprit = refs[137]!;
    expect(await until(() => db.attention(culprit))).toMatch(
      /^word: the database refuses its data: .*\(\w{5}\)$/,
    );
    // Halves of 100 machines, a try, and the entry that tells of it; each lane writes its other machines at once.
    expect(db.sent.commit! - before.commit!).toBeLessThan(40);
    await db.say(culprit, 'goes on');
    expect([await db.words(culprit), await db.words(refs[0]!)]).toEqual([['goes on'], ['fine']]);
    expect(db.lines.length).toBeLessThan(5);
    expect(db.engine.shardStates()).toEqual([{ shard: 'a' }]);
  });

  it('of forty machines among eighty is found in few statements, and told in few lines', async () => {
    await db.sql('CREATE INDEX big ON machines ((snapshot::text))');
    const refs = await many(80, (index) => db.start(index % 2));
    const isBad = (index: number): boolean => index % 2 === 0;
    const before = db.sent.commit!;
    const said = await Promise.allSettled(
      refs.map((ref, index) => db.say(ref, isBad(index) ? noise(9_000) : 'fine')),
    );
    expect(said.filter(({ status }, index) => isBad(index) && status === 'fulfilled')).toEqual([]);
    // Whatever was written before the first refusal tells nothing of it: those with good data go on.
    const good = refs.filter((_, index) => !isBad(index));
    const sayFine = () => Promise.allSettled(good.map((one) => db.say(one, 'fine')));
    for (const ref of refs.filter((_, index) => isBad(index)))
      await until(async () => {
        await sayFine();
        return (await db.attention(ref))?.includes('54000');
      });
    await until(async () => (await sayFine()).every(({ status }) => status === 'fulfilled'));
    expect(db.sent.commit! - before).toBeLessThan(600);
    expect(db.lines.length).toBeLessThan(10);
  });

  it('stands alone among what its machine was told with it: the rest is heard', async () => {
    await db.sql('CREATE INDEX big ON machines ((snapshot::text))');
    const [ref, other] = [await db.start(), await db.start()];
    const texts = Array.from({ length: 40 }, (_, index) => (index === 23 ? noise(9_000) : `word ${index}`));
    const said = Promise.allSettled(texts.map((text) => db.say(ref, text)));
    const others = setInterval(() => void db.say(other, 'fine').catch(() => {}), 20);
    const results = await said;
    clearInterval(others);
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([23]);
    expect(await db.words(ref)).toEqual(texts.filter((_, index) => index !== 23));
  });

  it('of the only machine that does anything is set aside after a few seconds', async () => {
    await db.sql('CREATE INDEX big ON machines ((snapshot::text))');
    const ref = await db.start();
    // A slow machine takes longer to find it than a caller waits.
    await expect(db.say(ref, noise(9_000))).rejects.toThrow(/index row requires|durable in time/);
    expect(await until(() => db.attention(ref))).toContain('54000');
    expect(db.sent.commit).toBeLessThan(12);
    expect(await db.say(ref, 'goes on')).toMatchObject({ outcome: 'stepped' });
  });
});

describe('a database that is broken for all', () => {
  it.each([
    [
      'a permission that was taken (42501)',
      'REVOKE UPDATE ON machines FROM engine_role',
      'GRANT UPDATE ON machines TO engine_role',
    ],
    ['a trigger (P0001)', raising('true', 'P0001'), repaired],
    [
      'a constraint that nothing meets (23514)',
      'ALTER TABLE machines ADD CONSTRAINT never CHECK (revision < 2) NOT VALID',
      'ALTER TABLE machines DROP CONSTRAINT never',
    ],
  ])(
    'by %s sets nothing aside, is quiet, and goes on by itself when it is repaired',
    async (_, breaking, repairing) => {
      const refs = await many(60, (index) => db.start(index % 6));
      await db.sql(breaking);
      const before = db.sent.commit!;
      for (const ref of refs) db.engine.report(ref, { type: 'word', text: 'a fact' });
      await until(() => db.engine.shardStates()[0]!.problem !== undefined);
      for (const ref of refs) db.engine.report(ref, { type: 'word', text: 'another' });
      await sleep(3_000);
      expect(db.engine.shardStates()[0]!.problem).toMatch(/refuses writes|has written nothing/);
      expect(db.sent.commit! - before).toBeLessThan(120);
      expect(db.lines.length).toBeLessThan(8);
      await expect(db.say(refs[0]!, 'asked for')).rejects.toThrow(Unavailable);
      await db.sql(repairing);
      for (const ref of refs) {
        await until(async () => (await db.words(ref)).length === 2);
        expect([await db.words(ref), await db.attention(ref)]).toEqual([['a fact', 'another'], null]);
      }
      expect(await db.say(refs[0]!, 'asked for')).toMatchObject({ outcome: 'stepped' });
      await until(() => db.engine.shardStates()[0]!.problem === undefined);
    },
  );

  it('is told of where one account alone makes starts, and no machine has anything to do', async () => {
    await db.sql('REVOKE INSERT ON machines FROM engine_role');
    const start = (): Promise<unknown> => db.start(3).catch((error: unknown) => error);
    await until(async () => {
      expect(await start()).toBeInstanceOf(Unavailable);
      return db.engine.shardStates()[0]!.problem !== undefined;
    });
    expect(db.engine.shardStates()[0]!.problem).toMatch(/refuses writes: .*\(42501\)/);
    await db.sql('GRANT INSERT ON machines TO engine_role');
    await until(async () => !((await start()) instanceof Error));
    expect(db.engine.shardStates()[0]!.problem).toBeUndefined();
  });

  it('gives back what was set aside first, when another machine is refused as well', async () => {
    await db.sql(raising('NEW.snapshot::text <> OLD.snapshot::text', '23514'));
    const [first, second] = [await db.start(1), await db.start(2)];
    db.engine.report(first, { type: 'word', text: 'a fact' });
    expect(await until(() => db.attention(first))).toContain('23514');
    db.engine.report(second, { type: 'word', text: 'a fact' });
    await until(() => db.engine.shardStates()[0]!.problem);
    await db.sql(repaired);
    for (const ref of [first, second]) await until(async () => (await db.words(ref)).length === 1);
    expect(await db.attention(second)).toBe(null);
  });

  it('is a problem, and loses nothing, where one machine is all that does anything', async () => {
    const ref = await db.start();
    await db.sql(raising('true', 'P0001'));
    db.engine.report(ref, { type: 'word', text: 'a fact' });
    expect(await until(() => db.engine.shardStates()[0]!.problem)).toContain('P0001');
    await db.sql(repaired);
    await until(async () => (await db.words(ref)).length === 1);
    expect([await db.words(ref), await db.attention(ref)]).toEqual([['a fact'], null]);
  });

  it('and for one account only lets the others go on', async () => {
    const refs = await many(60, (index) => db.start(index % 6));
    await db.sql(raising('NEW.account_id = 3', 'P0001'));
    for (const ref of refs) db.engine.report(ref, { type: 'word', text: 'a fact' });
    for (const ref of refs.filter(({ account }) => account !== 3))
      await until(async () => (await db.words(ref)).length === 1);
    const before = db.sent.commit!;
    for (let round = 0; round < 20; round++)
      await Promise.all(refs.filter(({ account }) => account !== 3).map((ref) => db.say(ref, 'fine')));
    expect(db.sent.commit! - before).toBeLessThan(20 * 2 * 3);
    expect(db.lines.length).toBeLessThan(5);
    await db.sql(repaired);
    for (const ref of refs.filter(({ account }) => account === 3)) {
      await until(async () => (await db.words(ref)).length === 1);
      expect([await db.words(ref), await db.attention(ref)]).toEqual([['a fact'], null]);
    }
  });
});

describe('a database that reads and does not write', () => {
  it('is asked seldom, is a problem within seconds, and takes the facts when it writes again', async () => {
    const refs = await many(20, (index) => db.start(index));
    await db.readOnly(true);
    const [lines, before] = [db.lines.length, { ...db.sent }];
    for (const ref of refs) db.engine.report(ref, { type: 'word', text: 'a fact' });
    const problem = await until(() => db.engine.shardStates()[0]!.problem);
    expect(problem).toMatch(/read-only transaction|terminat/);
    await sleep(6_000);
    expect(db.engine.shardStates()[0]!.problem).toMatch(/cannot execute .* read-only transaction \(25006\)/);
    // With pauses that double from 50 ms to 5 s there is room for ten tries of each lane.
    expect(db.sent.commit! - before.commit!).toBeLessThan(30);
    expect((db.sent.read ?? 0) - (before.read ?? 0)).toBeLessThan(12);
    expect(db.lines.length - lines).toBeLessThan(3);
    const started = performance.now();
    await expect(db.start()).rejects.toThrow(Unavailable);
    await expect(db.say(refs[0]!, 'asked for')).rejects.toThrow(Unavailable);
    expect(performance.now() - started).toBeLessThan(1_000);
    await db.readOnly(false);
    for (const ref of refs) {
      // Sessions that were ended fail once more.
      await until(async () => (await db.words(ref).catch(() => [])).length === 1);
      expect(await db.attention(ref)).toBe(null);
    }
    await until(() => db.engine.shardStates()[0]!.problem === undefined);
    expect(await db.say(refs[0]!, 'and on')).toMatchObject({ outcome: 'stepped' });
    expect(db.lines.length - lines).toBeLessThan(5);
  });

  it('and writes nothing for want of disk (53100) is the same', async () => {
    const refs = await many(20, (index) => db.start(index));
    await db.sql(raising('true', '53100'));
    const [lines, before] = [db.lines.length, db.sent.commit!];
    for (const ref of refs) db.engine.report(ref, { type: 'word', text: 'a fact' });
    await until(() => db.engine.shardStates()[0]!.problem?.includes('53100'));
    await sleep(2_000);
    expect(db.sent.commit! - before).toBeLessThan(25);
    expect(db.lines.length - lines).toBe(1);
    await db.sql(repaired);
    for (const ref of refs) await until(async () => (await db.words(ref)).length === 1);
  });
});

describe('what passes by itself', () => {
  it('is a lane whose connection forgot what it had prepared (26000)', async () => {
    const refs = await many(20, () => db.start());
    for (let round = 0; round < 3; round++) {
      await Promise.all([1, 2].map(() => db.writers.query('DEALLOCATE ALL; SELECT pg_sleep(0.05)')));
      const said = await Promise.all(refs.map((ref) => db.say(ref, 'fine')));
      expect(said.every(({ outcome }) => outcome === 'stepped')).toBe(true);
    }
    expect(db.lines).toEqual([]);
  });

  it('is a table whose columns change while machines are stepped (0A000)', async () => {
    const refs = await many(20, () => db.start());
    await Promise.all(refs.map((ref) => db.say(ref, 'before')));
    await db.sql('ALTER TABLE machines ALTER COLUMN attention TYPE varchar(4000)');
    await Promise.all(refs.map((ref) => db.say(ref, 'after')));
    for (const ref of refs) expect(await db.words(ref)).toEqual(['before', 'after']);
    expect(db.lines).toEqual([]);
  });
});

describe('a statement that takes too long (57014)', () => {
  it('is followed by smaller ones; a machine that somebody locks waits by itself', async () => {
    await db.end();
    db = await brokenDatabase({ statementTimeoutMs: 300 });
    const refs = await many(64, (index) => db.start(index % 4));
    const locked = refs[17]!;
    const unlock = await lockRow(locked.id);
    for (const ref of refs) db.engine.report(ref, { type: 'word', text: 'a fact' });
    for (const ref of refs.filter((one) => one !== locked))
      await until(async () => (await db.words(ref)).length === 1);
    expect(await db.words(locked)).toEqual([]);
    await unlock();
    await until(async () => (await db.words(locked)).length === 1);
    expect(await db.attention(locked)).toBe(null);
  });

  /** Keeps a machine's row locked; the returned function lets it go. */
  const lockRow = async (id: number): Promise<() => Promise<void>> => {
    const client = await db.writers.connect();
    await client.query('SET statement_timeout = 0; BEGIN');
    await client.query('SELECT 1 FROM machines WHERE id = $1 FOR UPDATE', [id]);
    return async () => {
      await client.query('COMMIT');
      client.release(true);
    };
  };
});
