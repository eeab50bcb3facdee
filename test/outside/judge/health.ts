/** Health tells the truth: a node that lives says so, and it is ready exactly when it can take work. */
import { by, type Of, only } from '../evidence.ts';
import { type Rule, refusalsOf, spansOf, troublesAt, type Violation } from './violation.ts';

const rule = 'health';

/** Beside the troubles of the service everything is green; a customer's own trouble is no reason. */
export const healthIsTrue: Rule = (lines, bounds) => {
  const troubles = refusalsOf(lines, bounds);
  return only(lines, 'health').flatMap((look): Violation[] => {
    const slow = look.path === '/healthz' && look.ms > bounds.healthMs;
    if (look.http === 200 && !slow) return [];
    const around = troublesAt(troubles, look.at, look.ms).filter(
      ({ node }) => node === '' || node === look.node,
    );
    if (look.path === '/healthz') {
      if (around.some(({ node }) => node !== '')) return [];
      return [
        {
          rule,
          what: `${look.node} lives, and /healthz says ${look.http} ${look.said} after ${look.ms} ms`,
          lines: [look],
        },
      ];
    }
    if (around.length > 0 && look.http !== 500) return [];
    const what = `/readyz of ${look.node} is ${look.http} (${look.said}) without a reason`;
    return [{ rule, what, lines: [look] }];
  });
};

/** Red soon after the database refuses writes, and until it takes them again. */
export const refusedWritesShow: Rule = (lines, { redMs }) => {
  const looks = by(
    only(lines, 'health').filter(({ path }) => path === '/readyz'),
    ({ node }) => node,
  );
  return spansOf(lines)
    .filter(({ fault }) => fault === 'readOnly')
    .flatMap(({ from, to }) =>
      [...looks].flatMap(([node, all]): Violation[] => {
        const due = all.filter(({ at, ms }) => at - ms >= from + redMs && at <= to);
        const green = due.find(({ http }) => http === 200);
        if (!green) return [];
        const what = `/readyz of ${node} was green ${green.at - from} ms after the database began to refuse writes`;
        return [{ rule, what, lines: [firstOf(lines, from), green] }];
      }),
    );
};

const firstOf = (lines: Parameters<Rule>[0], at: number): Of<'fault'> =>
  only(lines, 'fault').find((line) => line.at === at && line.fault === 'readOnly')!;
