/**
 * Realtime agents: a leg whose far end is a web socket. Asterisk gives us the leg's audio over a socket of its own
 * (chan_websocket); we carry it to the agent and back, 16 kHz signed linear in frames of 20 ms.
 *
 * The agent hears a first text frame (`hello`) and audio frames, and keys as `{"type":"dtmf","digits":"1"}`. It may
 * send audio, and text frames: `hangup`, `dtmf` with `digits` for the other leg, `transfer` with `dest2`, and `clear`,
 * which drops what it said that was not heard yet.
 */
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { LegDestination, TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { parseLegTarget } from '../../../rules/voice/legTarget.ts';
import { readPhoneNumber } from '../../../rules/voice/parsePhoneNumber.ts';
import { type RateLimitBucket, type Rate, takeRateLimitToken } from '../../../lib/tokenBucket.ts';
import { unrestrictedDnsLookup } from '../../ssrfGuard.ts';
import {
  basicAuthorization,
  sendAriCommand,
  path,
  type AriLogin,
  ignoreIfGone,
  subscribeToAriChannel,
} from './ariRestClient.ts';
import { runInBackground, type Call, type AriContext } from './ariContext.ts';
import { rang } from './handleAriEvents.ts';
import { originate } from './originate.ts';
import type { Leg } from './legTypes.ts';

type Agent = Extract<LegDestination, { kind: 'websocket' }>;

const wishSchema = z.object({
  type: z.string(),
  digits: z.coerce.string().optional(),
  dest2: z.coerce.string().optional(),
});

/** A frame of half a minute of audio is none; what is compressed may be a thousand times as long as it looks. */
const socketOptions = { maxPayload: 2 ** 20, perMessageDeflate: false, followRedirects: false };
const endpoint = 'WebSocket/INCOMING/c(slin16)';
/** 20 ms of 16 kHz, 16 bit. */
const frameBytes = 640;
/** An agent that speaks this far ahead (60 s) of what is heard is not believed any more. */
const longestAheadBytes = 60 * 50 * frameBytes;
/** An agent that does not take its audio, or answers to its pings, for so long (half a minute of audio) is gone. */
const mostUntakenBytes = 2 ** 20;
/** What an agent may ask for in a second; more passes by. */
const wishesPerSecond = 20;
/** "Subscriber absent": the agent could not be reached. */
const absent = 20;
/** "Call rejected": the agent hung up before its audio was there. */
const declined = 21;

/** Opens a leg to a realtime agent: it rings while we connect, and is answered when the agent has said hello. */
export const originateRealtimeAgentLeg = async (
  context: AriContext,
  login: AriLogin,
  call: Call<TelephonyEffects['originate']>,
  agent: Agent,
): Promise<void> => {
  const leg = await originate(context, endpoint, call);
  const { ringSeconds } = call.params;
  const lookup = unrestrictedDnsLookup(context.names.of(String(call.machine.account)));
  const options = { ...socketOptions, lookup, handshakeTimeout: ringSeconds * 1000 };
  runInBackground(context, 'connecting an agent', connect(context, login, leg, agent, options));
};

/** Connects the agent, then its audio. Either may end meanwhile, and what fails here ends both. */
const connect = async (
  context: AriContext,
  login: AriLogin,
  leg: Leg,
  agent: Agent,
  options: object,
): Promise<void> => {
  const talk = newTalk(context, leg);
  leg.disconnect = talk.end;
  try {
    await subscribeToAriChannel(context, leg.channel);
    if (!talk.goesOn()) return talk.end();
    rang(context, leg);
    const socket = new WebSocket(agent.url, { ...options, headers: agent.headers ?? {} });
    talk.meet(socket);
    await connected(socket);
    if (!talk.goesOn()) return talk.end();
    socket.send(JSON.stringify(agent.hello ?? {}));
    const where = await mediaAddress(context, login, leg);
    if (!talk.goesOn()) return talk.end();
    const headers = { authorization: basicAuthorization(login) };
    talk.carry(new WebSocket(where, 'media', { ...socketOptions, headers }));
  } catch (error) {
    talk.end();
    throw error;
  }
};

/** Settles when a socket is open, or will never be. */
const connected = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('open', resolve).once('close', () => resolve());
  });

/** Where Asterisk gives the audio of a leg. */
const mediaAddress = async ({ ari }: AriContext, login: AriLogin, leg: Leg): Promise<string> => {
  const query = { variable: 'MEDIA_WEBSOCKET_CONNECTION_ID' };
  const { body } = await sendAriCommand(ari, 'GET', path`/channels/${leg.channel}/variable`, { query });
  const server = login.url.replace(/^http/, 'ws').replace(/\/(ari\/?)?$/, '');
  return `${server}/media/${(body as { value: string }).value}`;
};

/** What there is between a leg and its agent. */
interface Talk {
  /** False once one of them has ended. */
  goesOn(): boolean;
  /** Ends both sides; the leg itself where its audio was never open. Again is fine. */
  end(): void;
  /** Listens to the agent from its first moment; what it says before its audio is carried waits. */
  meet(socket: WebSocket): void;
  /** Carries audio until either side ends. */
  carry(socket: WebSocket): void;
}

const newTalk = (context: AriContext, leg: Leg): Talk => {
  let [isOver, wasCarried] = [false, false];
  let agent: WebSocket | undefined;
  let media: WebSocket | undefined;
  const voice = newVoice(() => media);
  const finish = (cause: number): void => {
    if (isOver) return;
    isOver = true;
    agent?.close(1000);
    if (isOpen(media)) return media.send('HANGUP');
    media?.terminate();
    if (!wasCarried && leg.phase !== 'gone') endLeg(context, leg, cause);
  };
  const end = (): void => finish(absent);
  const hangUp = (): void => finish(declined);
  const broke = (what: string) => (err: Error) => {
    if (!isOver) context.log.warn({ err, leg: leg.channel }, what);
  };
  const partIfDeaf = (): void => {
    if (agent && agent.bufferedAmount > mostUntakenBytes) agent.terminate();
  };
  return {
    goesOn: () => !isOver && leg.phase !== 'gone' && (agent?.readyState ?? WebSocket.OPEN) <= WebSocket.OPEN,
    end,
    meet: (socket) => {
      agent = socket;
      const mayWish = atMost({ perSecond: wishesPerSecond, burst: wishesPerSecond });
      socket.on('error', broke('an agent could not be reached, or broke off')).on('close', end);
      socket.on('ping', partIfDeaf);
      socket.on('message', (data: Buffer, isAudio: boolean) => {
        if (isAudio) voice.say(data);
        else if (mayWish()) wish(context, leg, voice, hangUp, data.toString());
      });
    },
    carry: (socket) => {
      media = socket;
      socket.on('error', broke("an agent's audio broke off")).on('close', end);
      socket.once('open', () => {
        wasCarried = true;
      });
      socket.on('message', (data: Buffer, isAudio: boolean) => {
        if (!isAudio) return heard(agent, voice, data.toString());
        if (isOpen(agent)) agent.send(data);
        partIfDeaf();
      });
    },
  };
};

/** Ends a leg that nothing else would end before its ring time is over. */
const endLeg = (context: AriContext, leg: Leg, cause: number): void => {
  const reason = { query: { reason_code: cause } };
  const ending = sendAriCommand(context.ari, 'DELETE', path`/channels/${leg.channel}`, reason);
  runInBackground(context, 'ending the leg of an agent', ending.catch(ignoreIfGone));
};

const atMost = (rate: Rate): (() => boolean) => {
  let bucket: RateLimitBucket | undefined;
  return () => {
    const taken = takeRateLimitToken(bucket, rate, performance.now());
    bucket = taken.bucket;
    return taken.allowed;
  };
};

/** What Asterisk says on the audio's socket. */
const heard = (agent: WebSocket | undefined, voice: Voice, text: string): void => {
  const [word = ''] = text.split(' ');
  if (word === 'MEDIA_START' || word === 'MEDIA_XON') voice.flow(true);
  if (word === 'MEDIA_XOFF') voice.flow(false);
  const digits = /^DTMF_END.*digit:(\S)/.exec(text)?.[1];
  if (digits && isOpen(agent)) agent.send(JSON.stringify({ type: 'dtmf', digits }));
};

/** What the agent wishes; what is not understood passes by. */
const wish = (context: AriContext, leg: Leg, voice: Voice, hangUp: () => void, text: string): void => {
  const said = wishOf(text);
  if (said.type === 'hangup') hangUp();
  if (said.type === 'clear') voice.clear();
  if (said.type === 'dtmf' && /^[0-9*#A-D]{1,32}$/.test(said.digits ?? ''))
    context.legs.tell(leg, { type: 'digitsRequested', digits: said.digits! });
  const to = said.type === 'transfer' && parseLegTarget(said.dest2 ?? '', normalized);
  if (to) context.legs.tell(leg, { type: 'transferRequested', to });
};

const wishOf = (text: string): Partial<z.infer<typeof wishSchema>> => {
  try {
    return wishSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
};

/** An agent names numbers as a customer does in `dest2`. */
const normalized = (written: string): string | undefined => {
  const read = readPhoneNumber(written, { brazil: true });
  return read.kind === 'refused' ? undefined : read.number;
};

type OpenSocket = WebSocket & { readyState: typeof WebSocket.OPEN };

const isOpen = (to: WebSocket | undefined): to is OpenSocket => to?.readyState === WebSocket.OPEN;

interface Voice {
  say(audio: Buffer): void;
  /** Asterisk takes audio, or has enough for now. */
  flow(on: boolean): void;
  clear(): void;
}

/** Pieces of a voice that are kept apart; put together each time, small ones would cost the square of their number. */
const mostPieces = 1_000;

/** The agent's voice: whole frames to Asterisk as long as it takes them, the rest kept. */
const newVoice = (media: () => WebSocket | undefined): Voice => {
  let flowing = false;
  let pieces: Buffer[] = [];
  let bytes = 0;
  const speak = (): void => {
    const to = media();
    const takes = flowing && bytes >= frameBytes;
    if (!takes && pieces.length < mostPieces) return;
    let kept = Buffer.concat(pieces, bytes);
    while (flowing && kept.length >= frameBytes && isOpen(to)) {
      to.send(kept.subarray(0, frameBytes));
      kept = kept.subarray(frameBytes);
    }
    pieces = [kept];
    bytes = kept.length;
  };
  return {
    say: (audio) => {
      if (bytes + audio.length > longestAheadBytes) return;
      pieces.push(audio);
      bytes += audio.length;
      speak();
    },
    flow: (on) => {
      flowing = on;
      speak();
    },
    clear: () => {
      pieces = [];
      bytes = 0;
      const to = media();
      if (isOpen(to)) to.send('FLUSH_MEDIA');
    },
  };
};
