/** A call that goes on, or will be made: where it stands, and what it waits for. */
import type { AdminDeps } from '../deps.ts';
import { describeMachineState, unknownStateText } from '../explained/states.ts';
import type { CallInNumberHistory } from '../../store/reads/why/callsToNumber.ts';
import { writeCallId } from '../../wire/callId.ts';
import type { NumberHistoryEvent } from './callHistoryEvents.ts';
import { ruleDisplayName, type AccountLocalizer, ruleExplanationText } from './told.ts';

interface Told {
  deps: AdminDeps;
  shard: string;
  teller: AccountLocalizer;
}

/** Undefined: it is no more. */
export const liveCallNumberHistoryEvent = async (
  { deps, shard, teller }: Told,
  call: CallInNumberHistory,
): Promise<NumberHistoryEvent | undefined> => {
  const view = await deps.engine.view({ shard, account: call.account_id, id: call.id });
  if (!view || view.endedAt !== null) return undefined;
  const { language, words, when } = teller;
  const now = deps.engine.now(shard);
  const said = view.pending ? [] : (deps.kind('call')?.explain?.(view.context) ?? []);
  const reason = said.findLast(({ until }) => until !== undefined && until > now);
  const state =
    describeMachineState('call', view.state)?.says[language] ?? unknownStateText[language](view.state);
  const held =
    reason?.until === undefined
      ? ''
      : ` ${words.until(ruleExplanationText(teller, reason), when(reason.until))}`;
  return {
    what: 'waiting',
    ...{ at: now, account: call.account_id, call: writeCallId(shard, call.id), times: 1, statement: null },
    campaign:
      call.campaign_id === 0
        ? null
        : { id: call.campaign_id, name: call.campaign ?? String(call.campaign_id) },
    rule: reason?.rule ?? '',
    ruleName: reason ? ruleDisplayName(teller, reason.rule) : '',
    sentence: `${state}${held}`,
    until: reason?.until ?? null,
  };
};
