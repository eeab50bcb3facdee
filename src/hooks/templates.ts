/** What the upstream says of templates, to their machines. */
import type { ChatSenderLine } from '../providers/contracts/chat.ts';
import { findTemplatesByUpstreamId } from '../store/reads/chat/webhookLineAndMessage.ts';
import type { TemplateReviewEvent, TemplateTraitNoticeEvent } from './chatHookEventTypes.ts';
import type { ChatHookHandlerDeps } from './scope.ts';

/**
 * A template that is not known by this id belongs to another program, or its submission is just being answered: its
 * machine asks the upstream by itself while it waits for approval, so nothing is lost.
 */
export const applyTemplateNotices = async (
  { database, engine, log }: ChatHookHandlerDeps,
  { shard, account, id: line }: ChatSenderLine,
  told: readonly (TemplateReviewEvent | TemplateTraitNoticeEvent)[],
): Promise<void> => {
  if (told.length === 0) return;
  const rows = await findTemplatesByUpstreamId(
    database(shard),
    account,
    told.map(({ upstreamId }) => upstreamId),
  );
  const known = new Map(rows.map(({ id, upstream_id }) => [upstream_id, id]));
  await Promise.all(
    told.map(async (one) => {
      const { upstreamId } = one;
      const template = known.get(upstreamId);
      if (template !== undefined) await engine.send({ shard, account, id: template }, factOf(one));
      else log.info({ line, upstreamId, what: one.what }, 'a template that is not ours');
    }),
  );
};

const factOf = (told: TemplateReviewEvent | TemplateTraitNoticeEvent) => {
  const moment = told.occurredAt > 0 && { occurredAt: told.occurredAt };
  if (told.what === 'template')
    return { type: 'statusTold', status: told.status, reason: told.reason, ...moment };
  const { upstreamId, trait, word } = told;
  return { type: 'traitTold', upstreamId, trait, word, ...moment };
};
