/**
 * How it goes when all goes well, for every kind and level: the one thing about a drawing that a chart does not say.
 * Names are those of the level's states; `exit:<id>` leads out of it, `answers:<event>` is a shared station.
 * Names that a version lacks are passed over; `chartHappyPaths.test.ts` demands all of them of the current one.
 */
export const chartHappyPaths: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  call: {
    '': ['born', 'preparing', 'due', 'clearing', 'dialing', 'answered', 'closing', 'settling', 'ended'],
    dialing: ['placing', 'ringing'],
    answered: [
      'greeting',
      'speaking',
      'heard',
      'listening',
      'answers:digitReceived',
      'acting',
      'farewell',
      'ending',
      'exit:closing',
    ],
    'answered.survey': ['replied', 'replying', 'replyOver', 'passedOn', 'exit:answered.transferring'],
    'answered.transferring': ['resolving', 'calling', 'exit:answered.talking'],
    'answered.talking': ['opened', 'steady'],
  },
  line: { '': ['idle', 'serving', 'busy'] },
  campaign: { '': ['loading', 'judging', 'active', 'completed', 'closed'] },
  message: { '': ['accepted', 'acknowledged', 'answers:receipt', 'delivered', 'done'] },
  template: { '': ['stored', 'submitting', 'judging', 'submitted'], submitting: ['posting', 'exit:judging'] },
  delivery: { '': ['attempting', 'carried', 'delivered'] },
};

/** Ids of the stations on the happy path of a level. */
export const happyPathOf = (kind: string, level: string): string[] =>
  (chartHappyPaths[kind]?.[level] ?? []).map((name) => {
    const [sign, rest] = name.split(':');
    if (sign === 'answers') return `answers:${level}:${rest}`;
    return sign === 'exit' || level === '' ? name : `${level}.${name}`;
  });
