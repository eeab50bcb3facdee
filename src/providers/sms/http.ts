/**
 * A gateway over HTTP that an operator describes: address, headers, body, and where its answer says what
 * (decisions/0010). Its receipts come by a hook of their own (`src/hooks/receiveSmsReceipts.ts`).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { placeholderValueEscapers, fill, type PlaceholderLookup } from '../../rules/sms/gatewayTemplate.ts';
import {
  type HttpGatewaySecret,
  type HttpGatewaySettings,
  parseStoredSmsRouteSettings,
  smsRouteSecretSchemas,
} from '../../rules/sms/smsRouteCarrierSchemas.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { DnsLookups } from '../contracts/dns.ts';
import { ssrfGuardedLookup } from '../ssrfGuard.ts';
import { Retryable } from '../../engine/contract/performer.ts';
import type { SmsSubmitAnswer, SmsCarrier, SmsRoute, SmsToSubmit, OpenSmsCarrier } from '../contracts/sms.ts';
import { type SmsGatewayClient, type SmsGatewayRequest, openGatewayClient } from './http/gatewayClient.ts';
import { readSmsGatewayReply } from './http/readGatewayReply.ts';

export interface HttpSmsCarrierDeps {
  /** Private networks (CIDRs) that addresses may lie in. */
  allowed: readonly string[];
  /** Finds the addresses of names; the routes of an account have look-ups of their own. */
  names: Pick<DnsLookups, 'of'>;
}

/** Messages that wait for their turn, and how long, milliseconds; then the engine keeps them for a while. */
const mostWaiting = 10_000;
const turnPatienceMs = 45_000;
const comeAgainMs = 5_000;
/** Kept of an answer, and of the reason in it, characters: they stand in the history of the message. */
const longestAnswer = 4_000;
const longestText = 500;
/** How long requests are let finish before the carrier closes, milliseconds. */
const drainMs = 10_000;

/** Opens gateways; each throws when the settings or the secret of its route are broken. */
export const httpSmsCarrier =
  ({ allowed, names }: HttpSmsCarrierDeps): OpenSmsCarrier =>
  (route) => {
    const settings = parseStoredSmsRouteSettings('http', route.settings);
    const secret = smsRouteSecretSchemas.http.parse(JSON.parse(route.openSecret() || '{}'));
    return new Gateway(
      settings,
      secret,
      openGatewayClient(ssrfGuardedLookup(allowed, names.of(askerOf(route))), allowed, settings.connections),
    );
  };

const askerOf = ({ shard, account }: SmsRoute): string => `${shard} ${account}`;

class Gateway implements SmsCarrier {
  readonly #settings: HttpGatewaySettings;
  readonly #secret: HttpGatewaySecret;
  readonly #client: SmsGatewayClient;
  readonly #turns: Semaphore;
  /** What stands in no answer. */
  readonly #unsaid: readonly string[];
  #open = 0;
  #closed = false;

  constructor(settings: HttpGatewaySettings, secret: HttpGatewaySecret, client: SmsGatewayClient) {
    this.#settings = settings;
    this.#secret = secret;
    this.#client = client;
    this.#turns = new Semaphore(settings.connections);
    this.#unsaid = spellingsOf(secret);
  }

  async submit(message: SmsToSubmit, slow: () => void): Promise<SmsSubmitAnswer> {
    if (this.#closed || this.#open >= mostWaiting) throw busy();
    const request = this.#request(message);
    if ('type' in request) return request;
    const late = setTimeout(slow, this.#settings.slow_ms);
    this.#open += 1;
    try {
      return this.#redacted(await this.#inTurn(request));
    } finally {
      this.#open -= 1;
      clearTimeout(late);
    }
  }

  async stop(): Promise<void> {
    this.#closed = true;
    const until = performance.now() + drainMs;
    while (this.#open > 0 && performance.now() < until) await pause(20);
    await this.#client.close();
  }

  async #inTurn(request: SmsGatewayRequest): Promise<SmsSubmitAnswer> {
    const patience = AbortSignal.timeout(turnPatienceMs);
    let begun = false;
    const ask = async (): Promise<SmsSubmitAnswer> => {
      begun = true;
      return readSmsGatewayReply(await this.#client.ask(request), this.#settings);
    };
    try {
      return await this.#turns.take(ask, patience);
    } catch (error) {
      throw begun ? error : busy();
    }
  }

  /** `unavailable` when the route names a secret that it does not have. */
  #request({ id, to, from, text }: SmsToSubmit): SmsGatewayRequest | SmsSubmitAnswer {
    const { url, method, format, headers, body, timeout_ms: timeoutMs } = this.#settings;
    const known = new Map([
      ...Object.entries({ id, to, from: from === '' ? this.#settings.from : from, text }),
      ...Object.entries(this.#secret).map(([name, value]) => [`secret.${name}`, value] as const),
    ]);
    const values: PlaceholderLookup = (name) => known.get(name);
    try {
      return {
        ...{ method, timeoutMs },
        url: fill(url, values, placeholderValueEscapers.url),
        body: fill(body, values, placeholderValueEscapers[format]),
        headers: {
          ...(body !== '' && { 'content-type': contentTypes[format] }),
          ...this.#credentials(values),
          ...lowered(headers, (value) => fill(value, values, placeholderValueEscapers.text)),
        },
      };
    } catch (error) {
      return { type: 'unavailable', text: `the SMS route: ${(error as Error).message}`, answer: '' };
    }
  }

  #credentials(values: PlaceholderLookup): Record<string, string> {
    if (!this.#settings.basic_auth) return {};
    return {
      authorization: `Basic ${inBase64(fill('{secret.user}:{secret.password}', values, placeholderValueEscapers.text))}`,
    };
  }

  /** A gateway may repeat what it was told. */
  #redacted(answer: SmsSubmitAnswer): SmsSubmitAnswer {
    const blot = (text: string): string =>
      this.#unsaid.reduce((rest, value) => rest.replaceAll(value, '…'), text);
    const answered = cut(blot(answer.answer), longestAnswer);
    if (answer.type === 'acknowledged') return { ...answer, answer: answered };
    return { ...answer, text: cut(blot(answer.text), longestText), answer: answered };
  }
}

/** Half a character cannot be stored. */
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** Each way in which a gateway may repeat a secret: as it was written for any place, in JSON within JSON; the longest first. */
const spellingsOf = (secret: HttpGatewaySecret): string[] => {
  const told = [...Object.values(secret), inBase64(`${secret['user']}:${secret['password']}`)];
  const written = told.flatMap((value) =>
    Object.values(placeholderValueEscapers).map((escape) => escape(value)),
  );
  const repeated = written.flatMap((value) => [
    value,
    value.replaceAll('%20', '+'),
    placeholderValueEscapers.json(value),
  ]);
  const spelled = new Set(repeated.flatMap((value) => [value, placeholderValueEscapers.json(value)]));
  return [...spelled].toSorted((one, other) => other.length - one.length);
};

const busy = (): Retryable => new Retryable('the SMS gateway takes no more now', { afterMs: comeAgainMs });

const contentTypes = {
  json: 'application/json; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;

const lowered = (
  headers: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), change(value)]));
