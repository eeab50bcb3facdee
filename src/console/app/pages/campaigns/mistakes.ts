/** What is wrong with a new campaign before the service is asked: said in the words of the form, beside the box. Pure. */
import type { OtherFieldValues } from './otherFields.tsx';
import type { Word } from '../../words/index.ts';

export interface WhatIsHeard {
  kind: 'audio' | 'text';
  audio: string;
  text: string;
}

/** By the names of CreateCampaign. */
export type CampaignFormValues = Readonly<Record<string, string>>;

export interface CampaignFormMistake {
  /** The box, as CreateCampaign names it. */
  name: 'text' | 'content' | 'date_end' | 'time_end';
  word: Word;
}

/** The first mistake; undefined: there is none that the form can see. `today`: on the wall clock of the account. */
export const firstCampaignFormMistake = (
  {
    date_start: first = '',
    date_end: last = '',
    time_start: from = '',
    time_end: until = '',
  }: CampaignFormValues,
  heard: WhatIsHeard,
  others: OtherFieldValues,
  today: string,
): CampaignFormMistake | undefined => {
  // A clone and an audio from an address bring what is heard.
  const isHeardElsewhere = [others['cp_id'], others['urlcontent']].some((value) => (value ?? '') !== '');
  if (!isHeardElsewhere && heard.kind === 'text' && heard.text.trim() === '')
    return { name: 'text', word: 'textMissing' };
  if (!isHeardElsewhere && heard.kind === 'audio' && heard.audio === '')
    return { name: 'content', word: 'audioMissing' };
  if (last !== '' && last < first) return { name: 'date_end', word: 'lastDayBeforeFirst' };
  if (last !== '' && last < today) return { name: 'date_end', word: 'lastDayOver' };
  if (until !== '' && until < from) return { name: 'time_end', word: 'untilBeforeFrom' };
  return undefined;
};
