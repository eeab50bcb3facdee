/** Why a delivery has not arrived. */
import type { Explanation } from '../../src/engine/contract/kind.ts';
import type { DeliveryContext } from './contextAndAssigns.ts';

/** How its last attempt failed, until when it waits, what waits behind it, and what was left out. */
export const explainDelivery = (context: DeliveryContext): Explanation[] => [
  ...failed(context),
  ...putOff(context),
  ...leftOut(context),
];

const failed = ({ failure, head, nextAt, queue, delivery }: DeliveryContext): Explanation[] => {
  if (failure === null) return [];
  const behind = queue.length > 1 ? `; ${queue.length - 1} more wait behind it` : '';
  const detail = `attempt ${head.tries} to reach ${delivery.target} failed: ${failure.message}${behind}`;
  return [{ rule: failure.reason, detail, at: failure.at, ...(nextAt > 0 && { until: nextAt }) }];
};

const putOff = ({ putOff: put, nextAt, delivery }: DeliveryContext): Explanation[] =>
  put === null
    ? []
    : [
        {
          rule: put.leftAlone ? 'leftAlone' : 'line',
          detail: `it waits for ${delivery.target}: ${put.message}`,
          at: put.at,
          until: nextAt,
        },
      ];

const leftOut = ({ leftOut, bornAt }: DeliveryContext): Explanation[] =>
  leftOut === 0
    ? []
    : [{ rule: 'queue', detail: `${leftOut} events were left out: too many waited`, at: bornAt }];
