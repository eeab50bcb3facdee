/** A message on its way to an SMSC: its parts, what was said to each, and the one answer that comes of it. */
import { type OutcomeUnknown, Retryable } from '../../../engine/contract/performer.ts';
import type { SmsSubmitAnswer, SmsToSubmit } from '../../contracts/sms.ts';

/** One `submit_sm`. */
export interface Part {
  submission: SmppMessageSubmission;
  index: number;
  /** Parameters of `submit_sm`. */
  fields: Record<string, unknown>;
  /** When it was last handed to the link, by the clock of the outbox, milliseconds. */
  sentAt: number;
}

export class SmppMessageSubmission {
  readonly message: SmsToSubmit;
  readonly arrivedAt: number;
  readonly parts: readonly Part[];
  readonly answer: Promise<SmsSubmitAnswer>;
  /** It was answered; parts that were not sent need not be. */
  over = false;
  /** Parts on the wire. */
  inFlight = 0;
  readonly #ids: string[] = [];
  readonly #slow: () => void;
  #taken = 0;
  /** What the SMSC said of a part that it cannot take, while another way may. */
  #obstacle: string | undefined;
  /** The SMSC may have taken a part whose answer is missing. */
  #isDoubtful = false;
  #toldSlow = false;
  #resolve!: (answer: SmsSubmitAnswer) => void;
  #reject!: (error: Error) => void;

  /** `fields`: parameters of each part. */
  constructor(
    message: SmsToSubmit,
    fields: readonly Record<string, unknown>[],
    slow: () => void,
    now: number,
  ) {
    this.message = message;
    this.arrivedAt = now;
    this.#slow = slow;
    this.parts = fields.map((one, index) => ({ submission: this, index, fields: one, sentAt: 0 }));
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The SMSC's ids of the parts that it took, in their order. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Nothing of it has reached the wire, or all that did was given back: it may go another way. */
  get untouched(): boolean {
    return this.inFlight === 0 && this.#taken === 0 && !this.#isDoubtful;
  }

  /** No more of its parts go on the wire. */
  get stopped(): boolean {
    return this.over || this.#obstacle !== undefined;
  }

  get complete(): boolean {
    return this.#taken === this.parts.length;
  }

  tellSlow(): void {
    if (this.#toldSlow || this.over) return;
    this.#toldSlow = true;
    this.#slow();
  }

  /** The SMSC took a part. The last part's id stands for the message. */
  taken({ index }: Part, id: string): void {
    this.#ids[index] = id;
    this.#taken += 1;
    if (this.over || !this.complete) return;
    this.#end({ type: 'acknowledged', providerId: this.#ids.at(-1)!, answer: this.#ids.join(' ') });
  }

  refused({ index }: Part, code: string, text: string): void {
    const which = this.parts.length === 1 ? '' : `part ${index + 1} of ${this.parts.length}: `;
    this.#end({ type: 'refused', code, text: `${which}${text}${this.#already()}`, answer: text });
  }

  /** It cannot go this way; `passing`: not now. What was taken in part is not tried elsewhere. */
  unavailable(text: string, passing = false): void {
    if (this.untouched) this.#end({ type: 'unavailable', text, answer: '', ...(passing && { passing }) });
    else this.#end({ type: 'refused', code: 'partial', text: `${text}${this.#already()}`, answer: text });
  }

  /** The SMSC cannot take a part, another way may. What parts on the wire are answered decides, in `settle`. */
  obstructed(text: string): void {
    this.#obstacle ??= text;
  }

  /** To be called when a part has left the wire. */
  settle(): void {
    if (this.#obstacle !== undefined && this.inFlight === 0) this.unavailable(this.#obstacle);
  }

  /** It may be tried again later: the SMSC has nothing of it. */
  postponed(text: string, afterMs: number): void {
    if (!this.untouched) this.unavailable(text);
    else if (this.#over()) this.#reject(new Retryable(text, { afterMs }));
  }

  /** It is not known whether the SMSC took a part, or under what id. A text that lacks another part is torn for certain. */
  unknown(why: OutcomeUnknown): void {
    if (this.#obstacle !== undefined) this.#isDoubtful = true;
    else if (this.#over()) this.#reject(why);
  }

  #already(): string {
    if (this.#taken === 0 && !this.#isDoubtful) return '';
    const others = this.#isDoubtful ? ', others may have been' : '';
    return `; ${this.#taken} of ${this.parts.length} parts had been taken${others}`;
  }

  #end(answer: SmsSubmitAnswer): void {
    if (this.#over()) this.#resolve(answer);
  }

  /** False when it was over already. */
  #over(): boolean {
    if (this.over) return false;
    this.over = true;
    return true;
  }
}
