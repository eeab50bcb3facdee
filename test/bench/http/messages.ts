/** Messages of every channel through HTTP, each to a person of its own, until its last receipt. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ACCOUNT } from '../node.ts';
import { type Load, type Loaded, putLoad } from './load.ts';
import { demoToken, type RunningService } from './service.ts';

export const messageKinds = ['MakeMsgapp', 'MakeSMS', 'MakePageChat', 'MakePhotoDm'] as const;
export type MessageKind = (typeof messageKinds)[number];

/**
 * Its sandbox is quicker than people are, though no receipt overtakes the acknowledgement of its message, as it would
 * at the speed that calls are measured with.
 */
export const messageSandbox = { SANDBOX_SPEED: '4' };

/** What the account may send and pay, day and night, whatever is measured. */
export const affordMessages = async (pool: Pool): Promise<void> => {
  await pool.query(`UPDATE balances SET amount = 1e12 WHERE account_id = $1 AND name = 'balance'`, [ACCOUNT]);
  await pool.query('UPDATE accounts SET sms_night_cap = 10000000 WHERE id = $1', [ACCOUNT]);
};

const classes: Readonly<Record<Exclude<MessageKind, 'MakeSMS'>, string>> = {
  MakeMsgapp: 'msgapp',
  MakePageChat: 'pagechat',
  MakePhotoDm: 'photodm',
};

/** Sends so many. `first`: the first of them over all rounds. */
export const makeMessages = async (
  { service, pool }: { service: RunningService; pool: Pool },
  kind: MessageKind,
  { connections, first, requests }: { connections: number; first: number; requests: number },
): Promise<Loaded> => {
  const body = await bodyOf(pool, kind);
  return putLoad(service.url, {
    connections,
    requests,
    ask: (n) => ({ path: `/api/v2/${kind}.php`, body: { tsid: demoToken, ...body(first + n) } }),
    check: checkTaken,
  });
};

/** A person whom messages reach, and who reads them: the number ends in 00. */
const bodyOf = async (pool: Pool, kind: MessageKind): Promise<(n: number) => object> => {
  if (kind === 'MakeSMS')
    return (n) => ({ dest: `119${(800_000 + n) * 100}`, message: 'Seu pedido saiu para entrega.' });
  const { rows } = await pool.query<{ id: number }>(
    'SELECT id FROM chat_lines WHERE account_id = $1 AND class = $2 AND sandbox',
    [ACCOUNT, classes[kind]],
  );
  const app_id = rows[0]!.id;
  return (n) => ({ app_id, dest: `55119${(800_000 + n) * 100}`, mdata: 'Seu pedido saiu para entrega.' });
};

const checkTaken: Load['check'] = (_, { body }) => {
  const { status } = body['return'] as { status: string };
  if (status !== 'OK') throw new Error(`refused: ${JSON.stringify(body)}`);
};

/** Waits until the last receipt of every message was heard. */
export const allHeard = async (pool: Pool): Promise<void> => {
  for (;;) {
    const { rowCount } = await pool.query(
      `SELECT FROM messages WHERE NOT finished AND state <> 'read' LIMIT 1`,
    );
    if (rowCount === 0) return;
    await pause(100);
  }
};
