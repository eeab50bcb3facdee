/** What a commit makes of a bad moment, after which nothing was written. */
import { expect, it } from 'vitest';
import { messageMachineKind } from '../../machines/index.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { withDatabase } from '../helpers/database.ts';
import { behind } from './behind.ts';
import { at, aWrite } from './writes.ts';

it('leaves out whoever wants a key that was taken while the statement ran', () =>
  withDatabase(async ({ pool }) => {
    const store = postgresStore(pool, pool, [messageMachineKind]);
    const taken = `INSERT INTO claims (account_id, key, until, owner) VALUES (7, 'key', $1, '1')`;
    const wants = aWrite(2, { claims: [{ key: 'key', until: at + 1_000, answer: null }] });
    const commit = () => store.commit(0, [wants, aWrite(3)], at);
    expect(await behind(pool, [taken, at + 1_000], commit)).toBe(1);
    expect(await store.claims([{ account: 7, key: 'key' }], at)).toMatchObject([{ owner: '1' }]);
  }));

it.each([
  ['a conflict', '40001'],
  ['a deadlock', '40P01'],
  ['a lock that was not to be had', '55P03'],
])('writes after all what %s undid', (_, code) =>
  withDatabase(async ({ pool }) => {
    await pool.query(`CREATE SEQUENCE moments;
      CREATE FUNCTION once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF nextval('moments') < 3 THEN RAISE 'not now' USING ERRCODE = '${code}'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER once AFTER INSERT ON machines FOR EACH STATEMENT EXECUTE FUNCTION once()`);
    const store = postgresStore(pool, pool, [messageMachineKind]);
    expect(await store.commit(0, [aWrite(4)], at)).toBe(1);
    expect(await store.read([{ account: 7, id: 4 }])).toHaveLength(1);
  }),
);
