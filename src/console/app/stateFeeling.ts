/** What a person should feel about a state, by its name in the chart. */
import type { StatusTone } from './ui/mark.tsx';

const calls: readonly (readonly [begins: RegExp, StatusTone])[] = [
  [/^(dialing|checking)/, 'live'],
  [/^answered\.(transferring|acting)/, 'live'],
  [/^answered/, 'good'],
  [/^(ended|settling|closing|texting)/, 'past'],
];

const byName: Readonly<Record<string, StatusTone>> = {
  // Calls' own words, when they have ended, and messages'.
  OK: 'good',
  delivered: 'good',
  read: 'good',
  submitted: 'live',
  acknowledged: 'live',
  sending: 'live',
  attempting: 'live',
  serving: 'live',
  active: 'live',
  idle: 'good',
  good: 'good',
  deadLetter: 'bad',
  failed: 'bad',
  undelivered: 'bad',
  unknown: 'warn',
  givenUp: 'bad',
  revoked: 'past',
  ended: 'past',
  completed: 'past',
  BUSY: 'past',
  NOANSWER: 'past',
  CANCEL: 'past',
  CONGESTION: 'warn',
  CHANUNAVAIL: 'warn',
};

/** `attention`: an operator should look at it, whatever its state says. */
export const toStatusTone = (kind: string, state: string, attention: string | null = null): StatusTone => {
  if (attention !== null) return 'bad';
  if (kind === 'call') {
    const found = calls.find(([begins]) => begins.test(state));
    if (found) return found[1];
  }
  return byName[state.split('.')[0]!] ?? 'wait';
};
