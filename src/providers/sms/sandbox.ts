/**
 * The sandbox SMS carrier. Like a real one it outlives the service: what it took stands in a log, and receipts that are
 * due while the service is down come at the next start. The last two digits of the number decide: 07 is delivered late,
 * 08 is slow to acknowledge, 09 is refused; others are acknowledged and delivered.
 */
import { Retryable } from '../../engine/contract/performer.ts';
import type {
  SmsSubmitAnswer,
  SmsRoute,
  SmsToSubmit,
  HandleSmsReceipt,
  OpenSmsCarrier,
} from '../contracts/sms.ts';
import {
  openSandboxSmsLog,
  type SandboxSmsSubmission,
  type SandboxSmsAcceptance,
} from './openSandboxSmsLog.ts';
import { lruOf } from '../../lib/lru.ts';

export interface SandboxSmsOptions {
  /** The log; made when it is first needed. */
  logFile: string;
  /** `SANDBOX_SPEED`: divides the carrier's own delays. Default 1. */
  speed?: number;
  /** Epoch milliseconds, and alarms that can be called off. */
  clock: { now(): number; after(ms: number, run: () => void): () => void };
}

export interface SandboxSms {
  /** All routes of this kind share the one network. */
  open: OpenSmsCarrier;
  /** Reports receipts that fell due while the service was down. To be called before the first message. */
  start(take: HandleSmsReceipt): Promise<void>;
  /** Settles when what it took is written. */
  stop(): Promise<void>;
}

const deliveryMs = 1_000;
const lateDeliveryMs = 20_000;
/** To a number that is slow to acknowledge. */
const acknowledgeMs = 15_000;
/** A receipt that could not be told is told again. */
const tellAgainMs = 1_000;
/** Answers kept for a request that is repeated. */
const mostVerdicts = 10_000;

/** Makes the network. */
export const sandboxSms = ({ logFile, clock, speed = 1 }: SandboxSmsOptions): SandboxSms => {
  const log = openSandboxSmsLog(logFile);
  /** By effect id, so that a repeated request is answered and not sent again. */
  const verdicts = lruOf<string, SandboxSmsAcceptance>(mostVerdicts);
  const alarms = new Map<string, () => void>();
  let stopped = false;

  const decided = (id: string, verdict: SandboxSmsAcceptance): SandboxSmsAcceptance => {
    verdicts.set(id, verdict);
    return verdict;
  };

  const tell = async (message: SandboxSmsSubmission, take: HandleSmsReceipt): Promise<void> => {
    const { submitted: providerId, machine, route } = message;
    const receipt = { providerId, machine, status: 'delivered', code: '', text: '' } as const;
    const heard = await take(route, { ...receipt, occurredAt: clock.now() }).catch(() => 'later');
    if (stopped) return;
    if (heard === 'later') tellLater(message, take, clock.now() + tellAgainMs);
    // A receipt that is not in the log comes again after a restart; that does no harm.
    else await log.write({ delivered: providerId, at: clock.now() }).catch(() => {});
  };

  const tellLater = (message: SandboxSmsSubmission, take: HandleSmsReceipt, dueAt: number): void => {
    const due = (): void => {
      alarms.delete(message.submitted);
      void tell(message, take);
    };
    alarms.set(message.submitted, clock.after(Math.max(0, dueAt - clock.now()), due));
  };

  const accept = async (
    message: SmsToSubmit,
    route: SmsRoute,
    take: HandleSmsReceipt,
  ): Promise<SandboxSmsAcceptance> => {
    const { id, to, from, text, machine } = message;
    const { shard, account } = route;
    const taken: SandboxSmsSubmission = {
      ...{ submitted: id, at: clock.now(), verdict: verdictOn(to), to, from, text, machine },
      route: { shard, account, id: route.id },
    };
    await log.write(taken).catch((cause: unknown) => {
      throw new Retryable('the sandbox cannot write its log', { cause });
    });
    if (taken.verdict !== 'refused') tellLater(taken, take, taken.at + delayOf(to) / speed);
    return decided(id, taken.verdict);
  };

  const pause = (ms: number): Promise<void> => new Promise((over) => void clock.after(ms, over));

  return {
    open: (route, take) => ({
      submit: async (message, slow) => {
        const verdict = verdicts.get(message.id) ?? (await accept(message, route, take));
        if (verdict === 'slow') {
          slow();
          await pause(acknowledgeMs / speed);
        }
        return answerOf(message.id, verdict);
      },
      stop: async () => {},
    }),

    start: async (take) => {
      for (const { told, ...message } of await log.read()) {
        decided(message.submitted, message.verdict);
        if (told || message.verdict === 'refused') continue;
        tellLater(message, take, message.at + delayOf(message.to) / speed);
      }
    },

    stop: async () => {
      stopped = true;
      for (const callOff of alarms.values()) callOff();
      alarms.clear();
      await log.close();
    },
  };
};

const verdictOn = (to: string): SandboxSmsAcceptance => {
  if (to.endsWith('09')) return 'refused';
  return to.endsWith('08') ? 'slow' : 'taken';
};

const delayOf = (to: string): number => (/0[78]$/.test(to) ? lateDeliveryMs : deliveryMs);

const answerOf = (id: string, verdict: SandboxSmsAcceptance): SmsSubmitAnswer =>
  verdict === 'refused'
    ? { type: 'refused', code: '300', text: 'the sandbox refuses this number', answer: 'refused' }
    : { type: 'acknowledged', providerId: id, answer: verdict };
