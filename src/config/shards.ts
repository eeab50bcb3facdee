/** The setting `SHARDS`: where the data shards live. */
import { z } from 'zod';
import { normalizeDatabaseUrl } from './parseEnvironmentVariable.ts';

export interface ShardSetting {
  /** Part of every `cd_id` before the `_`; never changes once there are calls. */
  name: string;
  /** Absent: the database that also holds the control data. */
  url?: string;
  schema: string;
}

const allowed =
  'a JSON list like [{"name":"a","url":"postgresql://…","schema":"public"}], names of letters and digits, each name and each place once';

/** A sentence about an address that is wrong says more than what is allowed in general. */
const readUrl = (text: string, context: z.RefinementCtx): string => {
  try {
    return normalizeDatabaseUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `a JSON list whose url is ${(error as Error).message}` });
    return z.NEVER;
  }
};

const list = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9]{1,16}$/i),
      url: z.string().transform(readUrl).optional(),
      schema: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/)
        .prefault('public'),
    }),
  )
  .min(1);

/** Reads the list; throws what is allowed. */
export function parseShardSettings(text: string): ShardSetting[] {
  const read = list.safeParse(parse(text));
  if (!read.success) {
    const issue = read.error.issues.find(({ code }) => code === 'custom');
    throw new Error(issue?.message ?? allowed);
  }
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
