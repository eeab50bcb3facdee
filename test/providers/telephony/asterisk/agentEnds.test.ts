/** Realtime agents that end, or whose leg ends, before their audio is carried. Asterisk is played by the test. */
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import type { AriContext, Call } from '../../../../src/providers/telephony/asterisk/ariContext.ts';
import { forgetEndedAsteriskLeg } from '../../../../src/providers/telephony/asterisk/handleAriEvents.ts';
import { createLegTable } from '../../../../src/providers/telephony/asterisk/legTable.ts';
import { originateRealtimeAgentLeg } from '../../../../src/providers/telephony/asterisk/websocketVoiceAgent.ts';
import { names } from '../../../helpers/names.ts';
import { eventually, until } from '../../../helpers/patience.ts';

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

/** A promise that the test settles. */
const later = <T>() => {
  let settle!: { resolve: (value: T) => void; reject: (error: Error) => void };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
};

/** A far end of sockets; it takes them in when `admitted`. */
const aServer = async (admitted: Promise<unknown> = Promise.resolve()) => {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: (_info, answer) => void admitted.then(() => answer(true)),
  });
  servers.push(server);
  const heard: (string | Buffer)[] = [];
  let asked = 0;
  let socket: WebSocket | undefined;
  server.on('connection', (one) => {
    socket = one;
    one.on('message', (data: Buffer, isAudio) => heard.push(isAudio ? data : String(data)));
  });
  server.on('wsClientError', () => {});
  await new Promise((resolve) => server.on('listening', resolve));
  const { _server: http } = server as unknown as { _server: import('node:http').Server };
  http.on('upgrade', () => (asked += 1));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ heard, port },
    asked: () => asked,
    /** Resolves when it was heard. */
    say: async (what: string | Buffer): Promise<void> => {
      const one = await until(() => socket);
      const heardIt = new Promise<void>((resolve) => void one.once('pong', () => resolve()));
      one.send(what);
      one.ping();
      await heardIt;
    },
    leave: () => socket!.close(),
    connections: () =>
      new Promise<number>((resolve) => http.getConnections((_error, count) => resolve(count))),
  };
};

type Server = Awaited<ReturnType<typeof aServer>>;

/** A leg that was dialled to an agent, at an Asterisk that says where the audio is when the test lets it. */
const aLegTo = async (agent: Server, media?: Server) => {
  const where = later<{ status: number }>();
  const [ended, told]: [unknown[], object[]] = [[], []];
  let isAsked = false;
  const ari = {
    ask: async (method: string, path: string, { query = {} }: { query?: object } = {}) => {
      if (method === 'DELETE') ended.push(query);
      if (method !== 'GET') return { status: 200 };
      isAsked = path.endsWith('/variable');
      return { body: { value: 'audio' }, ...(await where.promise) };
    },
  };
  const context = {
    ...{ ari, app: 'ramal-n', installation: 'ramal', recordings: new Map(), names },
    ...{ open: () => true, log: { warn: () => {} } },
    legs: createLegTable((_machine, fact) => told.push(fact)),
  } as unknown as AriContext;
  const machine = { shard: 'a', account: 7, id: 1 };
  const params = { leg: 1, callerId: '', ringSeconds: 60, limitSeconds: 60 } as TelephonyEffects['originate'];
  const call = { id: 'e', machine, params, seen: {} } as unknown as Call<TelephonyEffects['originate']>;
  const login = { url: `http://127.0.0.1:${media?.port ?? 9}`, user: 'u', password: 'p' };
  const to = { kind: 'websocket', url: `ws://127.0.0.1:${agent.port}/`, hello: { cd_id: 'a_1' } } as const;
  await originateRealtimeAgentLeg(context, login, call, to);
  const leg = context.legs.of(machine, 1)!;
  return {
    ...{ where, ended },
    /** The agent was told hello, and Asterisk is asked where the audio is. */
    connects: () => eventually(() => expect([agent.heard.length, isAsked]).toEqual([1, true])),
    end: () => forgetEndedAsteriskLeg(context, leg),
  };
};

const isLetGo = (agent: Server): Promise<void> =>
  eventually(async () => expect(await agent.connections()).toBe(0));

it('lets an agent go whose leg ends while it is being connected', async () => {
  const admitted = later<void>();
  const agent = await aServer(admitted.promise);
  const leg = await aLegTo(agent);
  await eventually(() => expect(agent.asked()).toBe(1));
  leg.end();
  leg.where.resolve({ status: 404 });
  admitted.resolve();
  await isLetGo(agent);
  expect([agent.heard, leg.ended]).toEqual([[], []]);
});

it('lets an agent go whose leg ends while the place of its audio is asked for', async () => {
  const agent = await aServer();
  const media = await aServer();
  const leg = await aLegTo(agent, media);
  await leg.connects();
  leg.end();
  leg.where.resolve({ status: 200 });
  await isLetGo(agent);
  expect([media.asked(), leg.ended]).toEqual([0, []]);
});

it.each([404, 500, 'no answer'])(
  'ends both where Asterisk does not say the place of its audio: %s',
  async (say) => {
    const agent = await aServer();
    const leg = await aLegTo(agent);
    await leg.connects();
    if (typeof say === 'number') leg.where.resolve({ status: say });
    else leg.where.reject(new Error(say));
    await isLetGo(agent);
    expect(leg.ended).toEqual([{ reason_code: 20 }]);
  },
);

it('ends both where the audio cannot be opened', async () => {
  const agent = await aServer();
  const leg = await aLegTo(agent);
  await leg.connects();
  leg.where.resolve({ status: 200 });
  await isLetGo(agent);
  expect(leg.ended).toEqual([{ reason_code: 20 }]);
});

it.each([
  { does: 'closes', act: async (agent: Server) => agent.leave(), cause: 20 },
  { does: 'hangs up', act: (agent: Server) => agent.say('{"type":"hangup"}'), cause: 21 },
])('ends the leg of an agent that $does at once', async ({ act, cause }) => {
  const agent = await aServer();
  const media = await aServer();
  const leg = await aLegTo(agent, media);
  await leg.connects();
  void act(agent);
  await isLetGo(agent);
  await eventually(() => expect(leg.ended).toEqual([{ reason_code: cause }]));
  leg.where.resolve({ status: 200 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(media.asked()).toBe(0);
});

it('carries what an agent says before its audio is opened', async () => {
  const agent = await aServer();
  const media = await aServer();
  const leg = await aLegTo(agent, media);
  await leg.connects();
  await agent.say(Buffer.alloc(640, 7));
  leg.where.resolve({ status: 200 });
  await media.say('MEDIA_START');
  await eventually(() => expect(media.heard).toEqual([Buffer.alloc(640, 7)]));
});
