/** Accounts with tokens of their own, for tests of messages. */
import type { RestAnswer, TestService } from '../helpers/service.ts';

export interface Sender {
  id: number;
  token: string;
  send(given: object, headers?: Record<string, string>): Promise<RestAnswer>;
  admin(method: string, path: string, body?: object): Promise<RestAnswer>;
  /** Currency units. */
  balance(): Promise<number>;
  /** Its messages, oldest first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- rows are compared with literals, column by column
  messages(): Promise<any[]>;
}

/** A sender over an account that exists. */
export const senderOf = async (on: TestService, id: number): Promise<Sender> => {
  const { body } = await on.admin('POST', `/accounts/${id}/tokens`, {});
  const token = body.token as string;
  const admin: Sender['admin'] = (method, path, asked) => on.admin(method, `/accounts/${id}${path}`, asked);
  return {
    id,
    token,
    admin,
    send: (given, headers) => on.post('MakeSMS', { tsid: token, ...given }, headers),
    balance: async () => (await admin('GET', '')).body.balance,
    messages: async () =>
      (await on.database.pool.query('SELECT * FROM messages WHERE account_id = $1 ORDER BY id', [id])).rows,
  };
};

/** A new account with a balance of 10, where it is noon unless told. */
export const aSender = async (on: TestService, settings: object = {}): Promise<Sender> => {
  const asked = { name: 'Sender', balance: 10, time_zone: zoneWhereItIs(12), ...settings };
  const { body } = await on.admin('POST', '/accounts', asked);
  return senderOf(on, body.cdcs_id);
};

/** A time zone in which it is this hour of the day now. */
export const zoneWhereItIs = (hour: number): string => {
  const behind = (((new Date().getUTCHours() - hour) % 24) + 24) % 24;
  // Zones of `Etc` count hours behind UTC: from 14 ahead to 12 behind.
  const offset = behind > 12 ? behind - 24 : behind;
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '+' : '-'}${Math.abs(offset)}`;
};
