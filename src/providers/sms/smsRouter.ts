/**
 * The SMS router: finds the route of a message, hands it to the carrier of that route, and brings the carrier's
 * receipts back. What a route is stands in its row; what its kind can do, in `carriers`.
 */
import type { MessageEffects } from '../../../machines/contracts/message.ts';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import { createLogThrottle } from '../../lib/createLogThrottle.ts';
import type { EffectCall, EffectResult, ReportFactToMachine, Tell } from '../../engine/contract/performer.ts';
import { UnusableProviderAnswer, Retryable } from '../../engine/contract/performer.ts';
import type {
  Sms,
  SmsSubmitAnswer,
  SmsCarrier,
  SmsRoute,
  HandleSmsReceipt,
  OpenSmsCarrier,
} from '../contracts/sms.ts';
import { type SmsCarrierConnectionHealth, openSmsCarrierConnections } from './carrierConnections.ts';
import {
  type FindMessageForReceipt,
  openSmsReceiptHandler,
  type SmsRouteRef,
} from './matchReceiptsToMessages.ts';

/** What the router looks up. */
export interface SmsRouterRepository {
  /** An active route; undefined: there is none such. */
  route(tenant: { shard: string; account: number }, id: number): Promise<SmsRoute | undefined>;
  /** All active routes of kinds that bring receipts by themselves. */
  standing(): Promise<SmsRoute[]>;
  message: FindMessageForReceipt;
}

export interface SmsRouterOptions {
  repository: SmsRouterRepository;
  /** By the kind of route. */
  carriers: Readonly<Record<string, OpenSmsCarrier>>;
  report: ReportFactToMachine;
  tell: Tell;
  /** False while the database of a shard may lack messages that were sent. */
  isOpen(shard: string): boolean;
  /** Epoch milliseconds, and alarms that can be called off. */
  clock: { now(): number; after(ms: number, run: () => void): () => void };
  log: { warn(fields: object, message: string): void };
}

export interface SmsRouter extends Sms {
  /** Takes receipts that come by another way than the carrier's link. */
  take: HandleSmsReceipt;
  /** Routes were changed here: links follow at once, not at the next round. */
  changed(): void;
  /** How many links are up, of those that this node has. */
  health(): SmsCarrierConnectionHealth | undefined;
  /** How the link of a route fares; undefined: this node has none open. */
  link(route: SmsRouteRef): SmsCarrierConnectionHealth | undefined;
}

/** After so many attempts without a connection the last route fails: a quarter of an hour, with the engine's pauses. */
const triesToConnect = 20;
/** How long a changed route may go unnoticed, milliseconds. */
const believedForMs = 3_000;
/** How often routes are looked through for new and removed ones, milliseconds. */
const roundMs = 5_000;

export const openSmsRouter = (options: SmsRouterOptions): SmsRouter => {
  const { repository, clock, log, report } = options;
  const receipts = openSmsReceiptHandler(options);
  const links = openSmsCarrierConnections({ carriers: options.carriers, take: receipts.take, log });
  const believed = () =>
    withTtlCache(
      ({ shard, owner, route }: { shard: string; owner: number; route: number }) =>
        repository.route({ shard, account: owner }, route),
      {
        keyOf: ({ shard, owner, route }) => `${shard}.${owner}.${route}`,
        now: clock.now,
        forMs: believedForMs,
      },
    );
  let findRoute = believed();
  const nowAndThen = createLogThrottle({ now: clock.now });
  let stopped = false;
  let callOff: (() => void) | undefined;

  /** Whatever goes wrong here, nothing was sent. */
  const carrierFor = async ({ machine, params }: Submission): Promise<SmsCarrier | SmsSubmitAnswer> => {
    const { owner, route } = params;
    const found = await findRoute({ shard: machine.shard, owner, route }).catch((cause: unknown) => {
      throw new Retryable('the routes cannot be read now', { cause });
    });
    return found ? links.of(found) : unavailable(`the SMS route ${route} does not exist or is not active`);
  };

  const warnOf = ({ machine: { shard }, params: { owner, route } }: Submission, { message }: Error): void =>
    nowAndThen(`${shard}.${owner}.${route}`, (times) =>
      log.warn({ shard, account: owner, route, times, why: message }, 'an SMS carrier answers nonsense'),
    );

  const submitSms = async (call: Submission): Promise<EffectResult> => {
    const carrier = await carrierFor(call);
    if ('type' in carrier) return { events: [carrier] };
    const { shard, account, id } = call.machine;
    const machine = { shard, account, id };
    const { to, from, text, route } = call.params;
    const message = { id: call.id, machine, to, from, text };
    const answer = await carrier
      .submit(message, () => report(machine, { type: 'slow' }))
      .catch((error: unknown) => {
        if (error instanceof UnusableProviderAnswer) warnOf(call, error);
        throw error;
      });
    if (answer.type === 'acknowledged') receipts.expect(route, answer.providerId, machine);
    const { passing, ...event } = answer;
    if (passing && call.params.last && call.attempt < triesToConnect) {
      // The caller of the operation need not wait for the connection.
      if (call.attempt === 1) report(machine, { type: 'slow' });
      throw new Retryable('text' in event ? event.text : '');
    }
    return { events: [event] };
  };

  const round = async (): Promise<void> => {
    try {
      const routes = await repository.standing();
      if (stopped) return;
      // What is believed may be older than what was read just now, and would bring an old link back.
      findRoute = believed();
      links.keep(routes);
    } catch (error) {
      log.warn({ err: error }, 'the SMS routes cannot be read now; links stay as they are');
    }
  };

  // One after the other: what was read first must not be kept last.
  let rounds = Promise.resolve();
  const nextRound = (): Promise<void> => (rounds = rounds.then(round));

  const again = (): void => {
    callOff = clock.after(roundMs, () => void nextRound().then(() => stopped || again()));
  };

  return {
    performers: { submitSms },
    take: receipts.take,
    changed: () => void nextRound(),
    health: links.allHealth,
    link: links.health,
    start: async () => {
      await nextRound();
      again();
    },
    stop: async () => {
      stopped = true;
      callOff?.();
      await links.stop();
    },
  };
};

type Submission = EffectCall<MessageEffects['submitSms']>;

/** It surely was not sent: another way may be tried. */
const unavailable = (text: string, answer = ''): SmsSubmitAnswer => ({ type: 'unavailable', text, answer });
