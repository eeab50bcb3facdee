/** The name of the file with a campaign's results: safe in every file system, and the same every time. */

const NAME_LENGTH = 60;

/** `campaign-17-natal-2026.csv`; a name without letters or digits is left out. */
export const resultsFileName = (campaign: number, name: string): string => {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return `campaign-${campaign}${words && `-${words}`}.csv`;
};
