/** What an SMS route says of its carrier: checked when it is written, and read the same way. */
import * as z from 'zod';

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
  /** After so long nobody knows whether the carrier took it. */
  answer_ms: milliseconds(100, 60_000, 50_000),
  /** Between questions whether the link still stands. */
  enquire_ms: milliseconds(100, 300_000, 30_000),
  /** Pause before a second try to connect; it doubles, up to 30 s. */
  reconnect_ms: milliseconds(10, 30_000, 500),
});

const sandbox = z.strictObject({});

export type SmppSettings = z.output<typeof smpp>;

/** The settings of each kind of route. */
export const routeSettings = { sandbox, smpp } as const;
export type RouteKind = keyof typeof routeSettings;

const smppSecret = z.strictObject({
  /** Longer than the specification's 8 characters, because carriers are. */
  password: printable(64),
});

export type SmppSecret = z.output<typeof smppSecret>;

/** What a secret of each kind of route consists of; undefined: it has none. */
export const routeSecrets = { sandbox: undefined, smpp: smppSecret } as const;
