/** Others are served: what is one neighbour's trouble is nobody else's, and in everybody's trouble the answers are honest. */
import { type Of, only } from '../evidence.ts';
import { type Bounds, type Rule, type Trouble, troublesAt, troublesOf, type Violation } from './violation.ts';

export const othersAreServed: Rule = (lines, bounds) => {
  const troubles = troublesOf(lines, bounds);
  return only(lines, 'answered')
    .filter(({ by }) => by === 'innocent')
    .flatMap((answer) =>
      faultOf(answer, concerning(answer.node, troublesAt(troubles, answer.at, answer.ms)), bounds),
    );
};

/** What happens to one node is no excuse of another. */
const concerning = (node: string, troubles: readonly Trouble[]): Trouble[] =>
  troubles.filter((trouble) => trouble.node === '' || trouble.node === node);

const faultOf = (answer: Of<'answered'>, troubles: readonly Trouble[], { answerMs }: Bounds): Violation[] => {
  const { door, node, http, ms, said } = answer;
  const add = (what: string): Violation[] => [{ rule: 'others are served', what, lines: [answer] }];
  if (http === 200) {
    if (troubles.length > 0 || ms <= answerMs) return [];
    return add(`${door} of an innocent took ${ms} ms while nothing of the service was broken`);
  }
  if (troubles.length === 0)
    return add(`${door} of an innocent was answered ${http} (${said}) without a reason`);
  const nodeIsAway = http === 0 && troubles.some((trouble) => trouble.node === node);
  if (http === 503 || nodeIsAway) return [];
  const during = troubles.map(({ fault }) => fault).join(', ');
  return add(`${door} of an innocent was answered ${http} (${said}) during ${during}: 503 would be honest`);
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
