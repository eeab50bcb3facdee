/** A line for each call and message that has ended, for who looks at the terminal of the service. */
import type { EngineMetrics } from '../engine/contract/ports.ts';

type Stepped = EngineMetrics['stepped'];

/** More in a second fit no eye; the rest is counted. */
const mostInSecond = 20;
const secondMs = 1_000;

export interface EndedCallPrinterOptions {
  /** Takes a whole line. */
  write(line: string): void;
  /** Epoch milliseconds. */
  now(): number;
}

/** Hears of every step, and writes of those that were the last. */
export const printEndedCallsAndMessages = ({ write, now }: EndedCallPrinterOptions): Stepped => {
  let began = 0;
  let told = 0;
  let kept = 0;
  const admits = (at: number): boolean => {
    if (at - began >= secondMs) {
      if (kept > 0) write(`          and ${kept} more calls and messages\n`);
      [began, told, kept] = [at, 0, 0];
    }
    if (told < mostInSecond) told += 1;
    else kept += 1;
    return kept === 0;
  };
  return (kind, _, machine, ended) => {
    if (!ended || (kind !== 'call' && kind !== 'message')) return;
    const at = now();
    if (admits(at)) write(lineOf(kind, machine, at));
  };
};

type Machine = Parameters<Stepped>[2];

/** `17:02:38  call      5511987650000   OK, answered, 2 s   747589792022528`, on this machine's clock. */
const lineOf = (kind: 'call' | 'message', { id, chart, snapshot, state }: Machine, at: number): string => {
  const { onUpdate: life, onInsert: birth } = chart.kind.record!;
  const living = life(snapshot.context, state);
  const born = kind === 'message' ? birth(snapshot.context, { shard: '', account: 0, id }) : {};
  const what = kind === 'call' ? 'call' : textOf(born['channel']);
  const to = textOf(living['destination'] ?? born['destination']);
  const how = kind === 'call' ? howCalled(living) : howSent(living);
  const time = new Date(at).toTimeString().slice(0, 'HH:MM:SS'.length);
  return `${time}  ${what.padEnd(8)}  ${to.padEnd(14)}  ${how.padEnd(30)}  ${id}\n`;
};

const howCalled = ({ status, reason, answered_at: from, ended_at: to }: Record<string, unknown>): string => {
  const seconds = typeof from === 'number' && typeof to === 'number' ? Math.round((to - from) / 1000) : 0;
  return [textOf(status), textOf(reason), seconds > 0 ? `${seconds} s` : '']
    .filter((part) => part !== '')
    .join(', ');
};

const howSent = ({ state, outcome_text: text }: Record<string, unknown>): string =>
  [textOf(state), textOf(text)].filter((part) => part !== '' && part !== 'OK').join(', ');

const longest = 60;

/** What customers and carriers wrote moves no cursor. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, longest).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ') : '';
