/** What an SMS route says of its carrier: checked when it is written, and read the same way. */
import * as z from 'zod';
import { maxRegexLength, compileOperatorRegex } from './safeOperatorRegex.ts';
import {
  placeholderValueEscapers,
  fill,
  findGatewayPlaceholders,
  findUnknownGatewayPlaceholder,
} from './gatewayTemplate.ts';
import { parseUrl } from '../../lib/parseUrl.ts';

const printable = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\u0020-\u007e]*$/, 'must be printable ASCII');

const milliseconds = (least: number, most: number, usual: number) =>
  z.int().min(least).max(most).default(usual);

const typeOfNumber = z.int().min(0).max(255);

const smpp = z.strictObject({
  host: printable(253).regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an address'),
  port: z.int().min(1).max(65_535).default(2775),
  tls: z.boolean().default(false),
  /** False: any certificate is believed. */
  tls_verify: z.boolean().default(true),
  /** The authority to believe instead of the public ones, PEM. */
  tls_ca: z.string().max(50_000).optional(),
  system_id: printable(40).min(1),
  system_type: printable(12).default(''),
  /** Sender of messages that name none. */
  from: printable(20).default(''),
  /** Absent: 5/0 for a sender with letters, 3/0 for a short code, 1/1 for a number. */
  source_ton: typeOfNumber.optional(),
  source_npi: typeOfNumber.optional(),
  destination_ton: typeOfNumber.default(1),
  destination_npi: typeOfNumber.default(1),
  /** Messages on the wire that are not answered yet. */
  window: z.int().min(1).max(1_000).default(50),
  /** Whether receipts are asked for. */
  receipts: z.boolean().default(true),
  /** How a receipt writes the id that the submission was answered with: as it is, or in the other base. */
  receipt_ids: z.enum(['same', 'decimal', 'hex']).default('same'),
  /** Of the dates in receipts, minutes ahead of UTC; absent: the moment a receipt comes in counts. */
  utc_offset_minutes: z.int().min(-720).max(840).optional(),
  /** Sends a reference of our own (`user_message_reference`); carriers that bring it back help after a lost link. */
  reference: z.boolean().default(true),
  /** A caller is told `WR` after so long. */
  slow_ms: milliseconds(10, 60_000, 5_000),
  /** After so long without an answer the outcome at the carrier is unknown. */
  answer_ms: milliseconds(100, 60_000, 50_000),
  /** Between questions whether the link still stands. */
  enquire_ms: milliseconds(100, 300_000, 30_000),
  /** Pause before a second try to connect; it doubles, up to 30 s. */
  reconnect_ms: milliseconds(10, 30_000, 500),
});

const template = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => findUnknownGatewayPlaceholder(text) === undefined, {
      error: ({ input }) =>
        `${findUnknownGatewayPlaceholder(String(input))} is no placeholder: there are {to}, {from}, {text}, {id}, {secret.…}`,
    });

const url = template(2_000)
  .regex(
    /^https?:\/\/[^/?#@{}\s]+([/?][^\s#]*)?$/,
    'must be an http or https address, its host as it is and without credentials',
  )
  .refine(
    (text) => parseUrl(fill(text, () => 'x', placeholderValueEscapers.url)) !== undefined,
    'must be an address',
  );

/** A text that a person wrote fits no header. */
const headerValue = template(2_000)
  .regex(/^[\u0020-\u007e]*$/, 'must be printable ASCII')
  .refine(
    (text) =>
      findGatewayPlaceholders(text).every(
        (name) => name === 'to' || name === 'id' || name.startsWith('secret.'),
      ),
    'must hold no {text} and no {from}',
  );

const expression = z
  .string()
  .max(maxRegexLength)
  .superRefine((text, { addIssue }) => {
    const read = compileOperatorRegex(text);
    if (typeof read === 'string') addIssue(read);
  });

const reading = z.strictObject({
  path: z.string().min(1).max(200).optional(),
  matches: expression.optional(),
});

const words = z.array(z.string().min(1).max(60)).max(30);

/** Where a receipt says what. A form, and the query of an address, are read as an object of their names. */
const receipts = z.strictObject({
  /** The list of them in a body, by dots; absent: there is one. */
  list: z.string().min(1).max(200).optional(),
  /** The gateway's id of the message, as it answered the submission with. */
  id: reading,
  status: reading,
  /** Words of the status for each end, in small or capital letters; others say that it is still on its way. */
  delivered: words.default(['delivered', 'delivrd']),
  undelivered: words.default(['undelivered', 'undeliv', 'expired', 'deleted']),
  failed: words.default(['failed', 'rejected', 'rejectd', 'error']),
  /** Why, and the gateway's code of it. */
  error: reading.optional(),
  error_code: reading.optional(),
});

const http = z
  .strictObject({
    url,
    method: z.enum(['POST', 'PUT', 'GET']).default('POST'),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]{1,60}$/, 'must be names of headers'), headerValue)
      .refine((headers) => Object.keys(headers).length <= 20, 'must be 20 at most')
      .default({}),
    /** What `body` is: it decides how values are written there, and the usual content type. */
    format: z.enum(['json', 'form', 'text']).default('json'),
    body: template(10_000).default(''),
    /** Sends `secret.user` and `secret.password` as HTTP Basic credentials. */
    basic_auth: z.boolean().default(false),
    /** Sender of messages that name none. */
    from: printable(20).default(''),
    /** What an answer must say besides a status of 2xx; absent: nothing. */
    success: reading.extend({ equals: z.string().max(200).optional() }).optional(),
    /** The gateway's id of the message. */
    id: reading.optional(),
    /** Why it was refused, and the gateway's code of it. */
    error: reading.optional(),
    error_code: reading.optional(),
    /** Receipts that the gateway brings to `/hooks/sms/<route_id>`, with `secret.receipt_token`; absent: none. */
    receipts: receipts.optional(),
    /** Requests at a time. */
    connections: z.int().min(1).max(100).default(10),
    slow_ms: milliseconds(10, 60_000, 5_000),
    /** After so long without an answer the outcome at the gateway is unknown. */
    timeout_ms: milliseconds(100, 60_000, 20_000),
  })
  .refine(
    ({ format, body }) =>
      format !== 'json' || body === '' || isJson(fill(body, () => 'x', placeholderValueEscapers.json)),
    { path: ['body'], message: 'must be JSON, its placeholders within quotes' },
  )
  .refine(({ method, body }) => method !== 'GET' || body === '', {
    path: ['body'],
    message: 'must be empty with GET',
  });

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

const sandbox = z.strictObject({});

export type SmppSettings = z.output<typeof smpp>;
export type HttpGatewaySettings = z.output<typeof http>;
export type SmsReceiptSettings = z.output<typeof receipts>;

/** The settings of each kind of route. */
export const smsRouteSettingsSchemas = { sandbox, smpp, http } as const;
export type SmsRouteKind = keyof typeof smsRouteSettingsSchemas;

/**
 * The settings of a route as they are kept. Throws a sentence that names the field when this release cannot use them:
 * what an earlier one took may not be taken any more.
 */
export const parseStoredSmsRouteSettings = <Kind extends SmsRouteKind>(
  kind: Kind,
  settings: unknown,
): z.output<(typeof smsRouteSettingsSchemas)[Kind]> => {
  const { data, error } = smsRouteSettingsSchemas[kind].safeParse(settings);
  const [issue] = error?.issues ?? [];
  if (issue) throw new Error(`its settings cannot be used: ${issue.path.join('.')} ${issue.message}`);
  return data as z.output<(typeof smsRouteSettingsSchemas)[Kind]>;
};

const smppSecret = z.strictObject({
  /** Longer than the specification's 8 characters, because carriers are. */
  password: printable(64),
});

/** By the names that placeholders give them. */
const httpSecret = z
  .record(z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'must be lower-case names'), printable(2_000).min(1))
  .refine((values) => Object.keys(values).length <= 20, 'must be 20 at most');

export type HttpGatewaySecret = z.output<typeof httpSecret>;

/** What a secret of each kind of route consists of; undefined: it has none. */
export const smsRouteSecretSchemas = { sandbox: undefined, smpp: smppSecret, http: httpSecret } as const;
