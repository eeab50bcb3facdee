/** All trunks with their prices, servers, routes and pools of caller ids, as they stand at one moment. In the control database. */
import type { Pool } from 'pg';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import type { CallerIdPool } from '../../rules/trunks/chooseCallerId.ts';
import { dialPatternWithEndpoint, type StoredSipDetails } from '../../rules/trunks/sipTrunkDetails.ts';
import type {
  Trunk,
  TrunkPrice,
  TrunkRoute,
  TelephonyServer,
  TrunkRoutingTable,
} from '../../rules/trunks/trunkTypes.ts';
import { parseCallingWindows } from '../../rules/voice/callingWindows.ts';

type PriceRow = Omit<TrunkPrice, 'perMinute'> & { perMinute: string };
type TrunkRow = Omit<StoredTrunk, 'prices' | 'closedPrefixes' | 'hours'> & {
  prices: PriceRow[];
  closedPrefixes: Partial<Trunk['closedPrefixes']>;
  hours: unknown;
};

/** A trunk with how its carrier is reached. */
export interface StoredTrunk extends Trunk {
  sip: StoredSipDetails;
  /** The password at the carrier, sealed; empty: none. */
  sipSecret: string;
}

/** A server with how it is reached. */
export interface StoredTelephonyServer extends TelephonyServer {
  /** The settings of the service say how it is reached. */
  fromSettings: boolean;
  /** Of an Asterisk: `url`, `username`, and where they are given `sip_pattern` and `chat_pattern`. */
  settings: Readonly<Record<string, string>>;
  /** The password, sealed; empty: none. */
  secret: string;
}

/** The table with how its servers and carriers are reached. */
export interface StoredTrunkTable extends TrunkRoutingTable {
  trunks: readonly StoredTrunk[];
  servers: readonly StoredTelephonyServer[];
}

interface TableRow {
  servers: StoredTelephonyServer[];
  trunks: TrunkRow[];
  routes: TrunkRoute[];
  callerIdPools: CallerIdPool[];
}

const servers = `SELECT id, name, kind, state, from_settings AS "fromSettings", settings, secret FROM trunk_servers`;
const prices = `SELECT prefix, per_minute::text AS "perMinute", first_seconds AS "firstSeconds",
    step_seconds AS "stepSeconds"
  FROM trunk_prices WHERE trunk_id = trunks.id ORDER BY prefix`;
const trunks = `SELECT id, name, server_id AS server, state, calls_per_second AS "callsPerSecond", legs,
    caller_ids AS "callerIds", failover, closed_prefixes AS "closedPrefixes", hours, simulates,
    (spend_per_day * 10000)::bigint AS "spendPerDay", dial_pattern AS "dialPattern", number_format AS "numberFormat",
    sip, sip_secret AS "sipSecret",
    (SELECT coalesce(json_agg(price), '[]') FROM (${prices}) price) AS prices
  FROM trunks`;
const routes = `SELECT id, position, prefix, line, region, account_id AS account, campaign_id AS campaign,
    "order", trunks, active
  FROM trunk_routes`;
const pools = `SELECT id, account_id AS account, campaign_id AS campaign, "order", caller_ids AS "callerIds",
    same_for_person AS "sameForPerson", calls_per_hour AS "callsPerHour", rest_below AS "restBelow", active
  FROM caller_id_pools WHERE active`;

const all = (rows: string): string => `(SELECT coalesce(json_agg(one ORDER BY id), '[]') FROM (${rows}) one)`;

/** Reads the table with one statement. */
export const readTrunkTable = async (pool: Pool): Promise<StoredTrunkTable> => {
  const { rows } = await pool.query<TableRow>({
    name: 'trunk table',
    text: `SELECT ${all(servers)} AS servers, ${all(trunks)} AS trunks, ${all(routes)} AS routes,
      ${all(pools)} AS "callerIdPools"`,
  });
  const row = rows[0]!;
  return { ...row, trunks: row.trunks.map(trunkOf) };
};

const trunkOf = (row: TrunkRow): StoredTrunk => ({
  ...row,
  dialPattern: dialPatternWithEndpoint(row.id, row.dialPattern, row.sip),
  closedPrefixes: { open: [], closed: [], ...row.closedPrefixes },
  hours: row.hours === null ? null : parseCallingWindows(row.hours),
  prices: row.prices.map((price) => ({ ...price, perMinute: amountToTenThousandths(price.perMinute) })),
});
