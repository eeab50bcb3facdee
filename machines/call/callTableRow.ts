/** What a caller can see of a call (spec 2.1): the row of the table `calls`. */
import type { MachineRecordTable } from '../../src/engine/contract/kind.ts';
import type { CallContext } from './context.ts';
import { shownCallerId } from './startAttemptsAndLegs.ts';
import { lastDialledNumber } from './numbers.ts';

/** What trunks asked for all attempts; null: one that was answered had no price, or none was made. */
const purchaseOf = ({ attempts }: CallContext): number | null => {
  const isKnown = attempts.every(({ purchase, answeredAt }) => purchase !== undefined || answeredAt === 0);
  const priced = attempts.flatMap(({ purchase }) => purchase ?? []);
  return isKnown && priced.length > 0 ? priced.reduce((sum, one) => sum + one, 0) : null;
};

/** 0 stands for "not yet" in the context, and is null in the table. */
const moment = (at: number): number | null => at || null;

export const callRecordTable: MachineRecordTable = {
  table: 'calls',
  insertColumns: {
    requested_at: 'bigint',
    customer_campaign: 'text',
    campaign_id: 'integer',
    correlation: 'text',
    origin: 'text',
    mode: 'text',
    audio_key: 'text',
    campaign_row: 'integer',
  },
  updateColumns: {
    destination: 'text',
    caller_id: 'text',
    status: 'text',
    reason: 'text',
    answered_by: 'text',
    called_at: 'bigint',
    dialed_at: 'bigint',
    answered_at: 'bigint',
    ended_at: 'bigint',
    attempt: 'integer',
    response_1: 'text',
    response_2: 'text',
    response_3: 'text',
    route: 'text',
    recording: 'text',
    recording_seconds: 'integer',
    transfer_to: 'text',
    transferred_at: 'bigint',
    sms_id: 'text',
    hangup_cause: 'integer',
    sip_status: 'integer',
    attempts: 'text',
    purchase: 'bigint',
    finished: 'boolean',
  },

  onInsert: (given) => callInsertColumnValues(given as CallContext),
  onUpdate: (given, state) => {
    const context = given as CallContext;
    const { attempts } = context;
    return callUpdateColumnValues(
      context,
      state === 'ended',
      attempts.length === 0 ? '[]' : JSON.stringify(attempts),
    );
  },
};

export const callInsertColumnValues = ({ call }: CallContext) => ({
  requested_at: call.requestedAt,
  customer_campaign: call.customerCampaign,
  campaign_id: call.campaign?.id ?? 0,
  correlation: call.correlation,
  origin: call.origin,
  mode: call.mode,
  audio_key: call.policy.audioKey,
  campaign_row: call.campaign?.row ?? 0,
});

/** `finished`: nothing of it changes any more. `attempts`: those that are over, as JSON; they make it long. */
export const callUpdateColumnValues = (context: CallContext, finished: boolean, attempts: string) => {
  const { dial, recording } = context;
  const { answeredBy, responses } = context.talk;
  return {
    // With several numbers: the one dialled last.
    destination: lastDialledNumber(context),
    caller_id: shownCallerId(context),
    status: dial.status,
    // The reason may still change, so the record shows it only once the call has its status.
    reason: dial.status ? dial.reason : '',
    answered_by: answeredBy,
    called_at: dial.dialedAt || context.call.requestedAt,
    dialed_at: moment(dial.dialedAt),
    answered_at: moment(dial.answeredAt),
    ended_at: moment(dial.endedAt),
    attempt: dial.attempt,
    response_1: responses[0] ?? '',
    response_2: responses[1] ?? '',
    response_3: responses[2] ?? '',
    route: dial.route,
    recording: recording?.media ?? '',
    recording_seconds: Math.round(recording?.seconds ?? 0),
    transfer_to: context.second?.transferTo ?? '',
    transferred_at: moment(context.second?.transferredAt ?? 0),
    sms_id: context.smsId,
    hangup_cause: dial.cause,
    sip_status: dial.sipStatus,
    attempts,
    purchase: purchaseOf(context),
    finished,
  };
};
