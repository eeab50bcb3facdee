/** What a caller can see of a campaign (spec 2.3): the row of the table `campaigns`. */
import type { MachineRecordTable } from '../../src/engine/contract/kind.ts';
import { isCampaignOver, type CampaignContext, type CampaignPhase } from './context.ts';

/** `cp_state` (decisions "states"): what an active campaign does is a word of its own. */
const stateOf = (phase: CampaignPhase): string =>
  phase === 'dialing' || phase === 'waitingWindow' || phase === 'throttled' || phase === 'draining'
    ? 'active'
    : phase;

export const campaignRecordTable: MachineRecordTable = {
  table: 'campaigns',
  insertColumns: {
    created_at: 'bigint',
    mode: 'text',
    correlation: 'text',
    list_id: 'integer',
    audio: 'text',
    definition: 'json',
  },
  updateColumns: {
    name: 'text',
    detail: 'text',
    group_id: 'integer',
    active: 'boolean',
    state: 'text',
    phase: 'text',
    reason: 'text',
    model: 'boolean',
    date_start: 'text',
    date_end: 'text',
    time_start: 'text',
    time_end: 'text',
    calls_per_minute: 'integer',
    max_transfers: 'integer',
    destinations: 'integer',
    skipped: 'integer',
    made: 'integer',
    answered: 'integer',
    transferred: 'integer',
    ended: 'integer',
    finished_at: 'bigint',
  },

  onInsert: (given) => {
    const { bornAt, definition } = given as CampaignContext;
    return {
      created_at: bornAt,
      mode: definition.call.mode,
      correlation: definition.correlation,
      list_id: definition.list,
      audio: definition.audio.join(' '),
      definition: JSON.stringify(definition),
    };
  },

  onUpdate: (given) => {
    const context = given as CampaignContext;
    const { plan, counts, phase } = context;
    const state = stateOf(phase);
    return {
      name: plan.name,
      detail: plan.description,
      group_id: plan.group,
      active: plan.active,
      state,
      phase: state === 'active' ? phase : '',
      reason: context.reason,
      model: plan.model,
      date_start: plan.hours.dateStart,
      date_end: plan.hours.dateEnd,
      time_start: plan.hours.timeStart,
      time_end: plan.hours.timeEnd,
      calls_per_minute: plan.pace.callsPerMinute,
      max_transfers: plan.pace.maxTransfers,
      destinations: counts.destinations,
      skipped: counts.skipped,
      made: counts.made,
      answered: counts.answered,
      transferred: counts.transferred,
      ended: counts.ended,
      finished_at: isCampaignOver(context) ? context.overAt : null,
    };
  },
};
