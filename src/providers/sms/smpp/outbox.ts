/**
 * What is to be sent over one link: a line of parts, of which no more than the window are on the wire. What the SMSC
 * throttles goes back to the front, the whole link pauses, and the window grows again part by part. A part that was
 * handed to a link which was lost before its answer is never handed to another.
 */
import type { Pdu } from 'smpp';
import type { SmsSubmitAnswer } from '../../contracts/sms.ts';
import { faultOfProviderId, isProviderId } from '../../../rules/sms/providerId.ts';
import { OutcomeUnknown, UnusableProviderAnswer, Retryable } from '../../../engine/contract/performer.ts';
import { AdaptiveSendWindow } from './adaptiveWindow.ts';
import { smppStatusName, classifySmppStatus } from './status.ts';
import type { Part, SmppMessageSubmission } from './multipartSubmissionState.ts';
import { Deque } from './deque.ts';

export interface SmppOutboxOptions {
  window: number;
  slowMs: number;
  answerMs: number;
  now(): number;
  /** The id that a response names, as receipts are compared with it. */
  idOf(answered: string): string;
  /** Puts a part on the wire; false: the link takes nothing now. */
  send(fields: Record<string, unknown>, answered: (response: Pdu) => void): boolean;
  /** Why the link is not up, and since when; undefined: it is. */
  down(): { since: number; why: string } | undefined;
  /** The gateway accepted a message after its caller was told that the outcome is unknown. */
  late(submission: SmppMessageSubmission): void;
  taken(submission: SmppMessageSubmission): void;
}

/** Parts that wait; more are asked to come later. */
const mostWaiting = 20_000;
/** How long messages wait for a link that is down, milliseconds; then another way is better. */
const linkPatienceMs = 10_000;
/** How long a message may wait for its turn, milliseconds; then the engine keeps it for a while. */
const turnPatienceMs = 45_000;
const comeAgainMs = 5_000;

export class SmppOutbox {
  readonly #options: SmppOutboxOptions;
  readonly #pace: AdaptiveSendWindow;
  readonly #line = new Deque<Part>();
  readonly #inFlight = new Set<Part>();
  readonly #open = new Set<SmppMessageSubmission>();
  #closed = false;

  constructor(options: SmppOutboxOptions) {
    this.#options = options;
    this.#pace = new AdaptiveSendWindow(options.window, options.now);
  }

  /** Messages that are not answered. */
  get size(): number {
    return this.#open.size;
  }

  async submit(submission: SmppMessageSubmission): Promise<SmsSubmitAnswer> {
    const down = this.#hopeless();
    if (down !== undefined) submission.unavailable(down, true);
    else if (this.#closed || this.#line.length + submission.parts.length > mostWaiting)
      throw new Retryable('the SMS link takes no more now', { afterMs: comeAgainMs });
    else {
      this.#open.add(submission);
      for (const part of submission.parts) this.#line.push(part);
      this.pump();
    }
    return submission.answer;
  }

  /** Hands on what the window allows. To be called when the link comes up. */
  pump(): void {
    while (this.#pace.allows(this.#inFlight.size)) {
      const part = this.#line.shift();
      if (!part) return;
      if (part.submission.stopped) continue;
      if (this.#hand(part)) continue;
      this.#line.unshift(part);
      return;
    }
  }

  /** The link is gone: what was on the wire has no answer, and never will. */
  lost(): void {
    for (const part of this.#inFlight) this.#giveUp(part, 'the link was lost before the carrier answered');
    this.#pace.reset();
  }

  /** Looks after what takes long; to be called some times a second. */
  sweep(): void {
    const { now, slowMs, answerMs } = this.#options;
    for (const part of this.#inFlight)
      if (now() - part.sentAt > answerMs) this.#giveUp(part, 'the carrier did not answer in time');
    const hopeless = this.#hopeless();
    for (const submission of this.#open) {
      const waited = now() - submission.arrivedAt;
      if (waited > slowMs) submission.tellSlow();
      if (submission.inFlight > 0) continue;
      if (hopeless !== undefined) submission.unavailable(hopeless, true);
      else if (waited > turnPatienceMs) submission.postponed('the SMS link is busy', comeAgainMs);
      if (submission.over) this.#open.delete(submission);
    }
    this.pump();
  }

  /** Takes no more. */
  close(): void {
    this.#closed = true;
  }

  /** Ends what is left, as honestly as can be. */
  end(): void {
    this.lost();
    for (const submission of this.#open) submission.postponed('the SMS link is closing', comeAgainMs);
    this.#open.clear();
  }

  #hand(part: Part): boolean {
    part.sentAt = this.#options.now();
    this.#inFlight.add(part);
    part.submission.inFlight += 1;
    try {
      const handed = this.#options.send(part.fields, (response) => this.#answered(part, response));
      if (!handed) this.#land(part);
      return handed;
    } catch (error) {
      // It is written before it is sent: nothing left.
      this.#land(part);
      part.submission.refused(part, 'unwritable', `it cannot be written: ${(error as Error).message}`);
      this.#settle(part.submission);
      return true;
    }
  }

  /** Whether it was on the wire still. */
  #land(part: Part): boolean {
    if (!this.#inFlight.delete(part)) return false;
    part.submission.inFlight -= 1;
    return true;
  }

  #answered(part: Part, response: Pdu): void {
    const awaited = this.#land(part);
    const verdict = classifySmppStatus(response.command_status);
    if (verdict === 'taken') this.#taken(part, this.#options.idOf(response.message_id ?? ''), awaited);
    else if (awaited) this.#denied(part, verdict, response.command_status);
    this.#settle(part.submission);
    this.pump();
  }

  #taken(part: Part, id: string, awaited: boolean): void {
    const { submission } = part;
    const toldAlready = submission.over;
    if (awaited) this.#pace.went();
    if (id !== '' && !isProviderId(id)) {
      submission.unknown(new UnusableProviderAnswer(`the carrier names ${faultOfProviderId(id)}`));
      return;
    }
    submission.taken(part, id);
    if (!submission.complete) return;
    if (toldAlready) this.#options.late(submission);
    else this.#options.taken(submission);
  }

  #denied(part: Part, verdict: 'later' | 'elsewhere' | 'refused', status: number): void {
    const { submission } = part;
    const name = smppStatusName(status);
    if (verdict === 'refused') submission.refused(part, String(status), name);
    else if (verdict === 'elsewhere') submission.obstructed(name);
    else {
      this.#pace.throttled();
      this.#line.unshift(part);
    }
  }

  #giveUp(part: Part, why: string): void {
    this.#land(part);
    part.submission.unknown(new OutcomeUnknown(why));
    this.#settle(part.submission);
  }

  #settle(submission: SmppMessageSubmission): void {
    submission.settle();
    if (submission.over) this.#open.delete(submission);
  }

  /** Why nothing should wait for this link any more. */
  #hopeless(): string | undefined {
    const down = this.#options.down();
    return down && this.#options.now() - down.since > linkPatienceMs ? down.why : undefined;
  }
}
