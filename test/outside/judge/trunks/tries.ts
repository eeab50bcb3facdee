/** Records agree with the carriers: each leg is an attempt's, at the carrier of its trunk, and ended as the record says. */
import { by, type Evidence, type Of, only } from '../../evidence.ts';
import {
  type Bounds,
  type Rule,
  type Trouble,
  troublesAt,
  troublesOf,
  type Violation,
} from '../violation.ts';
import { blurMs, type Leg, legKey, legsOf } from './legs.ts';

const rule = 'tries agree';

type Attempt = Of<'attempt'>;

interface Facts {
  /** The carrier of a trunk. */
  carriers: ReadonlyMap<string, string>;
  troubles: readonly Trouble[];
  blur: number;
}

/** Every leg that a carrier saw stands in the record of its call, and every try and attempt of a record was seen. */
export const recordsAgree: Rule = (lines, bounds) => {
  const facts = factsOf(lines, bounds);
  const attempts = by(only(lines, 'attempt'), ({ call }) => call);
  const legs = by(legsOf(lines), ({ call }) => call);
  return [...new Set([...attempts.keys(), ...legs.keys()])].flatMap((call) =>
    ofCall(legs.get(call) ?? [], attempts.get(call) ?? [], facts),
  );
};

const factsOf = (lines: readonly Evidence[], bounds: Bounds): Facts => ({
  carriers: new Map(only(lines, 'trunk').map(({ trunk, asterisk }) => [trunk, asterisk])),
  troubles: troublesOf(lines, bounds).filter(({ fault }) => fault === 'kill' || fault === 'killAsterisk'),
  blur: blurMs(bounds),
});

const ofCall = (legs: readonly Leg[], attempts: readonly Attempt[], facts: Facts): Violation[] => {
  const tries = attempts.flatMap((attempt) => attempt.tries.map((one) => ({ ...one, attempt })));
  const tried = new Set(tries.map(({ leg }) => leg));
  const others = legs.filter(({ leg }) => !tried.has(leg));
  const owners = new Map(others.map((leg) => [leg, ownerOf(leg, attempts, facts)]));
  return [
    ...others
      .filter((leg) => owners.get(leg) === undefined)
      .map((leg) => found(`${legKey(leg)} at ${leg.carrier} is in no record`, leg.lines, attempts)),
    ...tries.flatMap(({ attempt, ...one }) => ofTry(one, attempt, legs, facts)),
    ...attempts.flatMap((attempt) =>
      ofAttempt(
        attempt,
        others.filter((leg) => owners.get(leg) === attempt),
        facts,
      ),
    ),
  ];
};

/** The last attempt that had begun when it was asked for. */
const ownerOf = ({ invitedAt }: Leg, attempts: readonly Attempt[], { blur }: Facts): Attempt | undefined =>
  attempts.findLast(({ dialedAt }) => dialedAt <= invitedAt + blur);

const ofTry = (
  { route, leg: number, sipStatus }: Attempt['tries'][number],
  attempt: Attempt,
  legs: readonly Leg[],
  { carriers }: Facts,
): Violation[] => {
  const leg = legs.find((one) => one.leg === number);
  const what = `attempt ${attempt.attempt} of ${attempt.call} says that ${route} refused leg ${number} (${sipStatus})`;
  // What was surely never sent has no answer.
  if (!leg) return sipStatus === 0 ? [] : [found(`${what}, and no carrier saw it`, [], [attempt])];
  const isSo = leg.carrier === carriers.get(route) && leg.refused === sipStatus && leg.rangAt === undefined;
  return isSo ? [] : [found(`${what}, which ${leg.carrier} did not`, leg.lines, [attempt])];
};

const ofAttempt = (attempt: Attempt, own: readonly Leg[], facts: Facts): Violation[] => {
  const lines = own.flatMap((leg) => leg.lines);
  const name = `attempt ${attempt.attempt} of ${attempt.call}`;
  const [leg] = own;
  if (own.length > 1) return [found(`${name} has ${own.length} legs beside its tries`, lines, [attempt])];
  if (!leg) {
    if (!mustBeSeen(attempt, facts)) return [];
    return [
      found(`${name} ended ${attempt.status} (${attempt.sipStatus}), and no carrier saw it`, [], [attempt]),
    ];
  }
  if (leg.carrier !== facts.carriers.get(attempt.route))
    return [found(`${name} went by ${attempt.route}, and ${leg.carrier} saw it`, lines, [attempt])];
  const wanted = statusesOf(leg, facts);
  if (!wanted || wanted.includes(attempt.status)) return [];
  return [
    found(`${name} ended ${attempt.status}, and the carrier says ${wanted.join(' or ')}`, lines, [attempt]),
  ];
};

/** Its end came from the far end: nothing else says so. */
const mustBeSeen = ({ status, sipStatus, dialedAt, endedAt }: Attempt, { troubles }: Facts): boolean => {
  if (['OK', 'BUSY'].includes(status)) return true;
  if (troublesAt(troubles, endedAt, endedAt - dialedAt).length > 0) return false;
  return status === 'NOANSWER' || sipStatus > 0;
};

const refusals: Record<number, string> = {
  ...{ 486: 'BUSY', 600: 'BUSY', 603: 'BUSY', 480: 'NOANSWER', 408: 'NOANSWER' },
  ...{ 404: 'CHANUNAVAIL', 484: 'CHANUNAVAIL', 500: 'CONGESTION', 503: 'CONGESTION' },
};

/** What its record may say; undefined: anything, because what told it died. */
const statusesOf = (leg: Leg, { troubles }: Facts): string[] | undefined => {
  const { answeredAt, refused, isCancelled, isCutOff, invitedAt, overAt = Infinity } = leg;
  if (isCutOff) return undefined;
  if (troublesAt(troubles, overAt, overAt - invitedAt).length > 0) return undefined;
  if (answeredAt !== undefined) return ['OK'];
  if (refused !== undefined) return [refusals[refused] ?? 'CHANUNAVAIL'];
  return isCancelled ? ['NOANSWER', 'CANCEL'] : undefined;
};

const found = (what: string, legs: readonly Evidence[], attempts: readonly Attempt[]): Violation => ({
  ...{ rule, what, lines: [...attempts, ...legs] },
});
