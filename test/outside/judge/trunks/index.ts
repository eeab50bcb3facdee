/** The invariants of trunks, over what their carriers saw and what the service says of it. */
import type { Rule } from '../violation.ts';
import { drainedGently, goesOnElsewhere, isUsedAgain } from './away.ts';
import { trunksBearNoMore } from './limits.ts';
import { nothingIsLeft } from './remains.ts';
import { attemptsRingOnce, noFailoverAfterRinging } from './rings.ts';
import { recordsAgree } from './tries.ts';

export const rulesOfTrunks: readonly Rule[] = [
  ...[attemptsRingOnce, noFailoverAfterRinging, recordsAgree, trunksBearNoMore],
  ...[drainedGently, goesOnElsewhere, isUsedAgain, nothingIsLeft],
];
