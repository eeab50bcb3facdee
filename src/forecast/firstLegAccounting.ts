/** Everything that follows the callees' legs of a forecast: counts, days of trunks, balances and slots. */
import type { SimulatedLegObserver } from './simulatedTelephony.ts';
import { contextOfSimulatedCall, type OngoingForecastCall } from './simulatedCalls.ts';
import type { CallAdmissionSimulator } from './simulatedCallAdmission.ts';
import type { SimulatedCharges } from './simulatedPrepaidCharges.ts';
import type { VirtualClock } from './clock.ts';
import type { SimulatedDailySpendTracker, ForecastAnsweredLegPrice } from './simulatedDailySpending.ts';
import type { ForecastTotals } from './totals.ts';

export interface ForecastCalleeLegAccountingDeps {
  clock: VirtualClock;
  totals: ForecastTotals;
  admission: CallAdmissionSimulator;
  spending: SimulatedDailySpendTracker;
  /** Undefined: calls are not paid out of a balance. */
  charges: SimulatedCharges | undefined;
}

export const createForecastLegChargeCounter = ({
  clock,
  totals,
  admission,
  spending,
  charges,
}: ForecastCalleeLegAccountingDeps): SimulatedLegObserver => ({
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

const legOf = (call: OngoingForecastCall): ForecastAnsweredLegPrice => {
  const { route, price } = contextOfSimulatedCall(call).dial;
  return { trunk: route, price };
};
