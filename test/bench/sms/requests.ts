/** MakeSMS through HTTP on the built service, whose account sends by the bench's carrier. */
import type { BenchDatabase } from '../bed.ts';
import { type Loaded, putLoad } from '../http/load.ts';
import { demoToken, startService } from '../http/service.ts';
import { ACCOUNT } from '../node.ts';
import { smppSettings } from './sender.ts';

export interface SmsRequests {
  /** Sends so many messages, as many at a time as the window lets on the wire; each is answered by the carrier's word. */
  send(messages: number): Promise<Loaded>;
  stop(): Promise<void>;
}

/** Starts the service on this database. */
export const openRequests = async (
  { url, pool }: BenchDatabase,
  { port, window, folder }: { port: number; window: number; folder: string },
): Promise<SmsRequests> => {
  const service = await startService(url, folder);
  await pool.query(`UPDATE sms_routes SET active = false WHERE account_id = $1`, [ACCOUNT]);
  await pool.query(
    `INSERT INTO sms_routes (account_id, id, name, kind, settings, created_at) VALUES ($1, 1000, 'bench', 'smpp', $2, 0)`,
    [ACCOUNT, JSON.stringify(smppSettings(port, window))],
  );
  await pool.query(`UPDATE accounts SET sms_night_cap = 1000000 WHERE id = $1`, [ACCOUNT]);
  await pool.query(`UPDATE balances SET amount = 1000000000 WHERE account_id = $1 AND name = 'balance'`, [
    ACCOUNT,
  ]);
  let sent = 0;
  return {
    send: async (messages) => {
      const first = sent;
      sent += messages;
      return putLoad(service.url, {
        connections: window,
        requests: messages,
        ask: (n) => ({ path: '/api/v2/MakeSMS.php', body: request(first + n) }),
        check: (_, { body }) => {
          const { status_code: code } = body['return'] as { status_code: string };
          if (code !== '0') throw new Error(`refused: ${JSON.stringify(body)}`);
        },
      });
    },
    stop: () => service.stop(),
  };
};

const request = (n: number): object => ({
  tsid: demoToken,
  dest: `119${80_000_000 + n}`,
  message: `Sua consulta ${n} foi confirmada.`,
  ctid: `order-${n}`,
});
