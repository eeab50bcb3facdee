/** Trunk servers as an operator keeps them, where calls go by Asterisk; none is there to be reached. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({
    CARRIER: 'asterisk',
    ARI_URL: 'http://127.0.0.1:9/ari',
    ARI_USER: 'ramal',
    ARI_PASSWORD: 'in-the-settings',
  });
});
afterAll(() => on.stop());

/** Holds back every write of trunks until `count` of them wait; `begin` asks for them. */
const together = async <Answer>(count: number, begin: () => Promise<Answer>[]): Promise<Answer[]> => {
  const { pool } = on.database;
  const client = await pool.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('trunks'))`);
    const answers = begin();
    const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(async () => (await client.query(waiting)).rows[0].n).toBe(count);
    await client.query(`SELECT pg_advisory_unlock(hashtext('trunks'))`);
    return await Promise.all(answers);
  } finally {
    client.release(true);
  }
};

const login = { url: 'http://127.0.0.1:8088/ari', username: 'ramal', password: 'not-to-be-shown' };

describe('a trunk server', () => {
  test('is made beside that of the settings, is told apart from a wrong one, and shows no password', async () => {
    const made = await on.admin('POST', '/trunk-servers', { name: 'asterisk-b', ...login });
    expect([made.http, made.body.url, made.body.state]).toEqual([201, login.url, 'on']);
    expect(JSON.stringify(made.body)).not.toContain(login.password);
    expect(made.body.connection).toMatchObject({ ok: false });
    const again = await on.admin('POST', '/trunk-servers', { name: 'asterisk-b', ...login });
    expect([again.http, again.body.field]).toEqual([409, 'name']);
    const settings = (await on.admin('PATCH', '/trunk-servers/1', { url: login.url })).body;
    expect(settings).toMatchObject({ field: 'url' });
  });

  test('has an address without a login, a query and a fragment: its login would be shown, and no WebSocket takes the last', async () => {
    for (const url of ['http://ana:secret@127.0.0.1:8088/ari', `${login.url}?app=x`, `${login.url}#x`]) {
      const refused = await on.admin('POST', '/trunk-servers', { name: 'asterisk-f', ...login, url });
      expect([refused.http, refused.body.field]).toEqual([400, 'url']);
      expect(String(refused.body.error)).toContain('an address alone');
    }
  });

  test('has an address that is not too long, and is told the limit', async () => {
    const long = `http://127.0.0.1:8088/${'a'.repeat(180)}`;
    const refused = await on.admin('POST', '/trunk-servers', { name: 'asterisk-l', ...login, url: long });
    expect([refused.http, refused.body.field]).toEqual([400, 'url']);
    expect(String(refused.body.error)).toContain('too long: 200 characters at the most');
    const none = await on.admin('POST', '/trunk-servers', { name: 'asterisk-l', ...login, url: 'ari' });
    expect(String(none.body.error)).toContain('must be the address of ARI');
  });

  test('keeps all of what two requests change at a time', async () => {
    const { body } = await on.admin('POST', '/trunk-servers', { name: 'asterisk-c', ...login });
    const path = `/trunk-servers/${body.server_id}`;
    const changes = [{ url: 'http://127.0.0.1:8089/ari' }, { username: 'another' }, { state: 'draining' }];
    await together(3, () => changes.map((change) => on.admin('PATCH', path, change)));
    expect((await on.admin('GET', path)).body).toMatchObject(Object.assign({}, ...changes));
  });

  test('is not there for a change that waited while it was deleted', async () => {
    const { body } = await on.admin('POST', '/trunk-servers', { name: 'asterisk-d', ...login });
    const path = `/trunk-servers/${body.server_id}`;
    const answers = await together(2, () => [
      on.admin('DELETE', path),
      on.admin('PATCH', path, { username: 'another' }),
    ]);
    // Either may come first; neither fails.
    expect(answers.map(({ http }) => http)[0]).toBe(204);
    expect([200, 404]).toContain(answers[1]!.http);
    expect((await on.admin('GET', path)).http).toBe(404);
  });

  test('that is deleted right after a change is not there for its answer, nor is a trunk', async () => {
    const made = await on.admin('POST', '/trunk-servers', { name: 'asterisk-e', ...login });
    const trunk = { name: 'carrier-e', server: 'asterisk-e', calls_per_second: 1, legs: 1 };
    const dialled = { ...trunk, dial_pattern: 'PJSIP/{number}@carrier-e' };
    const { body } = await on.admin('POST', '/trunks', dialled);
    expect(body).toMatchObject(trunk);
    for (const [table, path] of [
      ['trunks', `/trunks/${body.trunk_id}`],
      ['trunk_servers', `/trunk-servers/${made.body.server_id}`],
    ]) {
      await on.database.pool.query(`
        CREATE FUNCTION gone_${table}() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN DELETE FROM ${table} WHERE id = NEW.id; RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER gone AFTER UPDATE ON ${table} DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION gone_${table}()`);
      expect((await on.admin('PATCH', path!, { state: 'off' })).http).toBe(404);
      await on.database.pool.query(`DROP TRIGGER gone ON ${table}; DROP FUNCTION gone_${table}`);
    }
  });
});
