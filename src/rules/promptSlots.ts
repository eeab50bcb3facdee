/** Which of a call's numbered prompts will be heard (decisions "slots"). */
import type { KeyAction, PromptSource } from '../../machines/call/input.ts';

/** The prompt of a numbered slot: `content<n>` wins over `text<n>`. */
export const promptOfSlot = (
  slot: number,
  contents: Readonly<Record<number, PromptSource>>,
  texts: Readonly<Record<number, PromptSource>>,
): PromptSource | undefined => contents[slot] ?? texts[slot];

/** The slots that keys refer to; no other is ever played. */
export const slotsInUse = (keys: Readonly<Record<string, KeyAction>>): number[] => {
  const slots = Object.values(keys).flatMap((action) => (action.do === 'play' ? [action.slot] : []));
  return [...new Set(slots)].toSorted((a, b) => a - b);
};
