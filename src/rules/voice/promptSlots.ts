/** Which of a call's numbered prompts will be heard (decisions "slots"). */
import type { DtmfKeyAction, PromptSource } from '../../../machines/call/input.ts';

/** The numbers that `text<n>` and `content<n>` go up to (spec 4.2). */
export const allPromptTextSlotNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
export const allPromptContentSlotNumbers = [...allPromptTextSlotNumbers, 12, 13, 14, 15] as const;

/** The prompt of a numbered slot: `content<n>` wins over `text<n>`. */
export const promptOfSlot = (
  slot: number,
  contents: Readonly<Record<number, PromptSource>>,
  texts: Readonly<Record<number, PromptSource>>,
): PromptSource | undefined => contents[slot] ?? texts[slot];

/** The slots that keys refer to; no other is ever played. */
export const promptSlotsPlayedByKeys = (keys: Readonly<Record<string, DtmfKeyAction>>): number[] => {
  const slots = Object.values(keys).flatMap((action) => (action.do === 'play' ? [action.slot] : []));
  return [...new Set(slots)].toSorted((a, b) => a - b);
};
