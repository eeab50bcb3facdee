/** So much of a body and no more: what comes after is not wanted, and its connection neither. Rejects as the body does. */
export const readUpTo = async (content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, mostBytes).toString('utf8');
};
