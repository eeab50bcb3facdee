/** Receivers of deliveries, of all accounts: what waits for each, what it has not taken, and how it fares. */
import type * as z from 'zod';
import { type DeliveryReceiverRow, listDeliveryReceivers } from '../../store/reads/deliveries/receivers.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { deliveryReceiverStatusesSchema } from './deliveryReceiverSchemas.ts';
import { lastErrorInWords } from './lastErrorInWords.ts';

/** Of each shard. */
const mostReceivers = 200;

/** After each replay it is looked at again: what was read before is of no use then. */
type Found = DeliveryReceiverRow & { account: string };

const read = async (deps: AdminDeps): Promise<Found[]> => {
  const rows = (
    await Promise.all(deps.shards.map((shard) => listDeliveryReceivers(deps.pool(shard), mostReceivers)))
  ).flat();
  const names = new Map<number, string>();
  for (const id of new Set(rows.map(({ account_id }) => account_id)))
    names.set(id, (await deps.control.account(id))?.name ?? '');
  return rows.map((row) => ({ ...row, account: names.get(row.account_id) ?? '' }));
};

/** As they stand at this moment. */
export const listDeliveryReceiverStatuses = async (
  deps: AdminDeps,
): Promise<z.output<typeof deliveryReceiverStatusesSchema>['receivers']> =>
  (await read(deps)).map(({ account_id, ...row }) => ({
    cdcs_id: account_id,
    ...row,
    last_error_in_words: lastErrorInWords(row.last_error),
    health: healthOf(deps, account_id, row.target),
  }));

export const deliveryReceiverRoutes = {
  'GET /delivery-receivers': defineRoute({
    role: 'operator',
    summary: 'Lists receivers of deliveries, of all accounts, those with the most dead letters first.',
    answer: deliveryReceiverStatusesSchema,
    example: {
      answer: {
        receivers: [
          {
            ...{ cdcs_id: 3, account: 'Demo', target: 'https://crm.example/ramal', attempting: 0 },
            ...{
              retrying: 2,
              waiting: 1,
              dead: 12,
              dead_since: 1_795_325_744_421,
              next_at: 1_795_325_804_421,
            },
            last_error: 'notNow: it answered HTTP 500',
            last_error_in_words: lastErrorInWords('notNow: it answered HTTP 500'),
            health: { state: 'closed', failures: 3, usual_ms: 12, next_at: null },
          },
        ],
      },
    },
    handle: async ({ deps }) => ({ receivers: await listDeliveryReceiverStatuses(deps) }),
  }),
};

/** How this process finds the host of a target. */
const healthOf = (deps: AdminDeps, account: number, target: string) => {
  const found = deps.callbacks
    .targetsOf(account)
    .find(({ origin }) => target === origin || target.startsWith(`${origin}/`));
  if (!found) return null;
  const { state, failures, usualMs, opensInMs } = found;
  return { state, failures, usual_ms: usualMs, next_at: opensInMs === 0 ? null : deps.now() + opensInMs };
};
