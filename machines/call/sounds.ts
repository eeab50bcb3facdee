/** What a call may say or play, for those who look at it afterwards: not part of its chart. */
import type { MachineSound } from '../../src/engine/contract/kind.ts';
import type { CallContext } from './context.ts';
import type { CallInput, PromptSource } from './input.ts';
import { promptSourcesForCue } from './prompts.ts';

/** Everything the call was told to say or play, in the order in which a caller gives it. */
export const listCallSounds = ({ call }: { call: Pick<CallInput, 'prompts'> }): MachineSound[] => {
  const { opening, slots, validate = {}, ...others } = call.prompts;
  return [
    ...opening.map((source) => ({ name: 'opening', source })),
    ...Object.entries(slots).map(([slot, source]) => ({ name: `slot ${slot}`, source })),
    ...soundsByName(others),
    ...soundsByName({
      code: validate.ask,
      match: validate.match,
      notConfirmed: validate.notConfirmed,
      unconfirmed: validate.noDigit,
    }),
  ];
};

const soundsByName = (sources: Readonly<Record<string, PromptSource | undefined>>): MachineSound[] =>
  Object.entries(sources).flatMap(([name, source]) => (source ? [{ name, source }] : []));

/** Which of them are heard with the cue that is chosen: places in that list. */
export const soundsOfCurrentCue = (context: CallContext): number[] => {
  const all = listCallSounds(context);
  const heard = new Set(promptSourcesForCue(context, context.talk.cue));
  return all.flatMap(({ source }, place) => (heard.has(source) ? [place] : []));
};
