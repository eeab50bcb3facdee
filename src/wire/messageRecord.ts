/** The record of the message log (spec 2.2) as operators see it. */
import type { UpstreamChatPricing } from '../../machines/contracts/message.ts';
import { toLocal } from '../lib/localTime.ts';
import { writeExactAmount } from '../rules/accounts/pricing.ts';
import type { MessageRow } from '../store/reads/sms/messageLog.ts';

export interface MessageApiRecord {
  cdls_id: number;
  cdcs_id: number;
  channel: string;
  /** `v8l_id` of the chat line; 0 for SMS. */
  line: number;
  dest: string;
  from: string;
  mtype: string;
  body: string;
  /** JSON of what was sent upstream; empty for SMS. */
  payload: string;
  ctid: string;
  msg_id: string;
  cp_id: string;
  cd_id: string;
  segments: number;
  /** accepted, submitted, acknowledged, delivered, read, failed, undelivered, unknown. */
  status: string;
  status_code: string;
  status_text: string;
  /** The provider's id. */
  cdls_return_id: string;
  /** What the last receipt said; empty: none came. */
  cdls_status_delivery: string;
  /** The provider's raw answer. */
  cdls_return_log: string;
  /** The price to the last decimal, as the ledger has it; with a comma. */
  cdls_value: string;
  refunded: boolean;
  /** What the upstream counts it as, in its own words; null: it has not said. No price of ours. */
  pricing: UpstreamChatPricing | null;
  /** A sandbox has it: it reaches no real recipient, whatever its status says. */
  sandbox: boolean;
  /** On the wall clock of the account. */
  created: string;
  updated: string;
}

export const formatMessageRecord = (row: MessageRow, zone: string): MessageApiRecord => ({
  cdls_id: row.id,
  cdcs_id: row.account_id,
  channel: row.channel,
  line: row.line_id,
  dest: row.destination,
  from: row.sender,
  mtype: row.content_type,
  body: row.body,
  payload: row.payload,
  ctid: row.correlation,
  msg_id: row.related,
  cp_id: row.campaign_id,
  cd_id: row.call_id,
  segments: row.segments,
  status: row.state,
  status_code: row.outcome_code,
  status_text: row.outcome_text,
  cdls_return_id: row.provider_id,
  cdls_status_delivery: deliveryOf(row),
  cdls_return_log: row.raw_answer,
  cdls_value: writeExactAmount(BigInt(row.price)),
  refunded: row.refunded,
  pricing: row.pricing ? (JSON.parse(row.pricing) as UpstreamChatPricing) : null,
  // Records that wait in deliveries of an earlier release do not say.
  sandbox: row.sandbox ?? false,
  created: written(row.created_at, zone),
  updated: written(Math.max(row.created_at, ...momentsOf(row).map(({ at }) => at)), zone),
});

/** When it came how far, in the order of a message's life. */
export const formatMessageHistory = (row: MessageRow, zone: string): { status: string; at: string }[] => [
  { status: 'accepted', at: written(row.created_at, zone) },
  ...momentsOf(row).map(({ status, at }) => ({ status, at: written(at, zone) })),
];

const momentsOf = (row: MessageRow): { status: string; at: number }[] =>
  [
    { status: 'submitted', at: row.submitted_at },
    { status: 'acknowledged', at: row.acknowledged_at },
    { status: 'delivered', at: row.delivered_at },
    { status: 'read', at: row.read_at },
    { status: row.state === 'undelivered' ? 'undelivered' : 'failed', at: row.failed_at },
  ].flatMap(({ status, at }) => (at === null ? [] : [{ status, at }]));

/** A refusal by the provider is no receipt: a message that failed without being taken has none. */
const deliveryOf = (row: MessageRow): string => {
  if (row.failed_at !== null) return wasTaken(row) ? row.state : '';
  if (row.read_at !== null) return 'read';
  return row.delivered_at === null ? '' : 'delivered';
};

/** The receipt of one whose acknowledgement was lost still names the provider's id. */
const wasTaken = ({ acknowledged_at, provider_id, state }: MessageRow): boolean =>
  acknowledged_at !== null || provider_id !== '' || state === 'undelivered';

const written = (at: number, zone: string): string => {
  const { date, time } = toLocal(at, zone);
  return `${date} ${time}`;
};
