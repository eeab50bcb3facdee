/** Records of calls that are posted instead of answered (spec 4.13 `rurl`). */
import type { DeliveryInput, PushCallback } from '../../../machines/delivery/input.ts';
import { redactUrl } from '../../lib/redactUrl.ts';
import { type CallbackLogin, noCallbackLogin } from '../../rules/deliveries/callbackAuthHeaders.ts';
import { addAllowingSetting } from '../../rules/deliveries/checkOutboundUrl.ts';
import { type CallQuery, countCalls } from '../../store/reads/voice/calls.ts';
import { noFurtherPage, type Pagination } from './callPages.ts';
import type { Success } from '../declare.ts';
import type { StatusRequestContext } from './callStatusParams.ts';

/** Where the records go; undefined: they are answered, because no push was asked for or it may not go there. */
export const pushUrlOf = ({
  params: { callbackUrl },
  services,
  warn,
}: StatusRequestContext): string | undefined => {
  if (callbackUrl === undefined) return undefined;
  const read = services.readTarget(callbackUrl);
  if ('href' in read) return read.href;
  warn(`rurl ${addAllowingSetting(read.refused, callbackUrl)}: the records are in this answer`);
  return undefined;
};

/** So far records are counted for the answer; all that were asked for are posted. */
const COUNTED = 100_000;

/** What is answered at once. `queued`: the records that will be posted; `pagination`: of those that will not. */
const queued = (records: number, pagination: Pagination = noFurtherPage): Success => ({
  fields: { pagination, queued: records },
  beside: { calls: [] },
});

/** Starts the delivery. `query`: undefined when the filters cannot match anything. */
export const startCallRecordPush = async (
  ctx: StatusRequestContext,
  url: string,
  query: CallQuery | undefined,
): Promise<Success> => {
  const { account, services } = ctx;
  const id = services.engine.mintId(account.shard);
  // What is dialled from now on is not in it, however late it is posted.
  const bounded = query
    ? { ...query, belowId: Math.min(query.belowId ?? id, id) }
    : { account: account.id, belowId: 0, limit: ctx.params.limit };
  const most = mostOf(ctx);
  const { count: records, last } = await countCalls(services.database(account.shard), bounded, most);
  const subject = pushOf(ctx, url, bounded, id);
  // No request is made for no call; an answer without calls is one.
  if (records === 0 && (subject.method === 'GET' || subject.type === 'form')) return queued(0);
  const input: DeliveryInput = {
    ...{ purpose: 'callback', subject, about: 'records of calls', target: redactUrl(url) },
  };
  await services.engine.start({ kind: 'delivery', shard: account.shard, account: account.id, id, input });
  // Only a count that the caller's own limit cut says that calls are left, and where they go on.
  const isCut = last > 0 && most === ctx.params.limit;
  return queued(records, isCut ? { has_more: true, next_id: last } : noFurtherPage);
};

const mostOf = ({ params: { limit } }: StatusRequestContext): number =>
  limit === -1 ? COUNTED : Math.min(limit, COUNTED);

const pushOf = (ctx: StatusRequestContext, url: string, query: CallQuery, id: number): PushCallback => {
  const { account, params, services } = ctx;
  const login = loginOf(ctx);
  const { limit, ...filters } = query;
  return {
    ...{ what: 'push', url, eventId: `push_${account.shard}_${account.id}_${id}` },
    ...{ query: filters, limit, numtype: params.numberFormat ?? '', origin: params.origin },
    method: params.callbackMethod ?? (account.callback_method === 'GET' ? 'GET' : 'POST'),
    type: typeOf(params.callbackType ?? account.callback_type),
    ...(login && { login: services.callbacks.sealLogin(account.id, id, login) }),
  };
};

/** `json` for a JSON body, otherwise a form for each call. */
const typeOf = (written: string): 'json' | 'form' =>
  written.trim().toLowerCase() === 'json' ? 'json' : 'form';

/** Undefined: the account's own. */
const loginOf = ({ params }: StatusRequestContext): CallbackLogin | undefined => {
  const { callbackHeaders, callbackUser, callbackPassword } = params;
  if ([callbackHeaders, callbackUser, callbackPassword].every((one) => one === undefined)) return undefined;
  return {
    headers: callbackHeaders ?? noCallbackLogin.headers,
    user: callbackUser ?? noCallbackLogin.user,
    password: callbackPassword ?? noCallbackLogin.password,
  };
};
