/** Health tells the truth: a node that lives says so, and it is ready exactly when it can take work. */
import { by, type Evidence, type Of, only } from '../evidence.ts';
import { type Bounds, type Rule, refusalsOf, spansOf, troublesAt, type Violation } from './violation.ts';

const rule = 'health';

type Look = Of<'health'>;

const looksAt = (lines: readonly Evidence[], path: string): Look[] =>
  only(lines, 'health').filter((look) => look.path === path);

/** A process that was not taken away says that it lives, soon. */
export const theLivingSaySo: Rule = (lines, bounds) => {
  const troubles = refusalsOf(lines, bounds);
  return looksAt(lines, '/healthz')
    .filter(({ http, ms }) => http !== 200 || ms > bounds.healthMs)
    .filter(({ at, ms, node }) => !troublesAt(troubles, at, ms).some((trouble) => trouble.node === node))
    .map((look) => ({
      rule,
      what: `${look.node} lives, and /healthz says ${look.http} ${look.said} after ${look.ms} ms`,
      lines: [look],
    }));
};

/** Beside the troubles of the service a node is ready; a customer's own trouble is no reason. */
export const redForAReason: Rule = (lines, bounds) => {
  const troubles = refusalsOf(lines, bounds);
  const isExcused = ({ at, ms, node }: Look): boolean =>
    troublesAt(troubles, at, ms).some((trouble) => trouble.node === '' || trouble.node === node);
  return [...by(looksAt(lines, '/readyz'), ({ node }) => node)].flatMap(([node, looks]) =>
    redSpans(looks)
      .map((span) => span.filter((look) => !isExcused(look)))
      .filter((span) => isLong(span, bounds))
      .map((span) => ({
        rule,
        what: `/readyz of ${node} was red without a reason: ${span[0]!.http} ${span[0]!.said}`,
        lines: span,
      })),
  );
};

/** Looks that were red, each row of them. */
const redSpans = (looks: readonly Look[]): Look[][] => {
  const spans: Look[][] = [];
  let span: Look[] = [];
  for (const look of looks) {
    if (look.http !== 200) span.push(look);
    else if (span.length > 0) {
      spans.push(span);
      span = [];
    }
  }
  return span.length > 0 ? [...spans, span] : spans;
};

/** A heartbeat that was late for a moment is no lie. */
const isLong = (span: readonly Look[], { blinkMs }: Bounds): boolean =>
  span.length > 0 && span.at(-1)!.at - span[0]!.at >= blinkMs;

/** Red soon after the database refuses writes, and until it takes them again. */
export const refusedWritesShow: Rule = (lines, { redMs }) => {
  const looks = by(looksAt(lines, '/readyz'), ({ node }) => node);
  return spansOf(lines)
    .filter(({ fault }) => fault === 'readOnly')
    .flatMap(({ from, to }) => {
      const began = only(lines, 'fault').filter(({ at, fault }) => at === from && fault === 'readOnly');
      return [...looks].flatMap(([node, all]): Violation[] => {
        const meanwhile = all.filter(({ at, ms }) => at - ms >= from && at <= to);
        const green = meanwhile.find(({ at, ms, http }) => at - ms >= from + redMs && http === 200);
        if (green) {
          const what = `/readyz of ${node} was green ${green.at - from} ms after the database began to refuse writes`;
          return [{ rule, what, lines: [...began, green] }];
        }
        const never = meanwhile.length >= fewLooks && meanwhile.every(({ http }) => http === 200);
        const what = `/readyz of ${node} was green all the while that the database refused writes`;
        return never ? [{ rule, what, lines: [...began, ...meanwhile] }] : [];
      });
    });
};

/** So many looks within a fault tell that it was there long enough to be seen. */
const fewLooks = 10;
