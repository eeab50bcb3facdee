/** What the SMSC brings: receipts are made durable before they are confirmed; what is no receipt is confirmed and dropped. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import smpp, { type Pdu } from 'smpp';
import { type LogThrottle, createLogThrottle } from '../../../lib/createLogThrottle.ts';
import type { SmppSettings } from '../../../rules/sms/smsRouteCarrierSchemas.ts';
import type { SmsReceipt, SmsRoute, HandleSmsReceipt } from '../../contracts/sms.ts';
import { MultipartSmsReceipts } from './concatenatedReceipts.ts';
import { type SmppReceipt, readSmppReceipt } from './receipt.ts';
import type { SmppMessageSubmission } from './multipartSubmissionState.ts';

export interface SmppReceiptReceiverOptions {
  route: SmsRoute;
  settings: SmppSettings;
  take: HandleSmsReceipt;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of any monotonic clock. */
  monotonic(): number;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

const fine = 0;
/** The SMSC keeps it, and brings it again. */
const later = smpp.errors['ESME_RX_T_APPN']!;
/** Receipts that are being made durable; the SMSC keeps the others for a while. */
const mostUnderWay = 2_000;

export class SmppReceiptReceiver {
  readonly #options: SmppReceiptReceiverOptions;
  readonly #joined: MultipartSmsReceipts;
  readonly #nowAndThen: LogThrottle;
  #underWay = 0;

  constructor(options: SmppReceiptReceiverOptions) {
    this.#options = options;
    this.#joined = new MultipartSmsReceipts(options.monotonic);
    this.#nowAndThen = createLogThrottle({ now: options.now });
  }

  /** A message was taken: receipts of all its parts may come. */
  expect({ ids }: SmppMessageSubmission): void {
    this.#joined.expect(ids);
  }

  /** The acknowledgement came after the caller was told that the outcome is unknown. */
  async late(submission: SmppMessageSubmission): Promise<void> {
    const { route, take, now, log } = this.#options;
    const { message, ids } = submission;
    this.expect(submission);
    try {
      await take(route, {
        ...{ providerId: ids.at(-1)!, machine: message.machine },
        ...{ status: 'sent', occurredAt: now(), code: '', text: '' },
      });
    } catch (error) {
      log.warn({ err: error, route: route.id }, 'a late answer cannot be noted');
    }
  }

  /** The status to confirm it with. Never rejects. */
  async brought(pdu: Pdu): Promise<number> {
    const { settings, route, log } = this.#options;
    if (this.#underWay >= mostUnderWay) return later;
    return this.#guarded(async () => {
      const receipt = readSmppReceipt(pdu, settings);
      if (receipt) return this.#receipt(receipt);
      const { command } = pdu;
      this.#nowAndThen(command, (times) =>
        log.info({ route: route.id, command, times }, 'the carrier brought something that is no receipt'),
      );
      return fine;
    });
  }

  /** Tells what has waited long enough for the receipts of other parts; to be called some times a second. */
  sweep(): void {
    const room = mostUnderWay - this.#underWay;
    for (const receipt of this.#joined.due(room)) void this.#guarded(() => this.#tell(receipt));
  }

  /** Tells what waits for the receipts of other parts: they would come to one that does not know the text. */
  async stop(): Promise<void> {
    await Promise.all(this.#joined.held().map((receipt) => this.#guarded(() => this.#tell(receipt))));
  }

  async #guarded(work: () => Promise<number>): Promise<number> {
    const { route, log } = this.#options;
    this.#underWay += 1;
    try {
      return await work();
    } catch (error) {
      this.#nowAndThen('fault', (times) =>
        log.warn({ err: error, route: route.id, times }, 'a receipt cannot be taken now'),
      );
      return later;
    } finally {
      this.#underWay -= 1;
    }
  }

  async #receipt({ reference, to, occurredAt, ...told }: SmppReceipt): Promise<number> {
    // The answer to the submission may stand in the same packet; it has to be handled before the receipt.
    await nextTurn();
    const receipt = this.#joined.whole<SmsReceipt>({
      ...{ ...told, occurredAt: occurredAt ?? this.#options.now() },
      ...(reference !== undefined && { submission: { to, reference } }),
    });
    if (receipt === 'later') return later;
    return receipt === 'heard' ? fine : this.#tell(receipt);
  }

  async #tell(receipt: SmsReceipt): Promise<number> {
    const { route, take } = this.#options;
    if ((await take(route, receipt)) === 'later') return later;
    this.#joined.told(receipt.providerId);
    return fine;
  }
}
