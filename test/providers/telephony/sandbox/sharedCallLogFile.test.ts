import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newSimulatedChannel } from '../../../../src/providers/telephony/sandbox/newChannelAndDueEvents.ts';
import type {
  Line,
  SandboxOriginateLogLine,
} from '../../../../src/providers/telephony/sandbox/callLogLineFormat.ts';
import { sandboxCallLogInFile } from '../../../../src/providers/telephony/sandbox/sharedCallLogFile.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'call-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const aDial = (id: number, by: string): Line<SandboxOriginateLogLine> => ({
  ...{ at: 1_767_225_600_000, channel: `a.7.${id}.1`, effect: `e${id}`, by, do: 'originate' },
  ...{ number: '5511999990000', attempt: 1, callerId: '', ringSeconds: 60, limitSeconds: 600, speed: 1 },
});
const aCarried = (id: number, by: string): Line => ({
  ...{ at: 1, channel: `a.7.${id}.1`, effect: 'cut', by, do: 'carried' },
  state: newSimulatedChannel(aDial(id, by)),
});
const opened = (by: string, longBytes?: number) => {
  const log = sandboxCallLogInFile({ folder, by, ...(longBytes !== undefined && { longBytes }) });
  log.open();
  return log;
};
const channels = (lines: readonly Line[]): string[] => lines.map(({ channel }) => channel);

describe('the call log', () => {
  it('is read whole by whoever opens it, and gives each other what is new', () => {
    const a = opened('a');
    a.append([aDial(1, 'a'), aDial(2, 'a')]);
    const b = opened('b');
    expect(channels(b.news())).toEqual(['a.7.1.1', 'a.7.2.1']);
    b.append([aDial(3, 'b')]);
    a.append([aDial(4, 'a')]);
    expect(channels(a.news())).toEqual(['a.7.3.1']);
    expect(channels(b.news())).toEqual(['a.7.4.1']);
    expect([...a.news(), ...b.news()]).toEqual([]);
  });

  it('passes over a line that a crash cut short, and waits for one that is being written', () => {
    const a = opened('a');
    const whole = JSON.stringify(aDial(1, 'x'));
    appendFileSync(join(folder, 'calls.log'), whole.slice(0, 40));
    expect(a.news()).toEqual([]);
    appendFileSync(
      join(folder, 'calls.log'),
      `${whole.slice(40)}\n{"at":12,"do":"orig\n${JSON.stringify(aDial(2, 'x'))}\n`,
    );
    expect(channels(a.news())).toEqual(['a.7.1.1', 'a.7.2.1']);
  });

  it('glues nothing to a line that another process could write half of only', () => {
    const [a, b] = [opened('a'), opened('b')];
    a.append([aDial(1, 'a')]);
    // The disk is full, and has room again when the other writes.
    appendFileSync(join(folder, 'calls.log'), JSON.stringify(aDial(2, 'a')).slice(0, 40));
    b.append([aDial(3, 'b')]);
    expect(channels(a.news())).toEqual(['a.7.3.1']);
    expect(channels(b.news())).toEqual(['a.7.1.1']);
  });

  it('is cut when it is long: what must be remembered begins the new one, the old one stays beside it', () => {
    const a = opened('a', 500);
    a.append([aDial(1, 'a')]);
    expect(a.isLong).toBe(false);
    a.append([aDial(2, 'a'), aDial(3, 'a')]);
    expect(a.isLong).toBe(true);
    a.cut([aCarried(3, 'a') as Parameters<typeof a.cut>[0][number]]);
    expect(a.isLong).toBe(false);
    expect(channels(opened('b').news())).toEqual(['a.7.3.1']);
    expect(readFileSync(join(folder, 'calls.1.log'), 'utf8').match(/originate/g)).toHaveLength(3);
  });

  it('loses no line of another process that writes while it is cut', () => {
    const a = opened('a', 500);
    const b = opened('b');
    a.append([aDial(1, 'a')]);
    b.append([aDial(2, 'b')]);
    a.cut([aCarried(1, 'a') as Parameters<typeof a.cut>[0][number]]);
    expect(channels(a.news())).toEqual(['a.7.2.1']);
    expect(channels(b.news())).toEqual(['a.7.1.1', 'a.7.1.1']);
    b.append([aDial(3, 'b')]);
    expect(channels(a.news())).toEqual(['a.7.3.1']);
    expect(channels(opened('c').news())).toEqual(['a.7.1.1', 'a.7.2.1', 'a.7.3.1']);
  });

  it('is not cut by two at a time', () => {
    const a = opened('a', 10);
    a.append([aDial(1, 'a')]);
    writeFileSync(join(folder, 'cutting'), '');
    a.cut([]);
    expect(channels(opened('b').news())).toEqual(['a.7.1.1']);
  });
});
