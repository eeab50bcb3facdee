/** A realtime agent behind a web socket, which keeps what it hears and is told. */
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { LegDestination } from '../../machines/contracts/telephony.ts';

export interface RealtimeAgent {
  endpoint: Extract<LegDestination, { kind: 'websocket' }>;
  /** What it was told, in order. */
  told: Record<string, unknown>[];
  /** The header `x-key` that it was called with. */
  key(): string;
  /** The highest sample that it heard, of 32,767. */
  loudest(): number;
  /** Sends an object as JSON, a buffer as audio. */
  say(what: object | Buffer): void;
  /** Nobody is connected. */
  gone(): boolean;
  stop(): Promise<void>;
}

export const startRealtimeAgent = async (): Promise<RealtimeAgent> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const told: Record<string, unknown>[] = [];
  let loudest = 0;
  let socket: WebSocket | undefined;
  let key = '';
  server.on('connection', (mine, request) => {
    socket = mine;
    key = String(request.headers['x-key']);
    mine.on('message', (data: Buffer, isAudio) => {
      if (!isAudio) return told.push(JSON.parse(String(data)) as Record<string, unknown>);
      for (let at = 0; at + 1 < data.length; at += 2)
        loudest = Math.max(loudest, Math.abs(data.readInt16LE(at)));
    });
  });
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: {
      kind: 'websocket',
      url: `ws://127.0.0.1:${port}/`,
      headers: { 'x-key': 'k1' },
      hello: { cd_id: 'a_1' },
    },
    told,
    key: () => key,
    loudest: () => loudest,
    say: (what: object | Buffer) => socket!.send(Buffer.isBuffer(what) ? what : JSON.stringify(what)),
    gone: () => socket!.readyState !== WebSocket.OPEN,
    stop: async () => {
      socket?.terminate();
      server.close();
    },
  };
};
