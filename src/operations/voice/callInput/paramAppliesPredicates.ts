/** What a call can come to, as far as its request says: what the conditions of `paramEffectByCallType.ts` look at. */
import type {
  CallInput,
  DtmfKeyAction,
  SecondLegTarget,
  PromptSource,
} from '../../../../machines/call/input.ts';
import { placeholdersOf } from '../../../rules/voice/placeholders.ts';
import type { CallRequestContext } from './params.ts';

/** A request, and the call that was read from it. */
export interface CallRequestFacts {
  params: CallRequestContext['params'];
  call: CallInput;
}

const listens: readonly CallInput['mode'][] = ['play', 'confirm', 'menu'];

/** What keys do. The key that confirms does nothing else. */
export const keyActionsOfCallRequest = ({ call }: CallRequestFacts): DtmfKeyAction[] =>
  listens.includes(call.mode)
    ? Object.entries(call.keys).flatMap(([key, action]) => (key === call.digits.confirm ? [] : [action]))
    : [];

/** Type 0 waits for digits of which something may come, or only for the key that replays. */
export const asksForKeys = (seen: CallRequestFacts): boolean =>
  seen.call.prompts.ask !== undefined ||
  keyActionsOfCallRequest(seen).length > 0 ||
  seen.call.sms?.when === 'dtmf1';

/** `dest2`, or the agent of type 100, where the mode leads to it. */
const ownLeg = (seen: CallRequestFacts): SecondLegTarget[] => {
  const { mode, transfer } = seen.call;
  const isReached =
    mode === 'confirm' || mode === 'agent' || (mode === 'menu' && keyActionsOfCallRequest(seen).length === 0);
  return transfer && isReached ? [transfer] : [];
};

/** Where a second leg may go. */
export const secondLegTargets = (seen: CallRequestFacts): SecondLegTarget[] => [
  ...ownLeg(seen),
  ...keyActionsOfCallRequest(seen).flatMap((action) => (action.do === 'transfer' ? [action.to] : [])),
];

/** Agents and queues, whose members are agents: they are told the values, and may hand the call to a queue. */
export const callRequestReachesAgentOrQueue = (seen: CallRequestFacts): boolean =>
  secondLegTargets(seen).some(({ kind }) => kind === 'agent' || kind === 'queue');

export const doesAnyKeyPlayPromptSlot = (seen: CallRequestFacts, slot: number): boolean =>
  keyActionsOfCallRequest(seen).some((action) => action.do === 'play' && action.slot === slot);

/** The number of `text7` or `content7`. */
export const promptSlotNumber = (name: string): number => Number(/\d+$/.exec(name)?.[0]);

/** Whether `text<n>` is heard: `content<n>` wins over it. */
export const speaksPromptSlot = (seen: CallRequestFacts, slot: number): boolean =>
  doesAnyKeyPlayPromptSlot(seen, slot) && isBlank(valueOf(seen, `content${slot}`));

/** The texts that are spoken, as they were written. */
const spokenTexts = (seen: CallRequestFacts): string[] => {
  const { params, call } = seen;
  const slots = Object.keys(call.prompts.slots).filter((slot) => speaksPromptSlot(seen, Number(slot)));
  return [params.text, ...slots.map((slot) => valueOf(seen, `text${slot}`))].filter(
    (text) => !isBlank(text),
  ) as string[];
};

export const hasSpokenTexts = (seen: CallRequestFacts): boolean => spokenTexts(seen).length > 0;

/** Audio of type ttsvar was filled in already, and may have named any value. */
const hasFilledAudio = (seen: CallRequestFacts): boolean => {
  const { opening, slots, validate: _, ...single } = seen.call.prompts;
  const audio: (PromptSource | undefined)[] = [
    ...(isBlank(seen.params.content) ? [] : opening.slice(0, 1)),
    ...Object.entries(slots).flatMap(([slot, one]) =>
      isBlank(valueOf(seen, `content${slot}`)) ? [] : [one],
    ),
    ...Object.values(single),
  ];
  return audio.some((one) => one !== undefined && 'text' in one);
};

/** Whether anything that is heard, sent or handed on has the value of this placeholder. */
export const usesPlaceholder = (seen: CallRequestFacts, word: string): boolean => {
  const texts = [...spokenTexts(seen), seen.params.smsText ?? ''];
  return (
    texts.some((text) => placeholdersOf(text).includes(word)) ||
    hasFilledAudio(seen) ||
    callRequestReachesAgentOrQueue(seen)
  );
};

const valueOf = ({ params }: CallRequestFacts, name: string): unknown =>
  (params as Record<string, unknown>)[name];

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';
