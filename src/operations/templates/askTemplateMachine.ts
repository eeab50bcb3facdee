/** Asks something of a template's machine and waits for its answer. */
import type { TemplateContext, TemplateRequestAnswer } from '../../../machines/template/context.ts';
import type { TemplateMachineRequest } from '../../../machines/contracts/template.ts';
import type { MachineEngine, MachineRef } from '../../engine/contract/api.ts';

/** A request without the name it is asked under. */
export type Wish = TemplateMachineRequest extends infer Request
  ? Request extends TemplateMachineRequest
    ? Omit<Request, 'ask'>
    : never
  : never;

export type AskTemplateMachineResult =
  | { outcome: 'answered'; answer: TemplateRequestAnswer }
  /** Upstream takes its time; the machine goes on. */
  | { outcome: 'late' }
  /** It was deleted. */
  | { outcome: 'gone' };

/** How long a caller waits, milliseconds. */
const patienceMs = 5_000;

/** `ask`: the name it is asked under; what is asked under one name twice is done once. Default a new one. */
export const askTemplateMachine = async (
  engine: MachineEngine,
  ref: MachineRef,
  wish: Wish,
  ask = String(engine.mintId(ref.shard)),
): Promise<AskTemplateMachineResult> => {
  const sent = await engine.send(ref, { ...wish, ask });
  if (sent.outcome === 'gone') return { outcome: 'gone' };
  // The milestone stands for a while (`answeredTo` in the chart's `answers.ts`), and so does the answer.
  await engine.waitFor(ref, `answered ${ask}`, patienceMs);
  const view = await engine.view(ref);
  if (!view) return { outcome: 'gone' };
  const answer = answersIn(view).find(({ asks }) => asks.includes(ask));
  return answer ? { outcome: 'answered', answer } : { outcome: 'late' };
};

const answersIn = ({ context }: { context: unknown }): readonly TemplateRequestAnswer[] =>
  (context as TemplateContext).answers;

/** This name, or with a number the first that was not refused: those who ask at the same time ask under the same. */
export const firstUnrefusedTemplateRequestName = async (
  engine: MachineEngine,
  ref: MachineRef,
  name: string,
): Promise<string> => {
  const view = await engine.view(ref);
  const refused = new Set((view ? answersIn(view) : []).filter(isRefused).flatMap(({ asks }) => asks));
  let ask = name;
  for (let round = 2; refused.has(ask); round += 1) ask = `${name} ${round}`;
  return ask;
};

/** What upstream may have taken is not submitted again. */
const isRefused = ({ why }: TemplateRequestAnswer): boolean => why !== undefined && why !== 'unsettled';
