/** Everything that follows the callees' legs of a forecast: counts, days of trunks, balances and slots. */
import type { CalleeLegs } from './carrier.ts';
import { contextOf, type LiveCall } from './calls.ts';
import type { SimulatedAdmission } from './admission.ts';
import type { SimulatedCharges } from './charges.ts';
import type { VirtualClock } from './clock.ts';
import type { SimulatedSpending, TalkedLeg } from './spending.ts';
import type { Totals } from './totals.ts';

export interface CalleeLegsDeps {
  clock: VirtualClock;
  totals: Totals;
  admission: SimulatedAdmission;
  spending: SimulatedSpending;
  /** Undefined: calls are not paid out of a balance. */
  charges: SimulatedCharges | undefined;
}

export const calleeLegs = ({ clock, totals, admission, spending, charges }: CalleeLegsDeps): CalleeLegs => ({
  dialled: (call, leg, trunk) => {
    totals.dialled(clock.now(), trunk);
    admission.dialled(call, leg);
  },
  answered: (call) => {
    totals.answered(clock.now());
    spending.answered(legOf(call));
    charges?.answered(call);
  },
  over: (call, leg) => {
    totals.hungUp(clock.now(), call);
    if (call.answeredAt > 0) spending.over(legOf(call), call.answeredAt);
    charges?.over(call);
    admission.release(call, leg);
  },
});

const legOf = (call: LiveCall): TalkedLeg => {
  const { route, price } = contextOf(call).dial;
  return { trunk: route, price };
};
