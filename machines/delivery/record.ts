/** What can be seen of a delivery: the row of the table `deliveries`. */
import type { MachineRecordTable } from '../../src/engine/contract/kind.ts';
import type { DeliveryContext } from './contextAndAssigns.ts';

/** 0 stands for "not yet" in the context, and is null in the table. */
const moment = (at: number): number | null => at || null;

export const deliveryRecordTable: MachineRecordTable = {
  table: 'deliveries',
  insertColumns: {
    created_at: 'bigint',
    purpose: 'text',
    subject: 'text',
    target: 'text',
    about_id: 'bigint',
  },
  updateColumns: {
    state: 'text',
    attempts: 'integer',
    result: 'integer',
    waiting: 'integer',
    last_error: 'text',
    next_at: 'bigint',
    delivered_at: 'bigint',
    finished: 'boolean',
  },

  onInsert: (given) => {
    const { bornAt, delivery } = given as DeliveryContext;
    return {
      created_at: bornAt,
      purpose: delivery.purpose,
      subject: delivery.about,
      target: delivery.target,
      about_id: delivery.aboutId,
    };
  },

  onUpdate: (given, state) => {
    const { head, queue, result, failure, nextAt, deliveredAt } = given as DeliveryContext;
    return {
      state,
      attempts: head.tries,
      result,
      waiting: Math.max(0, queue.length - 1),
      last_error: failure ? `${failure.reason}: ${failure.message}` : '',
      next_at: moment(nextAt),
      delivered_at: moment(deliveredAt),
      finished: state === 'delivered' || state === 'givenUp',
    };
  },
};
