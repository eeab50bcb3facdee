/** Everything that follows the callees' legs of a forecast: counts, days of trunks, balances and slots. */
import type { CalleeLegListener } from './simulatedCarrier.ts';
import { simulatedCallContext, type SimulatedCall } from './calls.ts';
import type { SimulatedAdmission } from './admission.ts';
import type { SimulatedCharges } from './simulatedPrepaidCharges.ts';
import type { VirtualClock } from './clock.ts';
import type { SimulatedSpending, AnsweredCalleeLeg } from './spending.ts';
import type { ForecastTotals } from './totals.ts';

export interface CalleeLegsDeps {
  clock: VirtualClock;
  totals: ForecastTotals;
  admission: SimulatedAdmission;
  spending: SimulatedSpending;
  /** Undefined: calls are not paid out of a balance. */
  charges: SimulatedCharges | undefined;
}

export const createCalleeLegListener = ({
  clock,
  totals,
  admission,
  spending,
  charges,
}: CalleeLegsDeps): CalleeLegListener => ({
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

const legOf = (call: SimulatedCall): AnsweredCalleeLeg => {
  const { route, price } = simulatedCallContext(call).dial;
  return { trunk: route, price };
};
