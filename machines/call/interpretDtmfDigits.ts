/** What the callee's keys mean (spec 4.2 DTMF; decisions "dtmf values", "type 2", "type 3"). */
import {
  interpretSurveyEntry,
  isSurveyCall,
  interpretSurveyDigit,
  surveyReplyPromptSlot,
} from './interpretSurveyDigits.ts';
import { updateSecondLegContext, updateIvrState, type CallContext, type CallIvrState } from './context.ts';
import type { CallInput, DtmfKeyAction, SecondLegTarget } from './input.ts';
import type { DigitMeaning } from './verdict.ts';

const END = '#';
/** Longest string of digits we keep. */
const LONGEST = 32;
/** Names no slot. */
const NO_SLOT = -1;
/** A key that replays for ever would keep a call up for ever. */
const REPLAYS = 9;

/** Whether this call waits for digits at all. */
export const asksForDigits = (call: CallInput): boolean => {
  if (call.mode === 'confirm' || call.mode === 'menu' || isSurveyCall(call)) return true;
  return call.mode === 'play' && (asksForKeys(call) || call.digits.replay !== undefined);
};

const asksForKeys = (call: CallInput): boolean =>
  call.prompts.ask !== undefined || hasKeys(call) || call.sms?.when === 'dtmf1';

/** `dtmfini` of a call that asks for no digit: that key replays the opening, the others are only kept. */
const onlyReplays = (call: CallInput): boolean =>
  call.digits.replay !== undefined &&
  (call.mode === 'recordAnswer' || (call.mode === 'play' && !asksForKeys(call)));

const hasKeys = (call: CallInput): boolean => {
  for (const _ in call.keys) return true;
  return false;
};

/** What follows when this digit comes. */
export const interpretDtmfDigit = (context: CallContext, digit: string): DigitMeaning => {
  const { call } = context;
  const { digits } = context.talk;
  if (isSurveyCall(call)) return limited(context, interpretSurveyDigit(context, digit));
  if (onlyReplays(call)) return digit === call.digits.replay && mayReplay(context) ? 'replay' : 'kept';
  if (!asksForDigits(call)) return 'kept';
  if (digit === call.digits.replay && digits === '') return canReplay(context);
  const action = actionFor(call, digits + digit) ?? actionFor(call, digit);
  if (action) return action.do === 'replay' ? canReplay(context) : action.do;
  if (digit === END) return complete(context, digits);
  if (digits.length + 1 >= call.digits.count) return complete(context, digits + digit);
  return 'more';
};

/** What follows when the wait is over. */
export const interpretDigitTimeout = (context: CallContext): DigitMeaning =>
  complete(context, context.talk.digits);

const mayReplay = (context: CallContext): boolean => context.talk.replays < REPLAYS;

const canReplay = (context: CallContext): DigitMeaning => (mayReplay(context) ? 'replay' : 'wrong');

const limited = (context: CallContext, verdict: DigitMeaning): DigitMeaning =>
  verdict === 'replay' ? canReplay(context) : verdict;

/** The action these keys were given. The digit that confirms is a key like any other. */
const actionFor = (call: CallInput, keys: string): DtmfKeyAction | { do: 'done' } | undefined => {
  if (call.mode === 'confirm' && keys === call.digits.confirm) return transferOrDone(call);
  const action = Object.hasOwn(call.keys, keys) ? call.keys[keys] : undefined;
  return action?.do === 'play' && !call.prompts.slots[action.slot] ? { do: 'done' } : action;
};

const transferOrDone = (call: CallInput): DtmfKeyAction | { do: 'done' } =>
  call.transfer ? { do: 'transfer', to: call.transfer } : { do: 'done' };

/** A whole entry that no key action took. */
const complete = (context: CallContext, entry: string): DigitMeaning => {
  const { call } = context;
  if (isSurveyCall(call)) return interpretSurveyEntry(context, entry);
  if (onlyReplays(call)) return 'done';
  if (entry === '') return 'none';
  if (hasKeys(call) || (call.mode === 'confirm' && call.digits.confirm !== undefined)) return 'wrong';
  return call.mode === 'play' ? 'done' : transferOrDone(call).do === 'transfer' ? 'transfer' : 'done';
};

/** The context after a digit: kept, or captured when it completes an entry. */
export const applyDtmfDigit = (context: CallContext, digit: string): Partial<CallContext> => {
  const { call, talk } = context;
  const verdict = interpretDtmfDigit(context, digit);
  const smsDigitPressed = talk.smsDigitPressed || digit === call.sms?.digit;
  if (verdict === 'replay' && digit === call.digits.replay && (talk.digits === '' || onlyReplays(call)))
    return updateIvrState(context, { replays: talk.replays + 1, smsDigitPressed });
  const keys = digit === END && !actionFor(call, END) ? talk.digits : talk.digits + digit;
  // A question's answers are what was asked for, and nothing else.
  if (verdict === 'kept' && isSurveyCall(call)) return updateIvrState(context, { smsDigitPressed });
  if (verdict === 'more' || verdict === 'kept')
    return updateIvrState(context, { digits: keys.slice(0, LONGEST), smsDigitPressed });
  const action = actionFor(call, keys) ?? actionFor(call, digit);
  const changes = {
    ...captureDigitResponse(talk, keys),
    smsDigitPressed,
    replays: verdict === 'replay' ? talk.replays + 1 : talk.replays,
    slot: action?.do === 'play' ? action.slot : replied(context, keys),
  };
  return {
    ...updateIvrState(context, changes),
    ...targeted(context, action?.do === 'transfer' ? action.to : undefined, verdict),
  };
};

/** The slot that replies to this entry; 0 and nothing there: no reply. */
const replied = ({ call, talk }: CallContext, entry: string): number =>
  isSurveyCall(call) ? (surveyReplyPromptSlot(call, entry) ?? NO_SLOT) : talk.slot;

/** The context when the wait for digits is over. */
export const applyDigitTimeout = (context: CallContext): Partial<CallContext> => ({
  ...updateIvrState(context, {
    ...captureDigitResponse(context.talk),
    slot: replied(context, context.talk.digits),
  }),
  ...targeted(context, undefined, interpretDigitTimeout(context)),
});

/** A key's own target goes before the call's. */
const targeted = (
  context: CallContext,
  own: SecondLegTarget | undefined,
  verdict: DigitMeaning,
): Partial<CallContext> => {
  const target = own ?? context.call.transfer;
  return verdict === 'transfer' && target ? updateSecondLegContext(context, { target }) : {};
};

/** `resp_1` to `resp_3`: the first three strings. */
const RESPONSES = 3;

/** The digits so far made a response. */
export const captureDigitResponse = (
  talk: CallIvrState,
  digits = talk.digits,
): Pick<CallIvrState, 'digits' | 'responses'> =>
  digits === '' || talk.responses.length >= RESPONSES
    ? { digits: '', responses: talk.responses }
    : { digits: '', responses: [...talk.responses, digits] };
