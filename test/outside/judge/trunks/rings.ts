/** No attempt rings twice, and what may have rung is not tried elsewhere. */
import { by, only } from '../../evidence.ts';
import type { Rule, Violation } from '../violation.ts';
import { failoversOf, legKey, legsOf, mayHaveRung } from './legs.ts';

/** One leg is one INVITE at one carrier, and a call has no more legs that may have rung than attempts. */
export const attemptsRingOnce: Rule = (lines) => {
  const rule = 'rings once';
  const failovers = failoversOf(lines);
  const attempts = by(only(lines, 'attempt'), ({ call }) => call);
  const asked = by(
    only(lines, 'leg').filter(({ saw }) => saw === 'dial'),
    legKey,
  );
  const again = [...asked]
    .filter(([, invites]) => invites.length > 1)
    .map(([leg, invites]): Violation => {
      return { rule, what: `${leg} was asked for ${invites.length} times`, lines: invites };
    });
  const tooMany = [...by(legsOf(lines), ({ call }) => call)].flatMap(([call, legs]): Violation[] => {
    const rung = legs.filter((leg) => mayHaveRung(leg, failovers));
    const made = attempts.get(call) ?? [];
    if (rung.length <= made.length) return [];
    const what = `${call} may have rung ${rung.length} times in ${made.length} attempts`;
    return [{ rule, what, lines: [...rung.flatMap((leg) => leg.lines), ...made] }];
  });
  return [...again, ...tooMany];
};

/** Another trunk is tried within five seconds; another attempt is made a minute after the one before at the soonest. */
const sameAttemptMs = 15_000;

/** By the carriers alone: the leg before was refused before it rang. */
export const noFailoverAfterRinging: Rule = (lines) => {
  const failovers = failoversOf(lines);
  return [...by(legsOf(lines), ({ call }) => call).values()].flatMap((legs) =>
    legs.slice(1).flatMap((leg, index): Violation[] => {
      const before = legs[index]!;
      const soon = leg.invitedAt - (before.overAt ?? before.invitedAt) < sameAttemptMs;
      if (!soon || !mayHaveRung(before, failovers)) return [];
      const rung = `${legKey(before)}, which may have rung at ${before.carrier}`;
      const what = `${legKey(leg)} was tried at ${leg.carrier} soon after ${rung}`;
      return [{ rule: 'no failover after ringing', what, lines: [...before.lines, ...leg.lines] }];
    }),
  );
};
