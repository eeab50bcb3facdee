/** What can be seen of a message: the row of the message log (spec 2.2). */
import type { MachineRecordTable } from '../../src/engine/contract/kind.ts';
import { type MessageContext, currentMessageRoute } from './contextAndAssigns.ts';

/** 0 stands for "not yet" in the context, and is null in the table. */
const moment = (at: number): number | null => at || null;

export const messageRecordTable: MachineRecordTable = {
  table: 'messages',
  insertColumns: {
    created_at: 'bigint',
    channel: 'text',
    line_id: 'integer',
    sender: 'text',
    destination: 'text',
    content_type: 'text',
    body: 'text',
    payload: 'text',
    correlation: 'text',
    related: 'text',
    campaign_id: 'text',
    call_id: 'text',
    segments: 'integer',
    price: 'bigint',
  },
  updateColumns: {
    state: 'text',
    outcome_code: 'text',
    outcome_text: 'text',
    provider_id: 'text',
    raw_answer: 'text',
    route_id: 'integer',
    sandbox: 'boolean',
    refunded: 'boolean',
    pricing: 'text',
    submitted_at: 'bigint',
    acknowledged_at: 'bigint',
    delivered_at: 'bigint',
    read_at: 'bigint',
    failed_at: 'bigint',
    finished: 'boolean',
  },

  onInsert: (given) => messageColumnsAtCreation(given as MessageContext),
  onUpdate: (given, state) => messageUpdateColumns(given as MessageContext, state),
};

export const messageColumnsAtCreation = ({ bornAt, message }: MessageContext) => {
  const chat = message.routes[0]?.by === 'chat' ? message.routes[0].submission : undefined;
  return {
    created_at: bornAt,
    channel: message.channel,
    line_id: chat?.line ?? 0,
    sender: message.sender,
    destination: message.destination,
    content_type: message.contentType,
    body: message.body,
    payload: chat ? JSON.stringify(chat.body) : '',
    correlation: message.correlation,
    related: message.related,
    campaign_id: message.campaignId,
    call_id: message.callId,
    segments: message.segments,
    price: message.price,
  };
};

/** `state`: where the chart stands. */
export const messageUpdateColumns = (context: MessageContext, state: string) => {
  const route = currentMessageRoute(context);
  return {
    state: stateOf(state, context),
    outcome_code: context.outcome.code,
    outcome_text: context.outcome.text,
    provider_id: fitting(context.providerId),
    raw_answer: context.answer,
    route_id: route.by === 'sms' ? route.submission.route : 0,
    sandbox: route.sandbox ?? false,
    refunded: context.refunded,
    pricing: context.pricing ? JSON.stringify(context.pricing) : '',
    submitted_at: moment(context.submittedAt),
    acknowledged_at: moment(context.acknowledgedAt),
    delivered_at: moment(context.deliveredAt),
    read_at: moment(context.readAt),
    failed_at: moment(context.failedAt),
    finished: ENDS.has(state),
  };
};

/** Providers' ids are bounded where they come in; one that was remembered before may be longer than the table takes. */
const fitting = (id: string): string =>
  id.length > LONGEST_ID ? id.slice(0, LONGEST_ID).toWellFormed() : id;
const LONGEST_ID = 255;

const ENDS: ReadonlySet<string> = new Set(['done', 'failed', 'undelivered', 'lost']);

/** The word of the log for where the chart stands. One that a caller was told is under way stays so on its next route. */
const stateOf = (state: string, { outcome, readAt, deliveredAt, acknowledgedAt }: MessageContext): string => {
  if (state === 'lost') return 'unknown';
  if (state === 'accepted' && outcome.code === '1') return 'submitted';
  if (state !== 'done') return state.split('.')[0]!;
  if (readAt > 0) return 'read';
  if (deliveredAt > 0) return 'delivered';
  return acknowledgedAt > 0 ? 'acknowledged' : 'unknown';
};
