/** MakeTTSCall as the demo account asks for it. */
import { expect } from 'vitest';
import type { CallInput } from '../../machines/call/input.ts';
import { demoAccount, type RestAnswer, type TestService } from '../helpers/service.ts';

export const dest = '11987650000';

export interface AskedCalls {
  /** A request that is unlike any other, so that no duplicate window sees it. */
  ask(given: object): Promise<RestAnswer>;
  /** What a call asked for like this is born with. */
  born(given: object): Promise<CallInput>;
  /** HTTP status, code and sentence of a refusal. */
  refused(given: object): Promise<[number, string, string]>;
  warned(given: object): Promise<string>;
  /** Gives the account other settings, and then these back. */
  withAccount(settings: object, back: object, use: () => Promise<void>): Promise<void>;
}

/** `on`: the service, once it is started. */
export const askedCalls = (on: () => TestService): AskedCalls => {
  let calls = 0;
  const ask: AskedCalls['ask'] = (given) =>
    on().post('MakeTTSCall', { dest, text: `call ${(calls += 1)}`, ...given });
  return {
    ask,
    born: async (given) => {
      const answer = await ask(given);
      expect(answer.body.return).toMatchObject({ status: 'OK' });
      return on().inputOf(answer.body.return.cd_id);
    },
    refused: async (given) => {
      const { http, body } = await ask(given);
      expect(body.return.cd_id).toBe('0');
      return [http, body.return.status_code, body.return.status];
    },
    warned: async (given) => (await ask(given)).body.return.warning,
    withAccount: async (settings, back, use) => {
      const path = `/accounts/${demoAccount}`;
      expect((await on().admin('PATCH', path, settings)).http).toBe(200);
      try {
        await use();
      } finally {
        await on().admin('PATCH', path, back);
      }
    },
  };
};

/** A sound file in the demo account's media store, as far as the database knows. */
export const aMediaFile = async (
  on: TestService,
  id: string,
  expiresAt: number | null = null,
): Promise<string> => {
  await on.database.pool.query(
    `INSERT INTO media (account_id, id, kind, created_at, expires_at) VALUES ($1, $2, 'upload', 0, $3)
      ON CONFLICT DO NOTHING`,
    [demoAccount, id, expiresAt],
  );
  return id;
};
