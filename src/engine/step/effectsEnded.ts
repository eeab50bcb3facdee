/** How effects ended, beside what an event told: both stand in the payload of an entry of the history. */
import type { EffectOutcome } from '../contract/timersAndPendingEffects.ts';

/** No event of a provider or an operator has a field of this name. */
export const EFFECTS_ENDED = '$ended';

/** A payload as it was told, and the effects that had ended by then. Throws `SyntaxError` for what is no JSON. */
export const readHistoryPayload = (
  text: string | null,
): { payload: unknown; ended: readonly EffectOutcome[] } => {
  const payload = text === null ? null : (JSON.parse(text) as unknown);
  if (!hasEnds(payload)) return { payload, ended: [] };
  const { [EFFECTS_ENDED]: ended, ...told } = payload;
  return { payload: told, ended };
};

const hasEnds = (payload: unknown): payload is { [EFFECTS_ENDED]: readonly EffectOutcome[] } =>
  typeof payload === 'object' && payload !== null && Array.isArray((payload as Partial<Ends>)[EFFECTS_ENDED]);

type Ends = { [EFFECTS_ENDED]: readonly EffectOutcome[] };
