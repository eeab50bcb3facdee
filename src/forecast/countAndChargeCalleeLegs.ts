/** Everything that follows the callees' legs of a forecast: counts, days of trunks, balances and slots. */
import type { CalleeLegListener } from './simulatedCarrier.ts';
import { simulatedForecastCallContext, type SimulatedForecastCall } from './calls.ts';
import type { SimulatedAdmission } from './admission.ts';
import type { SimulatedCharges } from './simulatedPrepaidCharges.ts';
import type { VirtualClock } from './clock.ts';
import type { SimulatedDailySpending, AnsweredCalleeLeg } from './spending.ts';
import type { ForecastTotals } from './totals.ts';

export interface SimulatedCalleeLegListenerDeps {
  clock: VirtualClock;
  totals: ForecastTotals;
  admission: SimulatedAdmission;
  spending: SimulatedDailySpending;
  /** Undefined: calls are not paid out of a balance. */
  charges: SimulatedCharges | undefined;
}

export const createSimulatedCalleeLegListener = ({
  clock,
  totals,
  admission,
  spending,
  charges,
}: SimulatedCalleeLegListenerDeps): CalleeLegListener => ({
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

const legOf = (call: SimulatedForecastCall): AnsweredCalleeLeg => {
  const { route, price } = simulatedForecastCallContext(call).dial;
  return { trunk: route, price };
};
