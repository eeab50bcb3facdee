/** Others are served: what is one neighbour's trouble is nobody else's, and in everybody's trouble the answers are honest. */
import { by, type Evidence, type Of, only } from '../evidence.ts';
import {
  type Bounds,
  type Rule,
  refusalsOf,
  type Trouble,
  troublesAt,
  troublesOf,
  type Violation,
} from './violation.ts';

export const othersAreServed: Rule = (lines, bounds) => {
  const troubles = refusalsOf(lines, bounds);
  return only(lines, 'answered')
    .filter((answer) => answer.by === 'innocent')
    .flatMap((answer) =>
      faultOf(answer, concerning(answer.node, troublesAt(troubles, answer.at, answer.ms)), bounds),
    );
};

/** What happens to one node is no excuse of another. */
const concerning = (node: string, troubles: readonly Trouble[]): Trouble[] =>
  troubles.filter((trouble) => trouble.node === '' || trouble.node === node);

/** A bound that others have used up is no reason of the service's. */
const neighboursFault = /too many/;

const faultOf = (answer: Of<'answered'>, troubles: readonly Trouble[], { answerMs }: Bounds): Violation[] => {
  const { door, node, http, ms, said } = answer;
  const add = (what: string): Violation[] => [{ rule: 'others are served', what, lines: [answer] }];
  if (http === 200) {
    if (troubles.length > 0 || ms <= answerMs) return [];
    return add(`${door} of an innocent took ${ms} ms while nothing of the service was broken`);
  }
  if (troubles.length === 0)
    return add(`${door} of an innocent was answered ${http} (${said}) without a reason`);
  if (neighboursFault.test(said)) return add(`${door} of an innocent paid for others: ${http} ${said}`);
  const nodeIsAway = http === 0 && troubles.some((trouble) => trouble.node === node);
  // A message of which nobody knows whether it was sent is not "try again".
  const isUnknown = http === 400 && answer.code === '300' && /not known/.test(said);
  if (http === 503 || nodeIsAway || isUnknown) return [];
  const during = troubles.map(({ fault }) => fault).join(', ');
  return add(`${door} of an innocent was answered ${http} (${said}) during ${during}: 503 would be honest`);
};

/** What an innocent was promised goes on at once: to the carrier, and with its first callback. */
export const othersGoOn: Rule = (lines, bounds) => {
  const troubles = troublesOf(lines, bounds);
  const innocents = new Set(
    only(lines, 'answered').flatMap((answer) => (answer.by === 'innocent' ? [answer.tag] : [])),
  );
  const dials = by(only(lines, 'dialled'), ({ call }) => call);
  const submissions = by(only(lines, 'submitted'), ({ tag }) => tag);
  const callbacks = by(only(lines, 'calledBack'), ({ subject }) => subject);
  const mended = only(lines, 'mended')[0]?.at ?? 0;
  return only(lines, 'acknowledged').flatMap((promise) => {
    const { at, work, id, tag } = promise;
    const calm =
      troublesAt(troubles, at + bounds.workMs, bounds.workMs).length === 0 && at + bounds.workMs < mended;
    if (!innocents.has(tag) || !calm) return [];
    const far = work === 'call' ? dials.get(id) : submissions.get(tag);
    const late = (seen: readonly Evidence[] | undefined): boolean =>
      !seen || seen[0]!.at > at + bounds.workMs;
    const found: Violation[] = [];
    const add = (what: string, seen: readonly Evidence[] = []): void =>
      void found.push({ rule: 'others go on', what, lines: [promise, ...seen.slice(0, 1)] });
    if (late(far))
      add(`${work} ${id} of an innocent did not reach its carrier within ${bounds.workMs} ms`, far);
    if (late(callbacks.get(id)))
      add(`${work} ${id} of an innocent was not called back within ${bounds.workMs} ms`, callbacks.get(id));
    return found;
  });
};

/** No 500, whoever asked for whatever, and whatever else was wrong. */
export const noInternalErrors: Rule = (lines) =>
  only(lines, 'answered')
    .filter(({ http }) => http === 500)
    .map((answer) => ({
      rule: 'no 500',
      what: `${answer.door} answered 500 to ${answer.by}: ${answer.said}`,
      lines: [answer],
    }));
