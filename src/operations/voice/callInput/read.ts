/** From the parameters of MakeTTSCall to what a call is born with. Each step may refuse by name. */
import type { CallInput, LegTarget } from '../../../../machines/call/input.ts';
import { type DialNumber, readNumber } from '../../../rules/voice/numbering.ts';
import { parseLegTarget, smallId } from '../../../rules/voice/legTarget.ts';
import { warnOfEncoding } from '../../encodingWarning.ts';
import { readFollowUp } from '../../sms/smsFollowUp.ts';
import { readKeypad } from './keypad.ts';
import { readPolicy } from './policy.ts';
import { hasContent, readPlaceholders, readPrompts, writtenTexts } from './prompts.ts';
import { readSchedule } from './schedule.ts';
import { callbackOf, callerIdOf, fixedRoutesOf } from './optionalParams.ts';
import type { CallAsked } from './params.ts';

const modes = { 0: 'play', 2: 'confirm', 3: 'menu', 22: 'recordAnswer', 100: 'agent' } as const;
const musics = { 1: 'ringing', 2: 'music', 3: 'silence' } as const;
/** Type 22 without `rec`, seconds. */
const usualAnswerSeconds = 60;

/** Reads a request into a call's input. Throws the declared refusals; changes nothing. */
export const readCall = async (asked: CallAsked): Promise<CallInput> => {
  const { account, params: given, services, refuse } = asked;
  if (!hasContent(given)) throw refuse('nothingToSay');
  const destination = readDestination(asked);
  const sms = readFollowUp(given, refuse, readPlaceholders(given));
  warnOfEncoding(asked, writtenTexts(given));
  const now = services.engine.now(account.shard);
  const schedule = readSchedule(asked, now);
  const transfer = await readTransfer(asked);
  const fixedRoutes = fixedRoutesOf(asked);
  const keypad = readKeypad(asked, normalizer(asked));
  const { prompts, audioKey } = await readPrompts(asked, keypad.keys, {
    now,
    dialAt: schedule.notBefore ?? now,
  });
  return {
    mode: modes[given.type],
    requestedAt: now,
    destination: destination.number,
    callerId: callerIdOf(asked, { number: destination.number, fixedRoutes, at: schedule.notBefore ?? now }),
    ...(given.callerId !== undefined && { callerIdAsked: true }),
    prompts,
    ...keypad,
    ...(transfer && { transfer }),
    waitInLine: given.wait,
    lineSeconds: given.waitSeconds,
    ...(given.sendDigits && {
      sendDigits: { digits: given.sendDigits, afterSeconds: given.sendDigitsAfter },
    }),
    music: musics[given.music as keyof typeof musics],
    ...readRecording(asked),
    schedule,
    priority: given.priority,
    ringSeconds: given.ringSeconds,
    limitSeconds: given.limitSeconds,
    answerSeconds: given.answerSeconds,
    ...(sms && { sms }),
    policy: readPolicy(asked, destination, audioKey, schedule.notBefore ?? now),
    customerCampaign: given.customerCampaign,
    correlation: given.correlation,
    origin: 'api',
    fixedRoutes,
    placeholders: readPlaceholders(given),
    ...callbackOf(asked),
  };
};

const readDestination = ({ params: given, refuse }: CallAsked): DialNumber => {
  if (given.destination === undefined) throw refuse('badDestination', 'dest is missing');
  const read = readNumber(given.destination, { brazil: given.brazil });
  if (read.kind === 'refused') throw refuse('badDestination', `dest ${read.why}`);
  return read;
};

/** How the other numbers of this request are read. */
const normalizer =
  ({ params: given }: CallAsked) =>
  (written: string): string | undefined => {
    const read = readNumber(written, { brazil: given.brazil });
    return read.kind === 'refused' ? undefined : read.number;
  };

/** `dest2`, or for type 100 the agent, who must be there now. */
const readTransfer = async (asked: CallAsked): Promise<LegTarget | undefined> => {
  const { account, params: given, services, refuse } = asked;
  if (given.type === '100') {
    const agent = smallId(given.initialDigit?.trim() ?? '');
    if (agent === undefined || !(await services.agentIsActive(account.shard, account.id, agent)))
      throw refuse('noAgent');
    return { kind: 'agent', agent };
  }
  if (given.secondLeg === undefined) return undefined;
  const target = parseLegTarget(given.secondLeg, normalizer(asked));
  if (!target)
    throw refuse('badValue', 'dest2 must be a telephone number, RT<ccba_id>, WA<number> or FI<queue_id>');
  return target;
};

const readRecording = ({ params: given }: CallAsked): Pick<CallInput, 'recording'> => {
  const maxSeconds = given.recordSeconds || (given.type === '22' ? usualAnswerSeconds : 0);
  return maxSeconds === 0 ? {} : { recording: { maxSeconds, from: given.recordFrom ?? 'ini' } };
};
