/** While an Asterisk is drained or away calls go on elsewhere, a drain loses none, and it is used again afterwards. */
import { by, type Evidence, only } from '../../evidence.ts';
import type { Rule, Violation } from '../violation.ts';
import { type Away, awaysOf, type Leg, legKey, legsOf } from './legs.ts';

/** A drain takes nothing from calls that live, and brings no new ones. */
export const drainedGently: Rule = (lines, { drainsMs }) => {
  const attempts = by(only(lines, 'attempt'), ({ call }) => call);
  const legs = legsOf(lines);
  return awaysOf(lines)
    .filter(({ phase }) => phase === 'draining')
    .flatMap((away) => {
      const own = legs.filter(({ carrier }) => carrier === away.asterisk);
      return [...newOnes(away, own, drainsMs), ...lostOnes(away, own, attempts)];
    });
};

const newOnes = ({ asterisk, from, to, line }: Away, own: readonly Leg[], drainsMs: number): Violation[] =>
  own
    .filter(({ invitedAt }) => invitedAt > from + drainsMs && invitedAt < to)
    .map((leg) => ({
      rule: 'drained',
      what: `${legKey(leg)} was dialled at ${asterisk} ${leg.invitedAt - from} ms after its drain was acknowledged`,
      lines: [line, ...leg.lines],
    }));

const lostOnes = (
  { asterisk, from, to, line }: Away,
  own: readonly Leg[],
  attempts: ReadonlyMap<string, Evidence[]>,
): Violation[] =>
  own
    .filter(({ answeredAt, isCutOff }) => answeredAt !== undefined && answeredAt < to && !isCutOff)
    .filter(({ overAt = Infinity }) => overAt > from)
    .flatMap((leg) => {
      const made = attempts.get(leg.call) ?? [];
      const isLost = made.some(
        (one) => one.kind === 'attempt' && (one.reason === 'lost' || one.status === ''),
      );
      if (leg.overAt !== undefined && !isLost) return [];
      const what = `${legKey(leg)} lived at ${asterisk} while that was drained, and was lost`;
      return [{ rule: 'drained', what, lines: [line, ...leg.lines, ...made] }];
    });

/** Calls are always wanted: other carriers are asked, again and again. */
export const goesOnElsewhere: Rule = (lines, { elsewhereMs }) => {
  const legs = legsOf(lines);
  return awaysOf(lines).flatMap(({ asterisk, from, to, line }): Violation[] => {
    const times = legs
      .filter(({ carrier, invitedAt }) => carrier !== asterisk && invitedAt > from && invitedAt < to)
      .map(({ invitedAt }) => invitedAt);
    const points = [from, ...times, to];
    const index = points.findIndex((at, nth) => nth > 0 && at - points[nth - 1]! > elsewhereMs);
    if (index === -1) return [];
    const gap = `from ${points[index - 1]!} to ${points[index]!}`;
    const what = `while ${asterisk} was away (${line.phase}), others had no new leg ${gap}`;
    return [{ rule: 'goes on elsewhere', what, lines: [line] }];
  });
};

/** Routes name each trunk first now and then. */
export const isUsedAgain: Rule = (lines, { backMs }) => {
  const legs = legsOf(lines);
  const phases = only(lines, 'asterisk');
  const mended = only(lines, 'mended')[0]?.at ?? lines.at(-1)?.at ?? 0;
  return phases
    .filter(({ phase }) => ['started', 'on', 'open'].includes(phase))
    .flatMap((line): Violation[] => {
      const next =
        phases.find(({ asterisk, at }) => asterisk === line.asterisk && at > line.at)?.at ?? mended;
      if (next - line.at < backMs) return [];
      const isUsed = legs.some(
        ({ carrier, invitedAt: at }) => carrier === line.asterisk && at > line.at && at < line.at + backMs,
      );
      if (isUsed) return [];
      const what = `${line.asterisk} was there again (${line.phase}), and had no new leg for ${backMs} ms`;
      return [{ rule: 'used again', what, lines: [line] }];
    });
};
