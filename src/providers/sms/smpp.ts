/**
 * SMPP 3.4: a carrier behind a link that stands (decisions/0010). `smpp/reconnectingLink.ts` keeps it up, `smpp/outbox.ts` sends
 * what the window allows, `smpp/incomingReceipts.ts` takes what comes back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  parseStoredSmsRouteSettings,
  smsRouteSecretSchemas,
  type SmppSettings,
} from '../../rules/sms/smsRouteCarrierSchemas.ts';
import type { DnsLookups } from '../contracts/dns.ts';
import { unrestrictedDnsLookup } from '../ssrfGuard.ts';
import type {
  SmsSubmitAnswer,
  SmsCarrier,
  SmsRoute,
  SmsToSubmit,
  HandleSmsReceipt,
  OpenSmsCarrier,
} from '../contracts/sms.ts';
import { SmppReceiptReceiver } from './smpp/incomingReceipts.ts';
import { Link } from './smpp/reconnectingLink.ts';
import { SmppOutbox } from './smpp/outbox.ts';
import { splitIntoSmppParts } from './smpp/parts.ts';
import { canonicalSmppMessageId } from './smpp/receipt.ts';
import { SmppMessageSubmission } from './smpp/multipartSubmissionState.ts';

export interface SmppCarrierDeps {
  /** Finds the addresses of names; the routes of an account have look-ups of their own. */
  names: Pick<DnsLookups, 'of'>;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** How often what takes long is looked after, milliseconds. */
const sweepMs = 100;
/** How long a link finishes what is in flight before it closes, milliseconds. */
const drainMs = 10_000;

/** Opens links; each throws when the settings or the secret of its route are broken. */
export const smppCarrier =
  (options: SmppCarrierDeps): OpenSmsCarrier =>
  (route, take) =>
    new SmppCarrier(route, take, options);

class SmppCarrier implements SmsCarrier {
  readonly #settings: SmppSettings;
  readonly #link: Link;
  readonly #outbox: SmppOutbox;
  readonly #incoming: SmppReceiptReceiver;
  readonly #sweeping: NodeJS.Timeout;
  /** Tells the parts of one text from those of another to the same number. */
  #texts = Math.floor(Math.random() * 0x100);

  constructor(route: SmsRoute, take: HandleSmsReceipt, { names, log }: SmppCarrierDeps) {
    const settings = parseStoredSmsRouteSettings('smpp', route.settings);
    const { password } = smsRouteSecretSchemas.smpp.parse(
      JSON.parse(route.openSecret() || '{"password":""}'),
    );
    const name = { shard: route.shard, account: route.account, route: route.id };
    // Waiting times are measured by a monotonic clock.
    const now = (): number => performance.now();
    const incoming = new SmppReceiptReceiver({
      ...{ route, settings, take, log },
      now: () => Date.now(),
      monotonic: now,
    });
    this.#incoming = incoming;
    this.#settings = settings;
    this.#outbox = new SmppOutbox({
      window: settings.window,
      slowMs: settings.slow_ms,
      answerMs: settings.answer_ms,
      now,
      idOf: (answered) => canonicalSmppMessageId(answered, settings),
      send: (fields, answered) => this.#link.submit(fields, answered),
      down: () => this.#link.down,
      taken: (submission) => incoming.expect(submission),
      late: (submission) => void incoming.late(submission),
    });
    this.#link = new Link({
      ...{ settings, password, now },
      lookup: unrestrictedDnsLookup(names.of(`${route.shard} ${route.account}`)),
      up: () => {
        log.info(name, 'an SMS link is up');
        this.#outbox.pump();
      },
      lost: (why) => {
        log.warn({ ...name, why }, 'an SMS link is down');
        this.#outbox.lost();
      },
      brought: (pdu, answer) => void incoming.brought(pdu).then(answer),
    });
    this.#sweeping = setInterval(() => {
      this.#outbox.sweep();
      incoming.sweep();
    }, sweepMs);
  }

  submit(message: SmsToSubmit, slow: () => void): Promise<SmsSubmitAnswer> {
    return this.#outbox.submit(
      new SmppMessageSubmission(message, this.#parts(message), slow, performance.now()),
    );
  }

  health(): { ok: boolean; detail: string } {
    const { down } = this.#link;
    return down ? { ok: false, detail: down.why } : { ok: true, detail: 'bound' };
  }

  async stop(): Promise<void> {
    this.#outbox.close();
    const until = performance.now() + drainMs;
    while (this.#outbox.size > 0 && performance.now() < until && !this.#link.down) await pause(20);
    clearInterval(this.#sweeping);
    this.#outbox.end();
    await this.#link.close();
    await this.#incoming.stop();
  }

  #parts(message: SmsToSubmit): Record<string, unknown>[] {
    this.#texts = (this.#texts + 1) & 0xff;
    const parts = splitIntoSmppParts({ ...message, reference: this.#texts }, this.#settings);
    if (!this.#settings.reference) return parts;
    return parts.map((part) => ({ ...part, user_message_reference: referenceOf(message.machine) }));
  }
}

/**
 * Our own reference, two bytes: the end of the message's id, so that any process finds it again. Beside the number it
 * tells messages apart.
 */
const referenceOf = (machine: { id: number }): number => machine.id % 0x1_0000;
