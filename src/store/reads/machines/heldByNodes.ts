/** What nodes of a shard hold, for an operator who has to know what is at stake. */
import type { Pool } from 'pg';

export interface NodeHeldMachineCount {
  account: number;
  kind: string;
  machines: number;
}

export interface NodeHeldCampaign {
  account: number;
  id: number;
  name: string;
}

export interface Held {
  machines: NodeHeldMachineCount[];
  campaigns: NodeHeldCampaign[];
  /** Calls of these that may have been made: unfinished ones, and those that its campaigns have not made yet. */
  calls: number;
}

/** Unfinished machines of an incarnation, by account and kind; its campaigns, and how many calls could come of them. */
export const countMachinesHeldByNode = async (pool: Pool, incarnation: number): Promise<Held> => {
  const { rows: machines } = await pool.query<NodeHeldMachineCount>(
    `SELECT account_id AS account, kind, count(*)::int AS machines FROM machines
     WHERE held_by = $1 AND ended_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    [incarnation],
  );
  const { rows: campaigns } = await pool.query<NodeHeldCampaign & { left: number }>(
    `SELECT c.account_id AS account, c.id, c.name, greatest(c.destinations - c.made, 0) AS left
     FROM machines m JOIN campaigns c USING (account_id, id)
     WHERE m.held_by = $1 AND m.ended_at IS NULL AND m.kind = 'campaign' ORDER BY 1, 2`,
    [incarnation],
  );
  const calls = machines.filter(({ kind }) => kind === 'call');
  return {
    machines,
    campaigns: campaigns.map(({ left: _, ...campaign }) => campaign),
    calls: sum(calls.map((one) => one.machines)) + sum(campaigns.map(({ left }) => left)),
  };
};

export interface CampaignWithLostDestinations extends NodeHeldCampaign {
  /** Destinations that were chosen and are not there. */
  destinations: number;
}

/** Of these campaigns those that lack destinations: they are chosen outside of commits. */
export const findCampaignsMissingDestinations = async (
  pool: Pool,
  campaigns: readonly { account: number; id: number }[],
): Promise<CampaignWithLostDestinations[]> => {
  const { rows } = await pool.query<CampaignWithLostDestinations>(
    `SELECT c.account_id AS account, c.id, c.name, c.destinations - d.there AS destinations
     FROM unnest($1::int[], $2::bigint[]) AS t(account_id, id) JOIN campaigns c USING (account_id, id),
       LATERAL (SELECT count(*)::int AS there FROM destinations
         WHERE account_id = c.account_id AND campaign_id = c.id) d
     WHERE c.finished_at IS NULL AND c.destinations > d.there ORDER BY 1, 2`,
    [campaigns.map(({ account }) => account), campaigns.map(({ id }) => id)],
  );
  return rows;
};

/** Kinds of machines that are there; others are absent. */
export const readKindsOfMachines = async (
  pool: Pool,
  machines: readonly { account: number; id: number }[],
): Promise<Map<number, string>> => {
  const { rows } = await pool.query<{ id: number; kind: string }>(
    `SELECT id, kind FROM unnest($1::int[], $2::bigint[]) AS t(account_id, id) JOIN machines USING (account_id, id)`,
    [machines.map(({ account }) => account), machines.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, kind }) => [id, kind]));
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
