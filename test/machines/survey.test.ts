import { describe, expect, it } from 'vitest';
import { end, life, prepared } from './calls.ts';
import type { Story } from './story.ts';

type Changes = NonNullable<Parameters<typeof prepared>[0]>;

const media = (name: string): { media: string } => ({ media: name });
const up = (changes: Changes): Story =>
  prepared(changes).hears('cleared', { route: 'r' }).hears('answered', { leg: 1 });

/** What the callee hears, or heard last. */
const heard = (told: Story): string[] =>
  (told.last('play')['prompts'] as unknown as { media: string }[]).map((prompt) => prompt.media);
/** The prompt is over. */
const ends = (told: Story): Story =>
  told.hears('played', { leg: 1, playback: told.last('play')['playback'] });
const presses = (told: Story, digits: string): Story => {
  for (const digit of digits) told.hears('digitReceived', { leg: 1, digit });
  return told;
};
const responses = (told: Story): unknown[] => [life(told)['response_1'], life(told)['response_2']];
const rest = (told: Story): Story => ends(told).hears('hungUp', end(1));

describe('a question (cp_type 4)', () => {
  const question = ({ prompts, ...changes }: Changes = {}): Story =>
    up({
      mode: 'question',
      prompts: {
        opening: [media('content')],
        slots: { 1: media('cont1'), 0: media('cont0') },
        noDigit: media('contentno'),
        ending: media('bye'),
        ...prompts,
      },
      digits: { count: 1, waitSeconds: 7, replay: '9' },
      ...changes,
    });

  it('plays, takes a digit, replies to it and says goodbye', () => {
    const told = question();
    expect(heard(told)).toEqual(['content']);
    expect([ends(told).state, told.armed]).toEqual(['answered.listening', ['digits', 'timeLimit']]);
    presses(told, '1');
    expect([told.state, heard(told), responses(told)]).toEqual([
      'answered.survey.replying',
      ['cont1'],
      ['1', ''],
    ]);
    expect([ends(told).state, heard(told)]).toEqual(['answered.ending', ['bye']]);
    expect([rest(told).isOver, life(told)]).toMatchObject([true, { status: 'OK', reason: 'completed' }]);
  });

  it('takes the digit while the opening plays, and stops it', () => {
    const told = presses(question(), '0');
    expect([told.state, heard(told)]).toEqual(['answered.survey.replying', ['cont0']]);
    expect(told.count('stopPlay')).toBe(1);
  });

  it('waits for as many digits as it wants, and replies to the first of them', () => {
    const told = ends(question({ digits: { count: 3, waitSeconds: 7 } }));
    expect(presses(told, '12').state).toBe('answered.listening');
    presses(told, '3');
    expect([heard(told), responses(told)]).toEqual([['cont1'], ['123', '']]);
  });

  it('takes what was typed when the time is over, and when # is pressed', () => {
    const slow = presses(ends(question({ digits: { count: 3, waitSeconds: 7 } })), '12').passes(7_000);
    expect([slow.state, responses(slow)]).toEqual(['answered.survey.replying', ['12', '']]);
    const hash = presses(ends(question({ digits: { count: 3, waitSeconds: 7 } })), '12#');
    expect([hash.state, responses(hash)]).toEqual(['answered.survey.replying', ['12', '']]);
  });

  it('goes on without a reply where there is none', () => {
    const told = presses(ends(question()), '5');
    expect([told.state, responses(told)]).toEqual(['answered.ending', ['5', '']]);
  });

  it('says once that no digit came, waits once more, and gives up', () => {
    const told = ends(question()).passes(7_000);
    expect([told.state, heard(told)]).toEqual(['answered.correcting', ['contentno']]);
    expect(ends(told).state).toBe('answered.listening');
    told.passes(7_000);
    expect([told.state, heard(told)]).toEqual(['answered.ending', ['bye']]);
    expect(life(rest(told))).toMatchObject({ status: 'OK', reason: 'noAnswerByKey', response_1: '' });
  });

  it('waits once more without a word where there is none to say', () => {
    const told = ends(question({ prompts: { noDigit: undefined as never } }));
    expect(told.passes(7_000).state).toBe('answered.listening');
    expect(told.passes(7_000).state).toBe('answered.ending');
  });

  it('replays its opening for the key that does', () => {
    const told = presses(ends(question()), '9');
    expect([told.state, heard(told), responses(told)]).toEqual(['answered.speaking', ['content'], ['', '']]);
  });

  it('asks for a second answer after the reply', () => {
    const told = presses(ends(question({ secondAnswer: 2 })), '1');
    expect(ends(told).state).toBe('answered.listening');
    expect(presses(told, '4').state).toBe('answered.listening');
    presses(told, '9');
    expect([told.state, responses(told)]).toEqual(['answered.ending', ['1', '49']]);
  });

  it('takes the second answer while the reply plays, and does without it', () => {
    const eager = presses(presses(ends(question({ secondAnswer: 2 })), '1'), '49');
    expect([eager.state, responses(eager)]).toEqual(['answered.ending', ['1', '49']]);
    const silent = ends(presses(ends(question({ secondAnswer: 2 })), '1')).passes(7_000);
    expect([silent.state, responses(silent)]).toEqual(['answered.ending', ['1', '']]);
  });

  it('takes no key for an answer that it did not ask for', () => {
    const told = presses(presses(ends(question()), '1'), '47');
    expect([told.state, responses(told)]).toEqual(['answered.survey.replying', ['1', '']]);
    rest(ends(told));
    expect([told.isOver, responses(told)]).toEqual([true, ['1', '']]);
  });

  it('hands those over who answered, and only those', () => {
    const transfer = { kind: 'queue', queue: 9 } as const;
    const told = ends(presses(ends(question({ transfer })), '1'));
    expect([told.state, told.last('resolveTarget')]).toEqual([
      'answered.transferring.resolving',
      { target: transfer, question: 1, trunk: 'r' },
    ]);
    const silent = ends(ends(question({ transfer })).passes(7_000)).passes(7_000);
    expect(silent.state).toBe('answered.ending');
  });

  it('goes on when a prompt cannot be played, and when its end is lost', () => {
    const told = presses(ends(question()), '1');
    told.hears('playFailed', { leg: 1, playback: told.last('play')['playback'], reason: 'gone' });
    expect(told.state).toBe('answered.ending');
    expect(presses(ends(question()), '1').passes(615_000).state).not.toBe('answered.survey.replying');
  });

  it('keeps what was typed when another process takes it over', () => {
    const told = presses(ends(question({ digits: { count: 2, waitSeconds: 7 } })), '1').hears('takenOver');
    expect([told.state, told.effects]).toEqual(['answered.listening', ['adopt']]);
    expect(responses(presses(told, '2'))).toEqual(['12', '']);
  });
});

describe('a confirmation with validation (cp_type 6)', () => {
  const transfer = { kind: 'queue', queue: 9 } as const;
  const validate = ({ prompts, ...changes }: Changes = {}): Story =>
    up({
      mode: 'validate',
      prompts: {
        opening: [media('content')],
        slots: {},
        wrong: media('contentfail'),
        ending: media('content8'),
        validate: {
          ask: media('content2'),
          match: media('content3'),
          notConfirmed: media('content4'),
          noDigit: media('content5'),
        },
        beforeTransfer: media('content6'),
        nobodyFree: media('content7'),
        ...prompts,
      },
      digits: { count: 1, waitSeconds: 7 },
      validation: { confirm: '1', digits: 3, expected: '123.456-78' },
      transfer,
      ...changes,
    });
  /** Asked for the digits. */
  const asked = (changes: Changes = {}): Story => ends(presses(ends(validate(changes)), '1'));

  it('asks for the digits once it is confirmed, and hands those over who know them', () => {
    const told = presses(ends(validate()), '1');
    expect([told.state, heard(told), responses(told)]).toEqual([
      'answered.survey.asking',
      ['content2'],
      ['1', ''],
    ]);
    presses(ends(told), '678');
    expect([told.state, heard(told), responses(told)]).toEqual([
      'answered.survey.praising',
      ['content3'],
      ['1', '678'],
    ]);
    expect([ends(told).state, heard(told)]).toEqual(['answered.survey.announcing', ['content6']]);
    expect(ends(told).state).toBe('answered.transferring.resolving');
  });

  it('takes the digits while it asks for them', () => {
    expect(presses(validate(), '1678').state).toBe('answered.survey.praising');
  });

  it('says goodbye after a match when there is nobody to talk to', () => {
    const told = presses(ends(presses(ends(validate({ transfer: undefined as never })), '1')), '678');
    expect([ends(told).state, heard(told)]).toEqual(['answered.ending', ['content8']]);
    expect(life(rest(told))).toMatchObject({ status: 'OK', reason: 'completed' });
  });

  it('says goodbye to another digit than the one that confirms', () => {
    const told = presses(ends(validate()), '2');
    expect([told.state, heard(told)]).toEqual(['answered.survey.dismissing', ['content4']]);
    expect([ends(told).state, heard(told)]).toEqual(['answered.ending', ['content8']]);
    expect(life(rest(told))).toMatchObject({ reason: 'notConfirmed', response_1: '2', response_2: '' });
  });

  it('says goodbye to silence', () => {
    const told = ends(validate()).passes(7_000);
    expect([told.state, heard(told)]).toEqual(['answered.survey.dismissing', ['content5']]);
    expect(life(rest(ends(told)))).toMatchObject({ reason: 'noAnswerByKey', response_1: '' });
  });

  it.each([
    ['123', 'the beginning'],
    ['67', 'too few, and # or the end of the wait'],
    ['999', 'others'],
  ])('does not take %s: %s', (typed) => {
    const told = presses(asked(), typed);
    if (told.state === 'answered.listening') presses(told, '#');
    expect([told.state, heard(told)]).toEqual(['answered.correcting', ['contentfail']]);
  });

  it('lets the digits be typed twice at most', () => {
    const right = presses(ends(presses(asked(), '111')), '678');
    expect(right.state).toBe('answered.survey.praising');
    const wrong = presses(ends(presses(asked(), '111')), '222');
    expect([wrong.state, heard(wrong)]).toEqual(['answered.correcting', ['contentfail']]);
    expect([ends(wrong).state, heard(wrong)]).toEqual(['answered.ending', ['content8']]);
    expect(life(rest(wrong))).toMatchObject({ reason: 'notValidated', response_1: '1', response_2: '111' });
  });

  it('takes silence for wrong digits', () => {
    expect(heard(asked().passes(7_000))).toEqual(['contentfail']);
  });

  it('asks anew when there is no word for wrong digits', () => {
    const told = presses(asked({ prompts: { wrong: undefined as never } }), '111');
    expect([told.state, heard(told)]).toEqual(['answered.survey.asking', ['content2']]);
    expect(presses(ends(told), '222').state).toBe('answered.ending');
  });

  it('never takes anything for an empty value', () => {
    const told = asked({ validation: { confirm: '1', digits: 1, expected: '' } });
    expect(heard(presses(told, '1'))).toEqual(['contentfail']);
  });

  it.each([
    [
      'nobody took the call',
      (told: Story) => told.hears('targetResolved', { how: 'line', line: 9 }).hears('noneFree', { line: 9 }),
    ],
    [
      'the queue is closed',
      (told: Story) => told.hears('targetRefused', { reason: 'queueInactive', detail: '' }),
    ],
  ])('says so when %s', (_, refuse) => {
    const told = refuse(ends(ends(presses(asked(), '678'))));
    expect([told.state, heard(told)]).toEqual(['answered.apologising', ['content7']]);
    expect([ends(told).state, heard(told)]).toEqual(['answered.ending', ['content8']]);
  });

  it('goes on without the prompts that are not there', () => {
    const told = up({
      mode: 'validate',
      prompts: { opening: [media('content')], slots: {} },
      validation: { confirm: '1', digits: 3, expected: '678' },
    });
    expect(presses(ends(told), '1').state).toBe('answered.listening');
    expect(presses(told, '678').state).toBe('closing');
  });
});
