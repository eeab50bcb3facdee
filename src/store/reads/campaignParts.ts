/** Whether what a campaign names is there: its group, its list, the profile its results go to, its audio. */
import type { Pool } from 'pg';
import type { PromptSource } from '../../../machines/call/input.ts';

export const hasGroup = async (pool: Pool, account: number, id: number): Promise<boolean> => {
  const { rows } = await pool.query({
    name: 'group there',
    text: 'SELECT 1 FROM groups WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows.length > 0;
};

export interface NamedList {
  id: number;
  name: string;
  active: boolean;
  /** Accepted records. */
  records: number;
}

/** A list of the account; undefined: it has none with this id. */
export const listNamed = async (pool: Pool, account: number, id: number): Promise<NamedList | undefined> => {
  const { rows } = await pool.query<NamedList>({
    name: 'list named',
    text: 'SELECT id, name, active, records FROM lists WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows[0];
};

export const hasProfile = async (pool: Pool, account: number, id: number): Promise<boolean> => {
  const { rows } = await pool.query({
    name: 'delivery profile there',
    text: 'SELECT 1 FROM delivery_profiles WHERE account_id = $1 AND id = $2 AND active',
    values: [account, id],
  });
  return rows.length > 0;
};

/** An audio asset, and how it is played. */
export interface Playable {
  /** As the interface writes it, `tf<id>`. */
  id: string;
  prompt: PromptSource;
}

interface AudioRow {
  id: number;
  type: string;
  wav: string;
  text: string;
  voice: string;
}

/** Those of these assets, by the id as it was written (with or without `tf`), that have not expired. `at`: epoch milliseconds. */
export const playableAudio = async (
  pool: Pool,
  account: number,
  written: readonly string[],
  at: number,
): Promise<Map<string, Playable>> => {
  const ids = new Map(written.map((text) => [text, audioId(text)]));
  const { rows } = await pool.query<AudioRow>({
    name: 'playable audio',
    text: `SELECT id, type, wav, text, voice FROM audios
      WHERE account_id = $1 AND id = ANY($2::int[]) AND expires_at > $3`,
    values: [account, [...ids.values()].filter((id) => id !== undefined), at],
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    [...ids].flatMap(([text, id]) => {
      const row = id === undefined ? undefined : found.get(id);
      return row ? [[text, playable(row)] as const] : [];
    }),
  );
};

const audioId = (written: string): number | undefined => {
  const id = Number(/^(?:tf)?(\d{1,10})$/i.exec(written)?.[1]);
  return id < 2 ** 31 ? id : undefined;
};

const playable = ({ id, type, wav, text, voice }: AudioRow): Playable => ({
  id: `tf${id}`,
  prompt: type === 'ttsvar' ? { text, voice } : { media: wav },
});
