/** What a forecast knows of trunks and money, as they stand: prices, limits of a day, balances. */
import type { ForecastSimulationInput } from '../../../forecast/scenarioAndResultTypes.ts';
import { TRUNK_ZONE } from '../../../rules/trunks/spent.ts';
import { amountToTenThousandths } from '../../../rules/accounts/pricing.ts';
import type { ClosedPrefixes, TelephonyServer, TrunkRoutingTable } from '../../../rules/trunks/trunkTypes.ts';
import { readAccountBalances } from '../../../store/balances.ts';
import type { AccountRow } from '../../../store/controlDatabase.ts';
import type { ForecastDeps } from './deps.ts';

export type ForecastTrunksAndBalances = Pick<ForecastSimulationInput, 'trunks' | 'spent' | 'charges'>;

export const gatherForecastTrunksAndBalances = async (
  deps: ForecastDeps,
  account: AccountRow,
): Promise<ForecastTrunksAndBalances> => {
  const table = deps.trunkTable();
  const spentBy = ({ id }: { id: number }) => [id, deps.spentToday('trunk', id, TRUNK_ZONE)] as const;
  return {
    trunks: withoutSecrets(table, account.id),
    spent: {
      at: deps.engine.now(account.shard),
      trunks: Object.fromEntries(table.trunks.map(spentBy)),
      account: deps.spentToday('account', account.id, account.time_zone),
    },
    ...(account.charge_calls && { charges: { payers: await payersOf(deps, account) } }),
  };
};

/** What an account says of what its calls may cost, as call admission reads it. */
export const tollRulesOf = (
  account: AccountRow,
): Required<Pick<ForecastSimulationInput['account'], 'closedPrefixes' | 'spendPerDay'>> => {
  const { open = [], closed = [] } = account.closed_prefixes as Partial<ClosedPrefixes>;
  const limit = account.spend_per_day;
  return {
    closedPrefixes: { open, closed },
    spendPerDay: limit === null ? null : Number(amountToTenThousandths(limit.toFixed(4))),
  };
};

const payersOf = async (
  { control, pool }: ForecastDeps,
  account: AccountRow,
): Promise<NonNullable<ForecastSimulationInput['charges']>['payers']> => {
  const payers = (await control.payersOf(account)).map(({ id }) => id);
  const balances = await readAccountBalances(pool(account.shard), payers);
  return payers.map((payer) => ({ account: payer, balance: balances.get(payer) ?? 0n }));
};

/** How servers are reached is no matter of a forecast, nor are pools and routes of other accounts. */
const withoutSecrets = (
  { trunks, routes, servers, callerIdPools = [] }: TrunkRoutingTable,
  id: number,
): TrunkRoutingTable => ({
  trunks,
  routes: routes.filter(({ account }) => account === null || account === id),
  servers: servers.map(({ id: server, name, kind, state }): TelephonyServer => ({
    id: server,
    name,
    kind,
    state,
  })),
  callerIdPools: callerIdPools.filter(({ account }) => account === id),
});
