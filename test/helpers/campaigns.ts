/** What campaigns need before they are created, put straight into a service's database. */
import type { CampaignContext } from '../../machines/campaign/context.ts';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import { demoAccount, type TestService } from './service.ts';

let last = 9_000;
/** An id that no other test uses. */
export const anId = (): number => (last += 1);

export interface ListRequest {
  account?: number;
  name?: string;
  active?: boolean;
  /** One record each. Default: two. */
  numbers?: string[];
}

/** A list with its records. */
export const aList = async (on: TestService, wish: ListRequest = {}): Promise<number> => {
  const { account = demoAccount, active = true, numbers = ['5511987650000', '5511987650001'] } = wish;
  const id = anId();
  await on.database.pool.query(
    `INSERT INTO lists (account_id, id, name, active, records, created_at) VALUES ($1, $2, $3, $4, $5, 0)`,
    [account, id, wish.name ?? `list ${id}`, active, numbers.length],
  );
  await on.database.pool.query(
    `INSERT INTO list_records (account_id, list_id, row, numbers, region, area, mobile, name)
      SELECT $1, $2, n, number, 'SP', 11, true, 'person ' || n FROM unnest($3::text[]) WITH ORDINALITY AS t (number, n)`,
    [account, id, numbers],
  );
  return id;
};

export interface AudioWish {
  account?: number;
  /** Epoch milliseconds. Default: in the far future. */
  expiresAt?: number;
  /** For a ttsvar. */
  text?: string;
}

/** An audio asset; answers its id as the interface writes it. Its WAV is named like it. */
export const anAsset = async (on: TestService, wish: AudioWish = {}): Promise<string> => {
  const id = anId();
  await on.database.pool.query(
    `INSERT INTO audios (account_id, id, type, text, voice, wav, seconds, created_at, expires_at)
      VALUES ($1, $2, $3, $4, 'Espeak|pt-br', $5, 2, 0, $6)`,
    [
      wish.account ?? demoAccount,
      id,
      wish.text === undefined ? 'upload' : 'ttsvar',
      wish.text ?? '',
      wish.text === undefined ? `wav-${id}` : '',
      wish.expiresAt ?? 8e15,
    ],
  );
  return `tf${id}`;
};

/** What plays an asset. */
export const played = (asset: string) => ({ media: asset.replace('tf', 'wav-'), seconds: 2 });

export const aGroup = async (on: TestService, name: string, account = demoAccount): Promise<number> => {
  const id = anId();
  await on.database.pool.query(
    'INSERT INTO groups (account_id, id, name, created_at) VALUES ($1, $2, $3, 0)',
    [account, id, name],
  );
  return id;
};

export const aProfile = async (on: TestService, active = true): Promise<number> => {
  const id = anId();
  await on.database.pool.query(
    `INSERT INTO delivery_profiles (account_id, id, name, kind, active, created_at) VALUES ($1, $2, 'x', 'folder', $3, 0)`,
    [demoAccount, id, active],
  );
  return id;
};

/** What a campaign was born with, but for the parameters that it keeps for clones. */
export const campaignInput = async (on: TestService, id: string | number): Promise<CampaignInput> => {
  const view = await on.service.engine.view({ shard: 'a', account: demoAccount, id: Number(id) });
  const { parameters: _, ...input } = (view!.context as CampaignContext).definition;
  return input;
};
