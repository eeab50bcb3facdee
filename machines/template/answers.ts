/** Answers to callers that asked something of a template. Kept for a while, so that they can be fetched. */
import type { TemplateContext, TemplateRequestAnswer } from './context.ts';

/** Who may wait for one thing. One more is not answered, and hears that it takes too long. */
const ASKS = 32;
/** Asks whose answers are kept. */
const KEPT = 64;
/** Answers that keep upstream's raw words, which are long. */
const RAW = 4;

/** The milestone that the caller of an ask waits for. */
export const templateRequestAnsweredMilestone = (ask: string): string => `answered ${ask}`;

/** The answer to an ask; undefined: not yet, or no longer kept. */
export const findTemplateRequestAnswer = (
  { answers }: Pick<TemplateContext, 'answers'>,
  ask: string,
): TemplateRequestAnswer | undefined => answers.find(({ asks }) => asks.includes(ask));

/** One more who waits. */
export const addTemplateAskAwaitingAnswer = ({ asks }: TemplateContext, ask: string): readonly string[] =>
  asks.includes(ask) || asks.length >= ASKS ? asks : [...asks, ask];

/** The answers with one more, and the asks of those that are no longer kept. */
export const addTemplateRequestAnswer = (
  { answers }: TemplateContext,
  answer: TemplateRequestAnswer,
): { answers: readonly TemplateRequestAnswer[]; forgotten: readonly string[] } => {
  const older = answers.map((one, nth) => (nth <= answers.length - RAW ? { ...one, answer: '' } : one));
  const all = [...older, answer];
  let kept = 0;
  const from = all.findLastIndex(({ asks }) => (kept += asks.length) > KEPT) + 1;
  return { answers: all.slice(from), forgotten: all.slice(0, from).flatMap(({ asks }) => asks) };
};
