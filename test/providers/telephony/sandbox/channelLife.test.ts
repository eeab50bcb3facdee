import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSimulatedChannel } from '../../../../src/providers/telephony/sandbox/newChannelAndDueEvents.ts';
import { live, take, channelEventsFromLog } from '../../../../src/providers/telephony/sandbox/channelLife.ts';
import type {
  SimulatedChannelCommand,
  Line,
  SandboxOriginateLogLine,
} from '../../../../src/providers/telephony/sandbox/callLogLineFormat.ts';
import type {
  SimulatedChannel,
  Told,
} from '../../../../src/providers/telephony/sandbox/channelStateTypes.ts';

const start = 1_767_225_600_000;
const hour = 3_600_000;

/** The lines of one channel; commands by milliseconds after the dial. */
const aLog = (
  number: string,
  commands: readonly (readonly [afterMs: number, command: SimulatedChannelCommand])[] = [],
  terms: Partial<SandboxOriginateLogLine> = {},
): [Line<SandboxOriginateLogLine>, ...Line<SimulatedChannelCommand>[]] => {
  const heading = { channel: 'a.7.1.1', by: 'test' };
  const dial = { attempt: 1, callerId: '', ringSeconds: 60, limitSeconds: 600, speed: 1 };
  return [
    { at: start, effect: 'dial', ...heading, do: 'originate', number, ...dial, ...terms },
    ...commands.map(([afterMs, command], index) => ({
      at: start + afterMs,
      effect: `e${index}`,
      ...heading,
      ...command,
    })),
  ];
};

/** What happens, as `milliseconds word`, in an hour. */
const story = (lines: readonly Line[], untilMs = hour): string[] =>
  channelEventsFromLog(lines, start + untilMs).map(inShort);

const inShort = ({ at, fact }: Told): string => {
  const detail = {
    hungUp: () => fact.type === 'hungUp' && `${fact.outcome} ${fact.cause} ${fact.sipStatus} by ${fact.by}`,
    digitReceived: () => fact.type === 'digitReceived' && fact.digit,
    machineDetected: () => fact.type === 'machineDetected' && fact.result,
    played: () => fact.type === 'played' && fact.playback,
    playFailed: () => fact.type === 'playFailed' && fact.playback,
    recorded: () => fact.type === 'recorded' && `${fact.recording} ${fact.seconds}`,
  };
  const more = fact.type in detail ? ` ${detail[fact.type as keyof typeof detail]()}` : '';
  return `${at - start} ${fact.type}${more}`;
};

const play = (playback: string, lastsMs: number, more: object = {}): SimulatedChannelCommand => ({
  do: 'play',
  playback,
  lastsMs,
  says: true,
  ...more,
});
const hangUp: SimulatedChannelCommand = { do: 'hangUp', reason: 'normal' };

describe('what a number does', () => {
  it.each([
    [
      '…00 rings two seconds, answers and listens to the end',
      '00',
      ['100 ringing', '2100 answered', '600000 hungUp normal 16 0 by carrier'],
    ],
    ['…99 does as 00', '99', ['100 ringing', '2100 answered', '600000 hungUp normal 16 0 by carrier']],
    ['…01 is busy', '01', ['500 hungUp busy 17 486 by them']],
    ['…02 never answers', '02', ['100 ringing', '60000 hungUp noAnswer 19 480 by carrier']],
    ['…03 meets congestion', '03', ['500 hungUp congestion 34 503 by them']],
    ['…04 is unreachable', '04', ['500 hungUp unreachable 1 404 by them']],
    [
      '…07 answers after twenty seconds of ringing',
      '07',
      ['100 ringing', '20100 answered', '600000 hungUp normal 16 0 by carrier'],
    ],
  ])('%s', (_, ending, expected) => {
    expect(story(aLog(`55119999900${ending}`))).toEqual(expected);
  });

  it.each(['01', '02', '03', '04'])(
    '…2x does as %s on the first attempt, and answers on the next',
    (ending) => {
      const number = `551199999002${ending[1]}`;
      expect(story(aLog(number))).toEqual(story(aLog(`55119999900${ending}`)));
      expect(story(aLog(number, [], { attempt: 2 }))).toEqual(story(aLog('5511999990000')));
    },
  );

  it('…05 is a machine and the others are people', () => {
    const detect = [[3000, { do: 'detectMachine' }]] as const;
    expect(story(aLog('5511999990005', detect))).toContain('4800 machineDetected machine');
    expect(story(aLog('5511999990000', detect))).toContain('4800 machineDetected human');
  });

  it('…06 hangs up in the first prompt, not in silence', () => {
    const commands = [
      [3000, play('hush', 1000, { says: false })],
      [5000, play('opening', 3000)],
    ] as const;
    const expected = ['4000 played hush', '6500 hungUp normal 16 0 by them'];
    expect(story(aLog('5511999990006', commands)).slice(2)).toEqual(expected);
  });

  it.each(['0', '1', '5', '9'])('…1%s presses that key once a prompt', (key) => {
    const commands = [
      [3000, play('first', 1000)],
      [3000, play('second', 60_000)],
    ] as const;
    const presses = story(aLog(`551199999001${key}`, commands)).filter((line) => line.includes('digit'));
    expect(presses).toEqual([`3500 digitReceived ${key}`, `6000 digitReceived ${key}`]);
  });

  it('…1x does not press in a prompt that is stopped before', () => {
    const commands = [
      [3000, play('opening', 4000)],
      [4000, { do: 'stopPlay', playback: 'opening' }],
    ] as const;
    expect(story(aLog('5511999990011', commands)).join()).not.toContain('digit');
  });
});

describe('how a leg ends', () => {
  it('by us, once it is answered', () => {
    expect(story(aLog('5511999990000', [[9000, hangUp]])).at(-1)).toBe('9000 hungUp normal 16 0 by us');
  });

  it('by us, cancelled while it rings', () => {
    const lines = aLog('5511999990000', [[1000, hangUp]]);
    expect(story(lines)).toEqual(['100 ringing', '1000 hungUp cancelled 16 0 by us']);
  });

  it('after the ring time, which runs with the carrier, and the limit, which runs with the world', () => {
    expect(story(aLog('5511999990007', [], { ringSeconds: 15 }))).toContain(
      '15000 hungUp noAnswer 19 480 by carrier',
    );
    const fast = story(aLog('5511999990007', [], { ringSeconds: 15, speed: 10 }));
    expect(fast).toContain('1500 hungUp noAnswer 19 480 by carrier');
    const limited = story(aLog('5511999990000', [], { limitSeconds: 30, speed: 10 }));
    expect(limited).toEqual(['10 ringing', '210 answered', '30000 hungUp normal 16 0 by carrier']);
  });

  it('once: what is asked of it afterwards is passed over', () => {
    const lines = aLog('5511999990000', [
      [3000, hangUp],
      [3001, hangUp],
      [3002, play('late', 10)],
    ]);
    expect(story(lines)).toEqual(['100 ringing', '2100 answered', '3000 hungUp normal 16 0 by us']);
  });
});

describe('what is heard on it', () => {
  it('plays one thing after the other', () => {
    const commands = [
      [3000, play('a', 1000)],
      [3100, play('b', 500)],
    ] as const;
    expect(story(aLog('5511999990000', commands))).toEqual(
      expect.arrayContaining(['4000 played a', '4500 played b']),
    );
  });

  it('goes on with the next when one is stopped, waiting or playing', () => {
    const commands = [
      [3000, play('a', 1000)],
      [3000, play('b', 1000)],
      [3000, play('c', 1000)],
      [3200, { do: 'stopPlay', playback: 'b' }],
      [3500, { do: 'stopPlay', playback: 'a' }],
    ] as const;
    expect(story(aLog('5511999990000', commands)).slice(2)).toEqual(['4500 played c', expect.anything()]);
  });

  it('says at once that media is missing, and plays on', () => {
    const commands = [
      [3000, play('a', 0, { missing: 'm' })],
      [3000, play('b', 100)],
    ] as const;
    expect(story(aLog('5511999990000', commands)).slice(2, 4)).toEqual([
      '3000 playFailed a',
      '3100 played b',
    ]);
  });

  it('does one effect once, however often it is asked for', () => {
    const [dial, command] = aLog('5511999990000', [[3000, play('a', 1000)]]);
    const again = { ...command!, at: start + 5000 };
    expect(story([dial, command!, again])).toEqual(story([dial, command!]));
  });
});

describe('recordings', () => {
  const record = (more: object = {}): SimulatedChannelCommand => ({
    do: 'record',
    recording: 'r',
    scope: 'leg',
    maxSeconds: 10,
    beep: false,
    ...more,
  });

  it.each([
    ['after their longest time', [[3000, record()]], '13000 recorded r 10'],
    ['later by the beep', [[3000, record({ beep: true })]], '13500 recorded r 10'],
    [
      'when they are stopped',
      [
        [3000, record()],
        [4250, { do: 'stopRecord', recording: 'r' }],
      ],
      '4250 recorded r 1.25',
    ],
    [
      'on their digit',
      [
        [3000, record({ endOnDigit: '5' })],
        [3000, play('p', 1000)],
      ],
      '3500 recorded r 0.5',
    ],
    [
      'with the leg',
      [
        [3000, record()],
        [5000, hangUp],
      ],
      '5000 recorded r 2',
    ],
  ] as const)('end %s', (_, commands, expected) => {
    const lines = story(aLog('5511999990015', commands));
    expect(lines).toContain(expected);
    expect(lines.filter((line) => line.includes('recorded'))).toHaveLength(1);
  });

  const voices = (number: string, commands: readonly (readonly [number, SimulatedChannelCommand])[]) =>
    channelEventsFromLog(aLog(number, commands), start + hour)
      .find(({ sound }) => sound)
      ?.sound?.voices.map(({ from, to }) => [Math.round(from), Math.round(to)]);

  it('of a leg hold what the far end says, and not our prompts', () => {
    const commands = [
      [3000, record()],
      [4000, play('p', 1000)],
    ] as const;
    expect(voices('5511999990000', commands)).toEqual([]);
    expect(voices('5511999990030', commands)).toEqual([[0, 10_000]]);
  });

  it('of a call hold our prompts, and the other leg while they are bridged', () => {
    const commands = [
      [2500, play('before', 1000)],
      [3000, record({ scope: 'call' })],
      [4000, { do: 'bridge', with: 'a.7.1.2', speaks: true }],
      [6000, { do: 'unbridge' }],
      [7000, play('cut', 9000)],
      [8000, { do: 'stopPlay', playback: 'cut' }],
    ] as const;
    expect(voices('5511999990000', commands)).toEqual([
      [0, 500],
      [4000, 5000],
      [1000, 3000],
    ]);
  });
});

/** Commands at any moments, in order. */
const someCommands = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 40_000 }),
      fc.oneof(
        fc.record({
          do: fc.constant('play' as const),
          playback: fc.constantFrom('a', 'b'),
          lastsMs: fc.integer({ min: 0, max: 9000 }),
          says: fc.boolean(),
        }),
        fc.record({ do: fc.constant('stopPlay' as const), playback: fc.constantFrom('a', 'b') }),
        fc.constant({ do: 'detectMachine' as const }),
        fc.constant({ do: 'bridge' as const, with: 'a.7.1.2', speaks: true }),
        fc.constant({ do: 'unbridge' as const }),
        fc.record({
          do: fc.constant('record' as const),
          recording: fc.constantFrom('r', 's'),
          scope: fc.constantFrom('leg' as const, 'call' as const),
          maxSeconds: fc.integer({ min: 1, max: 20 }),
          beep: fc.boolean(),
        }),
        fc.constant(hangUp),
      ),
    ),
    { maxLength: 12 },
  )
  .map((commands) => commands.toSorted(([a], [b]) => a - b));
const someNumber = fc.integer({ min: 0, max: 99 }).map((n) => `55119999900${String(n).padStart(2, '0')}`);
const someSpeed = fc.constantFrom(1, 3, 20, 1000);

describe('any life', () => {
  it('is the same whether it is watched on the way, carried over, or read at the end', () => {
    fc.assert(
      fc.property(
        someNumber,
        someCommands,
        someSpeed,
        fc.integer({ min: 1, max: 997 }),
        (number, commands, speed, stepMs) => {
          const [dial, ...rest] = aLog(number, commands, { speed });
          let channel: SimulatedChannel = newSimulatedChannel(dial);
          for (let at = start; at < start + 60_000; at += stepMs) {
            while (rest[0] && rest[0].at <= at) take(channel, rest.shift()!);
            live(channel, at);
            channel = JSON.parse(JSON.stringify(channel)) as SimulatedChannel;
          }
          for (const line of rest) take(channel, line);
          live(channel, start + hour);
          expect(channel.told).toEqual(channelEventsFromLog(aLog(number, commands, { speed }), start + hour));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('ends once, tells nothing after the end but recordings, and numbers its facts without a gap', () => {
    fc.assert(
      fc.property(someNumber, someCommands, someSpeed, (number, commands, speed) => {
        const told = channelEventsFromLog(aLog(number, commands, { speed }), start + hour);
        const types = told.map(({ fact }) => fact.type);
        expect(types.filter((type) => type === 'hungUp')).toHaveLength(1);
        const after = types.slice(types.indexOf('hungUp') + 1);
        expect(after.every((type) => type === 'recorded')).toBe(true);
        expect(told.map(({ fact }) => fact.seq)).toEqual(told.map((_, index) => index + 1));
        expect(told.map(({ at }) => at)).toEqual(told.map(({ at }) => at).toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('a person who has it in hand', () => {
  const does = (what: 'take' | 'answer' | 'reject' | 'hangUp'): SimulatedChannelCommand => ({
    do: 'person',
    act: { what },
  });
  const presses = (key: string): SimulatedChannelCommand => ({ do: 'person', act: { what: 'press', key } });

  it('lets a number of theirs ring until they answer, press and hang up', () => {
    const lines = aLog('11987699000', [
      [9_000, does('answer')],
      [9_500, play('menu', 10_000)],
      [11_000, presses('2')],
      [12_000, does('hangUp')],
    ]);
    expect(story(lines)).toEqual([
      '100 ringing',
      '9000 answered',
      '11000 digitReceived 2',
      '12000 hungUp normal 16 0 by them',
    ]);
  });

  it('is busy, or lets it ring out', () => {
    expect(story(aLog('11987699000', [[1_000, does('reject')]]))).toEqual([
      '100 ringing',
      '1000 hungUp busy 17 486 by them',
    ]);
    expect(story(aLog('11987699000'))).toEqual(['100 ringing', '60000 hungUp noAnswer 19 480 by carrier']);
  });

  it('takes any call from its number, which does nothing by itself from then on', () => {
    const taken = aLog('11987650012', [
      [50, does('take')],
      [5_000, does('answer')],
      [6_000, play('menu', 10_000)],
    ]);
    expect(story(taken, 20_000)).toEqual(['50 ringing', '5000 answered', '16000 played menu']);
    expect(story(aLog('11987650001', [[200, does('take')]]), 10_000)).toEqual(['200 ringing']);
  });

  it('does nothing that does not fit the moment', () => {
    const lines = aLog('11987699000', [
      [500, presses('1')],
      [1_000, does('answer')],
      [2_000, does('answer')],
      [3_000, does('reject')],
    ]);
    expect(story(lines, 10_000)).toEqual(['100 ringing', '1000 answered']);
  });
});
