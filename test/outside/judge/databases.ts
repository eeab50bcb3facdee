/**
 * A database that fails over, goes back or is not reached: the nodes have their journals, so each shard opens by itself and
 * soon, and where no commit is missing nothing waits for an operator.
 */
import { type FaultName, kindOf } from '../catalogue.ts';
import { by, type Evidence, type Of, only } from '../evidence.ts';
import { type Rule, spansOf, type Violation } from './violation.ts';

const rule = 'databases';

type Look = Of<'health'>;
type Whole = Of<'database'>;

const readyLooks = (lines: readonly Evidence[]): Look[] =>
  only(lines, 'health').filter(({ path }) => path === '/readyz');

/** Every node is ready soon after the database takes writes again and all journals are at hand. */
export const opensAgain: Rule = (lines, bounds) => {
  const looks = by(readyLooks(lines), ({ node }) => node);
  const last = lines.at(-1)?.at ?? 0;
  return wholes(lines).flatMap((whole) => {
    const withinMs = whole.fault === 'promoteSync' ? bounds.failOverMs : bounds.openMs;
    const until = Math.min(nextAway(lines, whole)?.at ?? last, last);
    return [...looks].flatMap(([node, all]): Violation[] => {
      const later = all.filter(({ at, ms }) => at - ms >= whole.at && at <= until);
      const green = later.find(({ http }) => http === 200);
      const at = green?.at ?? until;
      if (at - whole.at <= withinMs || later.length === 0) return [];
      const red = later.findLast((look) => look.http !== 200 && look.at <= at);
      const what = `${node} was ${green ? '' : 'not '}ready ${at - whole.at} ms after the database was whole (${whole.fault})`;
      return [{ rule, what: `${what}: ${red?.said ?? ''}`, lines: [whole, ...(red ? [red] : [])] }];
    });
  });
};

/** Faults after which the database has every commit. */
const complete: readonly FaultName[] = ['promoteSync', 'cutConnections', 'hangConnections'];

/** Where nothing is missing no shard waits for an operator. */
export const closedForAReason: Rule = (lines) =>
  spansOf(lines)
    .filter(({ fault }) => complete.includes(fault))
    .flatMap(({ fault, from, to }) =>
      readyLooks(lines)
        .filter(({ at, said }) => at >= from && at <= to && /shard \S+ is closed/.test(said))
        .slice(0, 1)
        .map((look) => ({ rule, what: `${look.node} closed its shard over ${fault}`, lines: [look] })),
    );

/** Calls that wait are dialled soon after. */
export const dialsOn: Rule = (lines, { failOverMs, openMs }) => {
  const dials = only(lines, 'dialled');
  const calls = only(lines, 'acknowledged').filter(({ work }) => work === 'call');
  return wholes(lines).flatMap((whole) => {
    const end = whole.at + (whole.fault === 'promoteSync' ? failOverMs : openMs);
    const isIn = ({ at }: Evidence): boolean => at > whole.at && at <= end;
    if ((nextAway(lines, whole)?.at ?? Infinity) < end || !calls.some(isIn) || dials.some(isIn)) return [];
    const what = `nothing was dialled within ${end - whole.at} ms after the database was whole (${whole.fault})`;
    return [{ rule, what, lines: [whole] }];
  });
};

const wholes = (lines: readonly Evidence[]): Whole[] =>
  only(lines, 'database').filter(({ phase }) => phase === 'whole');

const nextAway = (lines: readonly Evidence[], { at: after }: Whole): Evidence | undefined =>
  lines.find(
    (line) =>
      line.at > after &&
      (line.kind === 'mended' ||
        (line.kind === 'fault' && line.phase === 'began' && kindOf(line.fault).track === 'service')),
  );

/** What a fault of the service cost: how long the node that was longest not ready was so, and what it said. */
export interface Closed {
  fault: FaultName;
  ms: number;
  /** How many looks said so: `checking`, `closed`, `other`. */
  said: Record<string, number>;
}

/** Of each fault of the service, from its beginning to that of the next. */
export const closedAfter = (lines: readonly Evidence[]): Closed[] => {
  const spans = spansOf(lines).filter(({ fault }) => kindOf(fault).track === 'service');
  const end = only(lines, 'mended')[0]?.at ?? lines.at(-1)?.at ?? 0;
  const looks = readyLooks(lines);
  return spans.map(({ fault, from, to }, index) => {
    const until = spans[index + 1]?.from ?? Math.max(end, to);
    const own = by(
      looks.filter(({ at }) => at >= from && at <= until),
      ({ node }) => node,
    );
    const red = [...own.values()].flat().filter(({ http }) => http !== 200);
    const said = Object.fromEntries([...by(red, stateOf)].map(([state, all]) => [state, all.length]));
    return { fault, ms: Math.max(0, ...[...own.values()].map(redMs)), said };
  });
};

const stateOf = ({ said }: Look): string => /shard \S+ is (checking|closed)/.exec(said)?.[1] ?? 'other';

/** From each look that was red to the next look. */
const redMs = (looks: readonly Look[]): number =>
  looks.reduce((sum, look, index) => {
    const next = looks[index + 1];
    return look.http === 200 || !next ? sum : sum + next.at - look.at;
  }, 0);
