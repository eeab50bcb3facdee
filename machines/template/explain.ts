/** Why a template cannot be sent yet. */
import type { Explanation } from '../../src/engine/contract/kind.ts';
import type { TemplateContext } from './context.ts';

export const explainTemplate = (context: TemplateContext): Explanation[] => {
  const { status, doubt, changes, rejectionReason, acceptedAt } = context;
  const at = changes.at(-1)?.at ?? context.bornAt;
  if (doubt.looks > 0 || doubt.text !== '')
    return [{ rule: 'unknown', detail: `it is not known whether upstream took it: ${doubt.text}`, at }];
  if (status === 'PENDING') return [{ rule: 'review', detail: 'upstream reviews it', at: acceptedAt }];
  if (rejectionReason !== '') return [{ rule: 'rejected', detail: `${status}: ${rejectionReason}`, at }];
  return [];
};
