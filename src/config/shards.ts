/** The setting `SHARDS`: where the data shards live. */
import { z } from 'zod';

export interface ShardSetting {
  /** Part of every `cd_id` before the `_`; never changes once there are calls. */
  name: string;
  /** Absent: the database that also holds the control data. */
  url?: string;
  schema: string;
}

const allowed =
  'a JSON list like [{"name":"a","url":"postgresql://…","schema":"public"}], names of letters and digits, each name and each place once';

const list = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9]{1,16}$/i),
      url: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
      schema: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/)
        .prefault('public'),
    }),
  )
  .min(1);

/** Reads the list; throws what is allowed. */
export function readShards(text: string): ShardSetting[] {
  const read = list.safeParse(parse(text));
  if (!read.success) throw new Error(allowed);
  const shards: ShardSetting[] = read.data.map(({ url, ...rest }) => (url ? { ...rest, url } : rest));
  const names = new Set(shards.map(({ name }) => name));
  const places = new Set(shards.map(({ url = '', schema }) => `${url} ${schema}`));
  if (names.size < shards.length || places.size < shards.length) throw new Error(allowed);
  return shards;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
