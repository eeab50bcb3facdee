/** How effects ended, beside what an event told: both stand in the payload of an entry of the history. */
import type { EffectOutcome } from '../contract/timersAndPendingEffects.ts';

/** No event of a provider or an operator has a field of this name. */
export const ENDED_EFFECTS_FIELD = '$ended';

/** A payload as it was told, and the effects that had ended by then. Throws `SyntaxError` for what is no JSON. */
export const parsePayloadAndEndedEffects = (
  text: string | null,
): { payload: unknown; ended: readonly EffectOutcome[] } => {
  const payload = text === null ? null : (JSON.parse(text) as unknown);
  if (!hasEnds(payload)) return { payload, ended: [] };
  const { [ENDED_EFFECTS_FIELD]: ended, ...told } = payload;
  return { payload: told, ended };
};

const hasEnds = (payload: unknown): payload is { [ENDED_EFFECTS_FIELD]: readonly EffectOutcome[] } =>
  typeof payload === 'object' &&
  payload !== null &&
  Array.isArray((payload as Partial<Ends>)[ENDED_EFFECTS_FIELD]);

type Ends = { [ENDED_EFFECTS_FIELD]: readonly EffectOutcome[] };
