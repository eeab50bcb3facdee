/** What is printed of a run. */
import type { Book } from './book.ts';
import type { Outcome } from './simulate.ts';

/** Violations told with their machine's history; the others are counted. */
const TOLD = 5;

/** The command that tells the same story again. */
const commandOf = ({ plan }: Pick<Outcome, 'plan'>): string =>
  `npm run simulate -- --seed ${plan.seed} --calls ${plan.calls}${(plan.minutes ?? 1) > 1 ? ` --minutes ${plan.minutes}` : ''}${plan.break ? ` --break ${plan.break}` : ''}`;

/** A summary, then each violated rule with the machine's history. */
export const report = (outcome: Outcome): string => {
  const { book, plan } = outcome;
  const many = (what: string): string => `${book.counted(what)} ${what}`;
  const lines = [
    `seed ${plan.seed}, ${plan.calls} calls${plan.break ? `, ${plan.break} broken` : ''}: ${(outcome.virtualMs / 60_000).toFixed(0)} virtual minutes`,
    [
      'commits',
      'steps',
      'partial batches',
      'refused batches',
      'refused all',
      'refused once',
      'lost replies',
      'late deeds',
    ]
      .map(many)
      .join(', '),
    ['crashes', 'pauses', 'outages', 'taken up', 'lost requests', 'lost acceptances', 'lost facts']
      .map(many)
      .join(', '),
    ['suspensions', 'clocks set', 'wall clocks set', 'times the carrier was away'].map(many).join(', '),
    ['lines kept', 'full disks', 'promotions', 'copies restored', 'enlisted', 'written again']
      .map(many)
      .join(', '),
    [
      'lost disks',
      'shards opened by hand',
      'ms that the shard was not open',
      'machines that lost something',
      'violations that are excused',
      'effects begun that no journal has',
      'answers that no journal has',
    ]
      .map(many)
      .join(', '),
    ['dials', 'second dials', 'texts', 'campaign calls', 'busy numbers'].map(many).join(', '),
    `effects: ${told(book.counts('effects '))}`,
    `outcomes: ${told(book.counts('outcome '))}`,
    `messages: ${told(book.counts('messages '))}; ${told(book.counts('message '))}`,
    `events: ${told(book.counts('events '))}, ${book.counted('ends heard')} ends heard; ${told(book.counts('delivery '))} deliveries`,
    `campaigns: ${told(book.counts('fate '))}`,
    ['destinations', 'destinations called', 'second answers', 'dials that crossed a pause']
      .map(many)
      .join(', '),
    `latest in calm time, ms: ${['timer', 'word', 'fact', 'effect', 'clearance'].map((what) => latest(book, what)).join(', ')}`,
    `… of low priority, which may wait for a minute: ${['timer', 'word'].map((what) => latest(book, what, ' of low priority')).join(', ')}`,
    `clearance, ms: ${book
      .counts('clearance ms ')
      .map(([account, ms]) => `${account} ${Math.round(ms / book.counted(`clearance asked ${account}`))}`)
      .join(', ')}`,
    `story ${outcome.digest}`,
    ...ruling(outcome),
  ];
  return lines.join('\n');
};

const latest = (book: Book, what: string, whose = ''): string =>
  `${what} ${Math.round(book.counted(`${what} late${whose}`))}`;

const told = (counts: [string, number][]): string =>
  counts.map(([what, many]) => `${many} ${what}`).join(', ');

const ruling = (outcome: Outcome): string[] => {
  const { violations } = outcome;
  if (violations.length === 0)
    return ['0 lost, 0 dialled, texted or sent twice, 0 stuck, every balance right: all rules hold'];
  const rules = new Map<string, number>();
  for (const { rule } of violations) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  return [
    `VIOLATED: ${told([...rules])}`,
    ...violations
      .slice(0, TOLD)
      .flatMap(({ rule, machine, detail }) => [
        `- ${rule}: machine ${machine}: ${detail}`,
        ...historyOf(outcome, machine),
      ]),
    `again: ${commandOf(outcome)}`,
  ];
};

const historyOf = ({ database }: Outcome, machine: number): string[] =>
  (database.tables.history.get(machine) ?? []).map(
    ({ revision, at, event, state, asked }) =>
      `    ${revision} ${new Date(at).toISOString().slice(11, 23)} ${event} -> ${state} ${asked}`,
  );
