/** From the parameters of MakeTTSCall to what a call is born with. Each step may refuse by name. */
import type { CallInput, SecondLegTarget } from '../../../../machines/call/input.ts';
import { type ParsedPhoneNumber, readPhoneNumber } from '../../../rules/voice/parsePhoneNumber.ts';
import { parseLegTarget, parseAgentOrQueueId } from '../../../rules/voice/legTarget.ts';
import { warnOfMisreadUtf8 } from '../../encodingWarning.ts';
import { readFollowUp } from '../../sms/followUpSmsParams.ts';
import { readKeypadParams } from './keypad.ts';
import { readRequestedCallPolicy } from './policy.ts';
import {
  callParamsHaveSpokenContent,
  placeholderValuesFromCallParams,
  readPrompts,
  spokenAndSmsTexts,
} from './prompts.ts';
import { readCallSchedule } from './schedule.ts';
import {
  readCallCallback,
  resolveRequestedCallerId,
  readForcedTrunksParam,
} from './callerIdRoutesAndCallback.ts';
import type { CallRequestContext } from './params.ts';

const modes = { 0: 'play', 2: 'confirm', 3: 'menu', 22: 'recordAnswer', 100: 'agent' } as const;
const musics = { 1: 'ringing', 2: 'music', 3: 'silence' } as const;
/** Type 22 without `rec`, seconds. */
const usualAnswerSeconds = 60;

/** Reads a request into a call's input. Throws the declared refusals; changes nothing. */
export const readCallRequest = async (ctx: CallRequestContext): Promise<CallInput> => {
  const { account, params, services, refuse } = ctx;
  if (!callParamsHaveSpokenContent(params)) throw refuse('nothingToSay');
  const destination = readDestination(ctx);
  const sms = readFollowUp(params, refuse, placeholderValuesFromCallParams(params));
  warnOfMisreadUtf8(ctx, spokenAndSmsTexts(params));
  const now = services.engine.now(account.shard);
  const schedule = readCallSchedule(ctx, now);
  const transfer = await readTransfer(ctx);
  const fixedRoutes = readForcedTrunksParam(ctx);
  const keypad = readKeypadParams(ctx, normalizer(ctx));
  const { prompts, audioKey } = await readPrompts(ctx, keypad.keys, {
    now,
    dialAt: schedule.notBefore ?? now,
  });
  return {
    mode: modes[params.type],
    requestedAt: now,
    destination: destination.number,
    callerId: resolveRequestedCallerId(ctx, {
      number: destination.number,
      fixedRoutes,
      at: schedule.notBefore ?? now,
    }),
    ...(params.callerId !== undefined && { callerIdAsked: true }),
    prompts,
    ...keypad,
    ...(transfer && { transfer }),
    waitInLine: params.wait,
    lineSeconds: params.waitSeconds,
    ...(params.sendDigits && {
      sendDigits: { digits: params.sendDigits, afterSeconds: params.sendDigitsAfter },
    }),
    music: musics[params.music as keyof typeof musics],
    ...readRecording(ctx),
    schedule,
    priority: params.priority,
    ringSeconds: params.ringSeconds,
    limitSeconds: params.limitSeconds,
    answerSeconds: params.answerSeconds,
    ...(sms && { sms }),
    policy: readRequestedCallPolicy(ctx, destination, audioKey, schedule.notBefore ?? now),
    customerCampaign: params.customerCampaign,
    correlation: params.correlation,
    origin: 'api',
    fixedRoutes,
    placeholders: placeholderValuesFromCallParams(params),
    ...readCallCallback(ctx),
  };
};

const readDestination = ({ params, refuse }: CallRequestContext): ParsedPhoneNumber => {
  if (params.destination === undefined) throw refuse('badDestination', 'dest is missing');
  const read = readPhoneNumber(params.destination, { brazil: params.brazil });
  if (read.kind === 'refused') throw refuse('badDestination', `dest ${read.why}`);
  return read;
};

/** How the other numbers of this request are read. */
const normalizer =
  ({ params }: CallRequestContext) =>
  (written: string): string | undefined => {
    const read = readPhoneNumber(written, { brazil: params.brazil });
    return read.kind === 'refused' ? undefined : read.number;
  };

/** `dest2`, or for type 100 the agent, who must be there now. */
const readTransfer = async (ctx: CallRequestContext): Promise<SecondLegTarget | undefined> => {
  const { account, params, services, refuse } = ctx;
  if (params.type === '100') {
    const agent = parseAgentOrQueueId(params.initialDigit?.trim() ?? '');
    if (agent === undefined || !(await services.agentIsActive(account.shard, account.id, agent)))
      throw refuse('noAgent');
    return { kind: 'agent', agent };
  }
  if (params.secondLeg === undefined) return undefined;
  const target = parseLegTarget(params.secondLeg, normalizer(ctx));
  if (!target)
    throw refuse('badValue', 'dest2 must be a telephone number, RT<ccba_id>, WA<number> or FI<queue_id>');
  return target;
};

const readRecording = ({ params }: CallRequestContext): Pick<CallInput, 'recording'> => {
  const maxSeconds = params.recordSeconds || (params.type === '22' ? usualAnswerSeconds : 0);
  return maxSeconds === 0 ? {} : { recording: { maxSeconds, from: params.recordFrom ?? 'ini' } };
};
