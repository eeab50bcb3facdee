/**
 * What the service says, and how. `{name}` stands for words that are taken over as they are (of one letter: for one word),
 * `{~name}` for a sentence in the sentence, which is said in Portuguese where that is known.
 */
export type RefusalRules = readonly (readonly [english: string, portuguese: string])[];
