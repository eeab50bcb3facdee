/** All invariants, over the evidence and nothing else. */
import { type FaultName, leastOf } from './catalogue.ts';
import { type Evidence, only } from './evidence.ts';
import { callbacksAreWhole } from './judge/callbacks.ts';
import { closedForAReason, dialsOn, opensAgain } from './judge/databases.ts';
import { campaignsKeepTheRules, campaignsGoOn, everyRecordIsAccountedFor } from './judge/campaigns.ts';
import { blockedIsNotDialled, pausedIsNotDialled, oneLiveCall } from './judge/dialling.ts';
import { everythingEndsOnce, receiptsCount, unknownForAReason } from './judge/ends.ts';
import { dialsAreOnRecord, forgottenKeepToTheirAttempts, withoutForgotten } from './judge/forgotten.ts';
import { redForAReason, refusedWritesShow, theLivingSaySo } from './judge/health.ts';
import { moneyIsExact } from './judge/money.ts';
import { logsAreBounded, memoryIsBounded, noProcessDies, secretsStaySecret } from './judge/processes.ts';
import { noInternalErrors, othersAreServed, othersGoOn } from './judge/served.ts';
import { rulesOfTrunks } from './judge/trunks/index.ts';
import { withDials } from './judge/trunks/legs.ts';
import { dialledOnce, submittedOnce } from './judge/twice.ts';
import type { Bounds, Rule, Violation } from './judge/violation.ts';

const rules: readonly Rule[] = [
  everythingEndsOnce,
  receiptsCount,
  unknownForAReason,
  submittedOnce,
  callbacksAreWhole,
  moneyIsExact,
  othersAreServed,
  othersGoOn,
  noInternalErrors,
  theLivingSaySo,
  redForAReason,
  refusedWritesShow,
  opensAgain,
  closedForAReason,
  dialsOn,
  noProcessDies,
  memoryIsBounded,
  logsAreBounded,
  secretsStaySecret,
  campaignsKeepTheRules,
  pausedIsNotDialled,
  blockedIsNotDialled,
  oneLiveCall,
  everyRecordIsAccountedFor,
  campaignsGoOn,
];

/** Those that ask the whole evidence, with the campaigns whose list a database has forgotten. */
const rulesOfAll: readonly Rule[] = [dialledOnce, forgottenKeepToTheirAttempts, dialsAreOnRecord];

/** What a machine of two processors that does little else keeps. */
export const strict: Bounds = {
  graceMs: 0,
  answerMs: 5_000,
  workMs: 15_000,
  healthMs: 3_000,
  blinkMs: 2_000,
  redMs: 6_000,
  openMs: 30_000,
  failOverMs: 15_000,
  mostMemory: 600_000_000,
  mostLines: 200,
  underwayMs: 2_500,
  idleMs: 15_000,
  mostIdleMs: 45_000,
  elsewhereMs: 10_000,
  backMs: 90_000,
  bunchMs: 400,
  drainsMs: 4_000,
};

/** For a machine that does other things as well: order and finality, and seconds only where they are minutes. */
export const lenient: Bounds = {
  ...strict,
  ...{ graceMs: 20_000, answerMs: 30_000, workMs: 60_000, healthMs: 29_000, blinkMs: 15_000, redMs: 60_000 },
  ...{ openMs: 120_000, failOverMs: 60_000 },
  ...{ underwayMs: 5_000, idleMs: 60_000, mostIdleMs: 120_000 },
  ...{ elsewhereMs: 60_000, backMs: 180_000, bunchMs: 5_000, drainsMs: 15_000 },
};

/** Those of a run with Asterisks; the carriers of the others are none of its rooms. */
const rulesOfAsterisks: readonly Rule[] = [
  ...[everythingEndsOnce, callbacksAreWhole, moneyIsExact, noInternalErrors],
  ...[theLivingSaySo, redForAReason, noProcessDies, memoryIsBounded, logsAreBounded, secretsStaySecret],
  (lines, bounds) => everyRecordIsAccountedFor(withDials(lines), bounds),
  ...rulesOfTrunks,
];

export const judge = (lines: readonly Evidence[], bounds: Bounds): Violation[] => {
  if (only(lines, 'trunk').length > 0) return rulesOfAsterisks.flatMap((rule) => rule(lines, bounds));
  const remembered = withoutForgotten(lines);
  return [
    ...rules.flatMap((rule) => rule(remembered, bounds)),
    ...rulesOfAll.flatMap((rule) => rule(lines, bounds)),
  ];
};

/** Faults that were not done often enough for the run to say anything of them: a sentence each. */
export const missing = (
  lines: readonly Evidence[],
  faults: readonly FaultName[],
  minutes: number,
): string[] => {
  const done = only(lines, 'fault').filter(({ phase, count }) => phase === 'ended' && count > 0);
  const least = leastOf(minutes);
  return faults
    .map((fault) => ({ fault, count: done.filter((line) => line.fault === fault).length }))
    .filter(({ count }) => count < least)
    .map(({ fault, count }) => `${fault} was done ${count} times, and should have been ${least} times`);
};
