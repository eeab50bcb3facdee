/** At the end nothing is left live. */
import { only } from '../../evidence.ts';
import type { Rule, Violation } from '../violation.ts';
import { legKey, legsOf } from './legs.ts';

const rule = 'nothing is left';

/** No leg at an Asterisk or its carrier, no machine that has not ended, no place in the count of a trunk. */
export const nothingIsLeft: Rule = (lines) => {
  const looks = only(lines, 'remains');
  const found = looks
    .filter(({ count }) => count > 0)
    .map((line): Violation => {
      return { rule, what: `${line.where}: ${line.count} at the end ${line.said}`.trim(), lines: [line] };
    });
  const unlooked = only(lines, 'trunk')
    .filter(({ asterisk }) => !looks.some(({ where }) => where === `Asterisk ${asterisk}`))
    .map((line): Violation => {
      return { rule, what: `what is left at Asterisk ${line.asterisk} is not known`, lines: [line] };
    });
  const live = legsOf(lines)
    .filter(({ overAt }) => overAt === undefined)
    .map((leg): Violation => {
      return { rule, what: `${legKey(leg)} was never over at ${leg.carrier}`, lines: leg.lines };
    });
  return [...found, ...unlooked, ...live];
};
