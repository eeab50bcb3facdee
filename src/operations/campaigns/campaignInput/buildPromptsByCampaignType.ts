/** Which audio is heard when, by type of campaign (spec 4.3; decisions "cp_type 4", "cp_type 6"). */
import type { CallTemplate } from '../../../../machines/campaign/input.ts';
import type { PromptSource } from '../../../../machines/call/input.ts';
import type { CampaignPrompts } from './audio.ts';

type Prompts = CallTemplate['prompts'];

/** What the type does not use is left out. */
export const campaignCallPrompts = (
  mode: CallTemplate['mode'],
  opening: PromptSource,
  { prompts: named }: CampaignPrompts,
): Prompts => ({
  opening: [opening],
  slots: mode === 'question' ? answers(named) : {},
  ...present({ machine: named.machineAudio }),
  ...(mode === 'question' && present({ noDigit: named.contentNoDigit })),
  ...(mode === 'validate' && validation(named)),
});

/** `cont0` to `cont9`, by digit. */
const answers = (named: CampaignPrompts['prompts']): Prompts['slots'] =>
  Object.fromEntries(
    digits.flatMap((digit) => {
      const prompt = named[`cont${digit}`];
      return prompt ? [[String(digit), prompt]] : [];
    }),
  );

const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const validation = (named: CampaignPrompts['prompts']): Partial<Prompts> => ({
  validate: present({
    ask: named.content2,
    match: named.content3,
    notConfirmed: named.content4,
    noDigit: named.content5,
  }),
  ...present({
    wrong: named.contentWrong,
    beforeTransfer: named.content6,
    nobodyFree: named.content7,
    ending: named.content8,
  }),
});

const present = <T extends Record<string, PromptSource | undefined>>(
  prompts: T,
): { [K in keyof T]?: PromptSource } =>
  Object.fromEntries(Object.entries(prompts).filter(([, prompt]) => prompt !== undefined)) as {
    [K in keyof T]?: PromptSource;
  };
