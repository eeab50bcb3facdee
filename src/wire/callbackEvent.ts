/**
 * What a status callback says (decisions/0014): one flat object, the event's own keys and then those of the record
 * (spec 2.1, 2.2) as it was when the event happened.
 */
import type { CallCallback, MessageCallback } from '../../machines/delivery/input.ts';
import { writeExactAmount } from '../rules/accounts/pricing.ts';
import type { CallRow } from '../store/reads/voice/calls.ts';
import type { MessageRow } from '../store/reads/sms/messageLog.ts';
import { type CallRecordFormatOptions, formatCallRecord } from './callRecord.ts';
import { formatMessageRecord } from './messageRecord.ts';

/** One flat object; in a form and in a query each value is its text. */
export type CallbackEventFields = Readonly<Record<string, string | number | boolean>>;

export interface EventTenant {
  shard: string;
  account: number;
}

/** Names the event: the same for every attempt, and for no other event. No dots, as Standard Webhooks wants it. */
export const eventIdOf = (
  { shard, account }: EventTenant,
  { id, seq }: Pick<CallCallback, 'id' | 'seq'>,
): string => `evt_${shard}_${account}_${id}_${seq}`;

const headOf = (
  tenant: EventTenant,
  event: CallCallback | MessageCallback,
  { attempt, attempts }: { attempt: number; attempts: number },
) => ({
  event: event.event,
  event_id: eventIdOf(tenant, event),
  seq: event.seq,
  timestamp: new Date(event.at).toISOString(),
  final: event.final,
  attempt,
  attempts,
});

/** Of a campaign's call, as its list names them; the words on the left are those of texts. */
const personal = [
  ['nome', 'name'],
  ['cod_cli', 'cod_cli'],
  ['extra1', 'extra1'],
  ['extra2', 'extra2'],
  ['extra3', 'extra3'],
  ['extra4', 'extra4'],
] as const;
/** What is longer is cut: a callback stays under 20 kB, in a form too. Characters. */
const LONGEST_PERSONAL = 300;

/** An event of a call whose record stands like that. `view`: `origin` is that of the call, whatever it says. */
export const formatCallCallbackFields = (
  tenant: EventTenant,
  event: CallCallback,
  record: Readonly<Record<string, unknown>>,
  view: CallRecordFormatOptions,
): CallbackEventFields => {
  const row = { ...record, id: event.id } as unknown as CallRow & { attempt: number; origin: string };
  return {
    ...headOf(tenant, event, { attempt: row.attempt, attempts: event.attempts }),
    ...formatCallRecord(row, { ...view, origin: row.origin || view.origin }),
    ...personalOf(event.placeholders),
  };
};

const personalOf = (placeholders: CallCallback['placeholders']): Record<string, string> => {
  if (!placeholders) return {};
  return Object.fromEntries(
    personal.map(([word, key]) => [
      key,
      (placeholders[word] ?? '').slice(0, LONGEST_PERSONAL).toWellFormed(),
    ]),
  );
};

/** Answers of gateways may be long; whole they stand in the log. Characters. */
const LONGEST_STATUS_TEXT = 500;

/** An event of a message: the message log (spec 2.2) without what was said and without the provider's raw answer. */
export const formatMessageCallbackFields = (
  tenant: EventTenant,
  event: MessageCallback,
  zone: string,
): CallbackEventFields => {
  const row = { ...event.record, id: event.id, account_id: tenant.account } as unknown as MessageRow;
  const record = formatMessageRecord(row, zone);
  return {
    ...headOf(tenant, event, { attempt: 1, attempts: 1 }),
    cdls_id: record.cdls_id,
    channel: record.channel,
    line: record.line,
    dest: record.dest,
    from: record.from,
    mtype: record.mtype,
    ctid: record.ctid,
    msg_id: record.msg_id,
    cp_id: record.cp_id,
    cd_id: record.cd_id,
    segments: record.segments,
    status: record.status,
    status_code: record.status_code,
    status_text: record.status_text.slice(0, LONGEST_STATUS_TEXT).toWellFormed(),
    cdls_return_id: record.cdls_return_id,
    cdls_status_delivery: record.cdls_status_delivery,
    // What was given back was not charged; operators see the price beside `refunded`.
    cdls_value: record.refunded ? writeExactAmount(0n) : record.cdls_value,
    created: record.created,
    updated: record.updated,
  };
};
