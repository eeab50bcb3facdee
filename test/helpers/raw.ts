/** Bytes to a service as they are, and what came back, byte by byte: for requests that no client library would send. */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  /** All that came until the connection was closed, one character a byte. */
  text: string;
  /** The HTTP status of each answer in it, in order. */
  statuses: number[];
}

/**
 * `bytes`: one character a byte; the last request in them asks for the connection to be closed. `halfClose`: our side is
 * closed when they are sent; what is not answered by then need not be.
 */
export const sendRaw = async (
  url: string,
  bytes: string,
  { halfClose = false }: { halfClose?: boolean } = {},
): Promise<RawAnswer> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  socket.on('error', () => {});
  socket.write(Buffer.from(bytes, 'latin1'));
  if (halfClose) socket.end();
  socket.on('end', () => socket.end());
  await once(socket, 'close');
  const text = Buffer.concat(pieces).toString('latin1');
  return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)) };
};
