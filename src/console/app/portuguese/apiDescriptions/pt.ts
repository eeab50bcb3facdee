/** All that the declarations say, in Portuguese: loaded where it is shown, and only in that language. */
import { accessPt } from './access.pt.ts';
import { auditedPt } from './audited.pt.ts';
import { campaignsPt } from './campaigns.pt.ts';
import { choicesPt } from './choices.pt.ts';
import { fieldNamesOfAccountsAndVoicePt } from './fieldNamesOfAccountsAndVoice.pt.ts';
import { fieldNamesOfCampaignsAndMessagesPt } from './fieldNamesOfCampaignsAndMessages.pt.ts';
import { messagesPt } from './messages.pt.ts';
import { voicePt } from './voice.pt.ts';

/** What a language says instead of the declarations' own words. */
export interface DeclaredWords {
  /** Sentences, by the English ones. */
  sentences: Readonly<Record<string, string>>;
  /** What fields are called, by their names. */
  names: Readonly<Record<string, string>>;
  /** What choices mean, by their values; one that is the same in both languages has none. */
  choices: Readonly<Record<string, string>>;
}

export const declaredPt: DeclaredWords = {
  sentences: { ...accessPt, ...auditedPt, ...voicePt, ...campaignsPt, ...messagesPt },
  names: { ...fieldNamesOfAccountsAndVoicePt, ...fieldNamesOfCampaignsAndMessagesPt },
  choices: choicesPt,
};
