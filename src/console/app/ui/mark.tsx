/** The mark of a state: a colour and a shape of its own, so that either says it alone. */
import type { JSX } from 'preact';

/** What a person should feel about a state (styles/tokens.css). */
export type StatusTone = 'live' | 'good' | 'wait' | 'warn' | 'bad' | 'past';

const shapes: Record<StatusTone, string> = {
  live: 'M5 1.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6Z',
  good: 'M5 0a5 5 0 1 0 0 10A5 5 0 1 0 5 0Z',
  wait: 'M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8Z',
  warn: 'M5 0 10.4 9.6H-.4Z',
  bad: 'M5-.6 10.6 5 5 10.6-.6 5Z',
  past: 'M1 1h8v8H1Z',
};

/** Stands before the name that says the same. */
export const Mark = ({ of }: { of: StatusTone }): JSX.Element => (
  <svg class={`s s-${of}`} viewBox="0 0 10 10" aria-hidden="true">
    <path d={shapes[of]} />
  </svg>
);
