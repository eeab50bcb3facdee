/** What the upstream says of templates, to their machines. */
import type { ChatLine } from '../providers/chat.ts';
import { templatesNamed } from '../store/reads/hooks.ts';
import type { TemplateEvent } from './events.ts';
import type { HookScope } from './scope.ts';

/**
 * A template that nobody here knows by this id is somebody else's, or its submission is just being answered: its
 * machine asks the upstream by itself while it waits for approval, so nothing is lost.
 */
export const hearTemplates = async (
  { database, engine, log }: HookScope,
  { shard, account, id: line }: ChatLine,
  told: readonly TemplateEvent[],
): Promise<void> => {
  if (told.length === 0) return;
  const rows = await templatesNamed(
    database(shard),
    account,
    told.map(({ upstreamId }) => upstreamId),
  );
  const known = new Map(rows.map(({ id, upstream_id }) => [upstream_id, id]));
  await Promise.all(
    told.map(async ({ upstreamId, status, reason, occurredAt }) => {
      const template = known.get(upstreamId);
      const event = { type: 'statusTold', status, reason, ...(occurredAt > 0 && { occurredAt }) };
      if (template === undefined) log.info({ line, upstreamId, status }, 'a template that is not ours');
      else await engine.send({ shard, account, id: template }, event);
    }),
  );
};
