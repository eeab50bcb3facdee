/** No attempt reaches a far end twice. */
import { by, type Evidence, only } from '../evidence.ts';
import type { Rule } from './violation.ts';

/**
 * Only campaigns ask for a second try, so every other call is dialled once at the most, and an attempt of theirs is; and
 * what was answered was dialled.
 */
export const dialledOnce: Rule = (lines) => {
  const ofCampaigns = callsOfCampaigns(lines);
  const dials = by(only(lines, 'dialled'), ({ call }) => call);
  const attempts = by(only(lines, 'dialled'), ({ call, attempt }) =>
    ofCampaigns.has(call) ? `attempt ${attempt} of ${call}` : call,
  );
  const twice = [...attempts]
    .filter(([, made]) => made.length > 1)
    .map(([what, made]) => ({
      rule: 'dialled once',
      what: `${what} was dialled ${made.length} times`,
      lines: made,
    }));
  const never = only(lines, 'record')
    .filter(({ work, status, id }) => work === 'call' && status === 'OK' && !dials.has(id))
    .map((record) => ({
      rule: 'dialled once',
      what: `${record.id} is said to have been answered, and was never dialled`,
      lines: [record],
    }));
  return [...twice, ...never];
};

/** By their records, and by their numbers: a database that went back may have forgotten the records. */
const callsOfCampaigns = (lines: readonly Evidence[]): Set<string> => {
  const numbers = new Set(only(lines, 'campaign').flatMap((campaign) => campaign.numbers));
  const dialled = only(lines, 'dialled').filter(({ number }) => numbers.has(number));
  return new Set([...only(lines, 'destination'), ...dialled].map(({ call }) => call));
};

/** What a carrier took it is not handed again, whatever it answered. */
export const submittedOnce: Rule = (lines) => {
  const taken = by(
    only(lines, 'submitted').filter(({ result, tag }) => result !== 'refused' && tag !== ''),
    ({ tag }) => tag,
  );
  const twice = [...taken]
    .filter(([, made]) => made.length > 1)
    .map(([tag, made]) => ({
      rule: 'submitted once',
      what: `message ${tag} reached carriers ${made.length} times`,
      lines: made,
    }));
  const never = only(lines, 'record')
    .filter(({ work, status, tag }) => work !== 'call' && status === 'delivered' && !taken.has(tag))
    .map((record) => ({
      rule: 'submitted once',
      what: `message ${record.tag} is said to be delivered, and no carrier saw it`,
      lines: [record],
    }));
  return [...twice, ...never];
};
