/** CreateCampaign from its request to its answer: read, make what it needs, start the machine, take back on refusal. */
import type { MachineRef } from '../../../engine/contract/api.ts';
import { isTransientDatabaseError } from '../../../store/transientError.ts';
import type { OperationSuccess } from '../../declare.ts';
import { replayedAnswer, buildIdempotencyClaims, idempotencyFromKey } from '../../idempotency.ts';
import { RequestUndoActions } from './compensation.ts';
import { startCampaign } from './startCampaign.ts';
import { readCampaignRequest } from './checkAndPrepareCampaignInput.ts';
import { Refused } from '../../refused.ts';
import type { CreateCampaignContext } from './params.ts';

const operation = 'CreateCampaign';
/** The answer waits so long for the counts of lists up to this size. */
const generationWaitMs = 5_000;
const smallList = 20_000;

export const handleCreateCampaign = async (
  request: CreateCampaignContext,
): Promise<OperationSuccess | Refused> => {
  const ctx = await keyed(request);
  const before = await replayedAnswer(operation, ctx);
  if (before) return repeated(ctx, before);
  const compensation = new RequestUndoActions();
  try {
    return await createAnew(ctx, compensation);
  } finally {
    await compensation.remove((error) =>
      ctx.services.log.error(
        { err: error, account: ctx.account.id },
        'something half-made could not be removed',
      ),
    );
  }
};

/** What came as a file is part of what was asked; only a request that may be repeated is worth reading twice. */
const keyed = async (request: CreateCampaignContext): Promise<CreateCampaignContext> => {
  const idempotency = request.idempotency ?? idempotencyFromKey(request.params.requestId, 'request_id');
  const { file, spilled } = request;
  if (!idempotency) return request;
  const sent = await Promise.all(
    [file, spilled['datajson'], spilled['audio64']].map(async (one) => one?.digest()),
  );
  return { ...request, idempotency, params: { ...request.params, records: sent } };
};

const createAnew = async (
  ctx: CreateCampaignContext,
  compensation: RequestUndoActions,
): Promise<OperationSuccess | Refused> => {
  // Before lists and audio are read: a campaign that ends meanwhile has called the same people.
  const since = ctx.services.engine.now(ctx.account.shard);
  const { input, records } = await readCampaignRequest(ctx, compensation);
  const id = await newId(ctx);
  const fields = {
    cp_id: String(id),
    ...(ctx.warnings.length > 0 && { warning: ctx.warnings.join('; ') }),
  };
  const claims = buildIdempotencyClaims(operation, ctx.idempotency, ctx.params, fields);
  const placed = await keepingInDoubt(compensation, () => startCampaign(ctx, id, input, { claims, since }));
  if (placed.outcome === 'taken') return repeatedOrTaken(ctx);
  compensation.keep();
  await waitForCounts(ctx, placed.ref, records);
  return { fields };
};

/** The stored answer; a request that named itself is told that it was a repetition. */
const repeated = ({ params }: CreateCampaignContext, fields: Record<string, unknown>): OperationSuccess => ({
  fields: { ...fields, ...(params.requestId !== undefined && { duplicate_request: '1' }) },
  replayed: true,
});

/** A repetition of this very request may have been faster: then its answer is ours. */
const repeatedOrTaken = async (ctx: CreateCampaignContext): Promise<OperationSuccess> => {
  const before = await replayedAnswer(operation, ctx);
  if (before) return repeated(ctx, before);
  throw ctx.refuse('nameTaken');
};

const newId = async ({ account, services, refuse }: CreateCampaignContext): Promise<number> => {
  try {
    return await services.newMachineId();
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    services.log.error({ err: error, account: account.id }, 'no campaign id could be made');
    throw refuse('noId');
  }
};

/** After anything but a refusal the campaign may have begun all the same, and needs what was made. */
const keepingInDoubt = async <T>(compensation: RequestUndoActions, start: () => Promise<T>): Promise<T> => {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Refused)) compensation.keep();
    throw error;
  }
};

/** So that the first look at the campaign shows what is going to be called. Too slow is no mistake. */
const waitForCounts = async (
  { services }: CreateCampaignContext,
  campaign: MachineRef,
  records: number,
): Promise<void> => {
  if (records <= smallList) await services.engine.waitFor(campaign, 'generated', generationWaitMs);
};
