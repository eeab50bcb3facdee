/**
 * The sandbox SMS carrier. Like a real one it outlives the service: what it took stands in a log, and receipts that
 * are due while nobody listens are delivered at the next start. The last two digits of the number decide:
 * 07 is delivered late, 08 is slow to acknowledge, 09 is a hard error; others are delivered.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SmsEffects, SmsEvent } from '../../../machines/vocabulary/sms.ts';
import { Retryable, Terminal } from '../performer.ts';
import type { EffectCall, Performed, Report } from '../performer.ts';
import type { Sms } from '../sms.ts';

export interface SandboxSmsOptions {
  /** The log, one JSON object a line; made when it is first needed. */
  logFile: string;
  report: Report;
  /** `SANDBOX_SPEED`: divides the carrier's own delays. Default 1. */
  speed?: number;
  /** Epoch milliseconds, and alarms that can be called off. */
  clock: { now(): number; after(ms: number, run: () => void): () => void };
}

/** What the carrier says to a message: taken, taken but not acknowledged in time, or refused. */
type Answer = 'taken' | 'slow' | 'refused';

/** A line of the log. */
type Entry =
  | ({ submitted: string; at: number; machine: Machine; answer: Answer } & SmsEffects['sendSms'])
  | { delivered: string; at: number };

interface Machine {
  shard: string;
  account: number;
  id: number;
}

const DELIVERY_MS = 1000;
const LATE_DELIVERY_MS = 20_000;

/** Opens the sandbox. Call `start` before the first message. */
export const sandboxSms = (options: SandboxSmsOptions): Sms => {
  const { logFile, report, clock, speed = 1 } = options;
  /** By effect id, so that a repeated request is answered and not sent again. */
  const answers = new Map<string, Answer>();
  const alarms = new Map<string, () => void>();

  // Each line begins its own: what a crash cut short stays alone.
  const write = async (entry: Entry): Promise<void> => {
    await mkdir(dirname(logFile), { recursive: true });
    await appendFile(logFile, `\n${JSON.stringify(entry)}`);
  };

  const deliverLater = (id: string, machine: Machine, dueAt: number): void => {
    const deliver = (): void => {
      alarms.delete(id);
      report(machine, { type: 'smsDelivered', providerId: id });
      // A receipt that is not in the log comes again after a restart; that does no harm.
      void write({ delivered: id, at: clock.now() }).catch(() => {});
    };
    alarms.set(id, clock.after(Math.max(0, dueAt - clock.now()), deliver));
  };

  const submit = async (call: EffectCall<SmsEffects['sendSms']>): Promise<Answer> => {
    const { id, params } = call;
    const { shard, account, id: number } = call.machine;
    const machine = { shard, account, id: number };
    const at = clock.now();
    const answer = answerTo(params.to);
    await write({ submitted: id, at, machine, answer, ...params });
    if (answer !== 'refused') deliverLater(id, machine, at + delayOf(params.to) / speed);
    answers.set(id, answer);
    return answer;
  };

  const sendSms = async (call: EffectCall<SmsEffects['sendSms']>): Promise<Performed> => {
    const answer =
      answers.get(call.id) ??
      (await submit(call).catch((cause: unknown) => {
        throw new Retryable('the sandbox cannot write its log', { cause });
      }));
    if (answer === 'refused') throw new Terminal('providerError', '300: the carrier refused the message');
    const accepted: SmsEvent = { type: 'smsAccepted', providerId: call.id, slow: answer === 'slow' };
    return { events: [accepted] };
  };

  return {
    performers: { sendSms },

    async start() {
      const entries = await readLog(logFile);
      const done = new Set(entries.flatMap((entry) => ('delivered' in entry ? [entry.delivered] : [])));
      for (const entry of entries) {
        if (!('submitted' in entry)) continue;
        answers.set(entry.submitted, entry.answer);
        if (entry.answer === 'refused' || done.has(entry.submitted)) continue;
        deliverLater(entry.submitted, entry.machine, entry.at + delayOf(entry.to) / speed);
      }
    },

    async stop() {
      for (const callOff of alarms.values()) callOff();
      alarms.clear();
    },
  };
};

const answerTo = (to: string): Answer => {
  if (to.endsWith('09')) return 'refused';
  return to.endsWith('08') ? 'slow' : 'taken';
};

const delayOf = (to: string): number => (/0[78]$/.test(to) ? LATE_DELIVERY_MS : DELIVERY_MS);

/** All whole lines; one that a crash cut short was never acknowledged. */
const readLog = async (logFile: string): Promise<Entry[]> => {
  const text = await readFile(logFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
};
