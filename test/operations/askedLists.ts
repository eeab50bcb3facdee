/** A service that takes small lists, and CreateDestinationBase as the demo account asks for it. */
import { expect } from 'vitest';
import {
  demoAccount,
  demoToken,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

export const startListService = (): Promise<TestService> =>
  startTestService({ MAX_LIST_RECORDS: '2000', MAX_LIST_BYTES: '1000000' });

export interface AskedLists {
  create(body: object | string, headers?: Record<string, string>): Promise<RestAnswer>;
  /** A form with a file and more fields. */
  upload(content: string | Buffer, name: string, fields?: Record<string, string>): Promise<RestAnswer>;
  /** The records of a list that was taken. */
  taken(answer: Promise<RestAnswer>): Promise<Record<string, unknown>[]>;
  /** HTTP status, code and words of a refusal. */
  refused(answer: Promise<RestAnswer>): Promise<[number, string, string]>;
  /** How much of all lists there is. */
  counts(): Promise<Record<string, number>>;
}

/** `on`: the service, once it is started. */
export const askedLists = (on: () => TestService): AskedLists => {
  const create: AskedLists['create'] = (body, headers) => on().post('CreateDestinationBase', body, headers);
  return {
    create,
    upload: (content, name, fields = {}) => {
      const body = new FormData();
      body.set('tsid', demoToken);
      for (const [field, value] of Object.entries(fields)) body.set(field, value);
      body.set('anything', new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
      return create(body);
    },
    taken: async (answer) => {
      const { http, body } = await answer;
      expect(body.return).toMatchObject({ status: 'OK', status_code: '0' });
      expect(http).toBe(200);
      const { rows } = await on().database.pool.query(
        `SELECT row, numbers, region, area, mobile, name, client_code, extra_1, extra_2, extra_3, extra_4
        FROM list_records WHERE account_id = $1 AND list_id = $2 ORDER BY row`,
        [demoAccount, Number(body.return.cdlc_id)],
      );
      return rows;
    },
    refused: async (answer) => {
      const { http, body } = await answer;
      expect(body.return).toMatchObject({ cdlc_id: '0', num_dest: '0', base_size: '0' });
      return [http, body.return.status_code, body.return.status];
    },
    counts: async () =>
      (
        await on().database.pool.query(`SELECT (SELECT count(*) FROM lists)::int lists,
        (SELECT count(*) FROM list_records)::int records, (SELECT count(*) FROM list_rejects)::int rejects`)
      ).rows[0],
  };
};

/** A number that is taken. */
export const phone = '11987650001';
