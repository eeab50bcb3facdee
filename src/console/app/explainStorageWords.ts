/** Sentences of the service for readers who know nothing of its inside: what its words for storage mean, these in brackets. Pure. */

/** The first that fits is said; commands (`ramal shard open a`) stay as they are typed. */
const meanings: readonly (readonly [words: RegExp, meaning: string])[] = [
  [/\bthe database of shard ([\w-]+)/g, 'part $1 of the database (shard)'],
  [/(?<!ramal )\bshard ([\w-]+)(?= |$|[,;.])/g, 'part $1 of the database (shard)'],
  [/\bthe shard\b/g, 'this part of the database (shard)'],
  [/\b(journals?)\b \(/g, 'records on disk ($1; '],
  [/(?<!\()\bjournals\b/g, 'records on disk (journals)'],
  [/(?<!\()\bjournal\b/g, 'record on disk (journal)'],
];

export const explainStorageWords = (sentence: string): string =>
  meanings.reduce((said, [words, meaning]) => said.replaceAll(words, meaning), sentence);
