/**
 * The carrier of the bench, a process of its own: an SMSC that takes everything at once. Started by `process.ts`, and
 * told what to do by messages.
 */
import { setTimeout as pause } from 'node:timers/promises';
import smpp from 'smpp';
import { startSmppServer } from '../../helpers/smppServer.ts';

export type Ask =
  /** Forgets what it took; answers after so long; cuts all links when it has got so many submissions. */
  | { do: 'begin'; answerMs: number; cutAt: number[] }
  /** Says what it took. */
  | { do: 'count' }
  /** Brings a receipt for everything it took, until each is confirmed. */
  | { do: 'receipts' };

export interface Counted {
  /** Messages, by their destination. */
  taken: string[];
  /** Destinations that were submitted more than once. */
  twice: number;
  mostInFlight: number;
  binds: number;
}

/** Taken before a cut and never answered. */
const unanswered = 20;
/** Receipts that are not confirmed yet, at most. */
const receiptsAtATime = 50;

const server = await startSmppServer();
let got = 0;
let answerMs = 0;
let cutAt: number[] = [];

/** The last ones before a cut are taken, and their answers are lost with the link. */
server.behaviour.submit = () => {
  got += 1;
  if (cutAt.includes(got)) setImmediate(() => server.cut());
  if (cutAt.some((cut) => got > cut - unanswered && got <= cut)) return 'never';
  return answerMs === 0 ? 0 : pause(answerMs, 0);
};

const begin = (ask: Extract<Ask, { do: 'begin' }>): void => {
  server.taken.length = 0;
  server.binds.length = 0;
  server.mostInFlight = 0;
  got = 0;
  ({ answerMs, cutAt } = ask);
};

const count = (): Counted => {
  const taken = server.taken.map(({ to }) => to);
  const { mostInFlight, binds } = server;
  return { taken, twice: taken.length - new Set(taken).size, mostInFlight, binds: binds.length };
};

const bringAll = async (): Promise<void> => {
  const left = server.taken.values();
  const bring = async (): Promise<void> => {
    for (const one of left) {
      const reference = { user_message_reference: one.reference };
      while ((await server.receipt(one, 'DELIVRD', reference)) === smpp.errors['ESME_RX_T_APPN']);
    }
  };
  await Promise.all(Array.from({ length: receiptsAtATime }, bring));
};

process.on('message', (ask: Ask) => {
  const answer = async (): Promise<Counted | undefined> => {
    if (ask.do === 'begin') begin(ask);
    if (ask.do === 'receipts') await bringAll();
    return ask.do === 'count' ? count() : undefined;
  };
  void answer().then((said) => process.send!(said ?? null));
});
process.send!(server.port);
