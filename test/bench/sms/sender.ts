/** The engine, the SMS router and the SMPP carrier, as the service puts them together. */
import type { Pool } from 'pg';
import { messageMachineKind } from '../../../machines/index.ts';
import type { MessageInput } from '../../../machines/message/input.ts';
import { openSmsRouter } from '../../../src/providers/sms/smsRouter.ts';
import { smppCarrier } from '../../../src/providers/sms/smpp.ts';
import type { SmsRoute } from '../../../src/providers/contracts/sms.ts';
import {
  findUnknownOutcomeSmsForReceipt,
  findSubmittedSms,
} from '../../../src/store/reads/sms/smsRoutesAndSubmittedSms.ts';
import { ACCOUNT, aNode, SHARD } from '../node.ts';
import { destinationOf, textOf } from './bare.ts';
import { names } from '../../helpers/names.ts';

export interface Sender {
  /** Places so many messages, and settles when each of them has its first durable answer. */
  send(messages: number): Promise<void>;
  stop(): Promise<void>;
  /** Ends the engine without a word, as a crash would. */
  crash(): Promise<void>;
}

export interface SenderOptions {
  database: { pool: Pool; writers: Pool };
  port: number;
  window: number;
  /** Names the process for its neighbours, and those that surely ended. */
  process?: string;
  ended?: readonly string[];
}

/** Placed at a time: as many callers as wait at once. */
const callers = 1_000;
/** Ten-thousandths. */
const price = 800;
const route = 1;
const patienceMs = 120_000;

export const openSender = async (options: SenderOptions): Promise<Sender> => {
  const { database, port, window, process = 'bench', ended = [] } = options;
  await fillBalance(database.pool);
  const router = openSmsRouter({
    repository: {
      route: async () => aRoute(port, window),
      standing: async () => [aRoute(port, window)],
      message: async ({ shard, account, id }, { providerId, submission }) => {
        const asked = { accounts: [account], route: id };
        const found =
          (await findSubmittedSms(database.pool, { ...asked, providerId })) ??
          (submission && (await findUnknownOutcomeSmsForReceipt(database.pool, { ...asked, ...submission })));
        return found && { shard, ...found };
      },
    },
    carriers: { smpp: smppCarrier({ names, log: { info: () => {}, warn: () => {} } }) },
    report: (machine, fact) => engine.report(machine, fact),
    tell: async (machine, fact) => ((await engine.send(machine, fact)).outcome === 'gone' ? 'gone' : 'heard'),
    isOpen: () => true,
    clock,
    log: { warn: (fields, message) => console.error('the router warns:', message, fields) },
  });
  const engine = aNode({
    database,
    kinds: [messageMachineKind],
    performers: router.performers,
    process,
    ended,
  });
  await engine.open();
  await router.start();

  const place = async (number: number): Promise<void> => {
    const charge = { account: ACCOUNT, balance: 'balance', amount: -price, entry: 'charge' };
    const started = await engine.start({
      ...{ kind: 'message', shard: SHARD, account: ACCOUNT },
      input: anInput(number),
      bookings: [charge],
    });
    if (started.outcome !== 'started') throw new Error(`message ${number}: ${started.outcome}`);
    const waited = await engine.waitFor(started.ref, 'answered', patienceMs);
    if (waited === 'timeout') throw new Error(`message ${number} has no answer`);
  };

  return {
    send: async (messages) => {
      let next = 0;
      const caller = async (): Promise<void> => {
        while (next < messages) await place((next += 1));
      };
      await Promise.all(Array.from({ length: callers }, caller));
    },
    stop: async () => {
      await engine.stop();
      await router.stop();
    },
    crash: async () => {
      engine.abandon();
      await router.stop();
    },
  };
};

const clock = {
  now: () => Date.now(),
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const aRoute = (port: number, window: number): SmsRoute => ({
  ...{ shard: SHARD, account: ACCOUNT, id: route, kind: 'smpp', version: '1' },
  settings: smppSettings(port, window),
  openSecret: () => '',
});

export const smppSettings = (port: number, window: number): Record<string, unknown> => ({
  ...{ host: '127.0.0.1', port, system_id: 'bench', window, from: 'RAMAL', reconnect_ms: 50 },
});

const anInput = (number: number): MessageInput => {
  const to = destinationOf(number);
  const body = textOf(number);
  return {
    channel: 'sms',
    routes: [{ by: 'sms', submission: { owner: ACCOUNT, route, to, from: '', text: body } }],
    destination: to,
    body,
    ...{ sender: '', contentType: 'text', correlation: `order-${number}`, related: '' },
    ...{ campaignId: '', callId: '', segments: 1, price },
    refund: [{ account: ACCOUNT, balance: 'balance', amount: price, entry: 'refund' }],
  };
};

const fillBalance = async (pool: Pool): Promise<void> => {
  await pool.query(
    `INSERT INTO balances (account_id, name, amount) VALUES ($1, 'balance', 1000000000) ON CONFLICT DO NOTHING`,
    [ACCOUNT],
  );
};
