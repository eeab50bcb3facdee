/** `cd_id`: `<cdcs_db>_<numeric>`, the shard's name and the call's number in it (spec 2.1; decisions "cd_id"). */

export const writeCallId = (shard: string, id: number): string => `${shard}_${id}`;

/** Reads a cd_id. A bare number names a call of the caller's own shard. Undefined: not a cd_id. */
export const readCallId = (text: string, ownShard: string): { shard: string; id: number } | undefined => {
  const match = /^(?:([A-Za-z0-9]+)_)?(\d{1,16})$/.exec(text.trim());
  const id = Number(match?.[2]);
  return match && Number.isSafeInteger(id) ? { shard: match[1] ?? ownShard, id } : undefined;
};
