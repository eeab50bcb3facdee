/** Nodes of ours and their calls on a real Asterisk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import { folderMediaStore } from '../../../src/providers/media/folder.ts';
import {
  createAsterisk,
  dialStringTemplatesFromEndpoints,
  type AsteriskOptions,
} from '../../../src/providers/telephony/asterisk.ts';
import { createAri, path, type Ari } from '../../../src/providers/telephony/asterisk/ariRestClient.ts';
import { legId, type Telephony } from '../../../src/providers/contracts/telephony.ts';
import { openMediaServer, startBed, type Bed } from '../../asterisk/bed.ts';
import { openCutter, type Cutter } from '../../helpers/cutter.ts';
import { aListener, type Heard } from '../../helpers/report.ts';
import { aWav } from '../../helpers/wav.ts';
import { names } from '../../helpers/names.ts';
import { eventually } from '../../helpers/patience.ts';

export interface TestCall {
  heard: Heard;
  channel: (leg: number) => string;
  on: (node: Telephony) => TestCall;
  perform: <Name extends keyof TelephonyEffects>(name: Name, params: TelephonyEffects[Name]) => Promise<void>;
  dial: (number: string, terms?: Partial<TelephonyEffects['originate']>) => Promise<void>;
  answered: (number: string, terms?: Partial<TelephonyEffects['originate']>) => Promise<void>;
}

export interface AsteriskBed {
  carrier: Bed;
  ari: Ari;
  /** Unlike any other, also on an Asterisk that outlives the run. */
  newId(): number;
  /** A node, connected. */
  aNode(options?: Partial<AsteriskOptions>): Promise<Telephony>;
  /** A call of a node. Default: a new one. */
  aCall(node: Telephony, id?: number): TestCall;
  /** A wire to Asterisk that can be cut. */
  aWire(): Promise<Cutter>;
  channelState(channel: string): Promise<string | undefined>;
  fileOf(media: string): Promise<Buffer>;
  /** It is stopped with the nodes. */
  also(one: { stop(): Promise<void> }): void;
  /** One after the other. */
  stopNodes(): Promise<void>;
  /** Stops nodes, cuts wires, and ends what channels there are. */
  tidy(): Promise<void>;
  stop(): Promise<void>;
}

let lastId = Date.now();
const newId = (): number => (lastId += 1);

/** There is a prompt of account 7, `prompt`, a second long. */
export const startAsteriskBed = async (): Promise<AsteriskBed> => {
  const carrier = await startBed(2);
  const ari = createAri(carrier.login);
  const folder = await mkdtemp(join(tmpdir(), 'ramal-asterisk-'));
  const media = folderMediaStore(folder);
  const door = await openMediaServer(media);
  const listener = aListener();
  const running: { stop(): Promise<void> }[] = [];
  const wires: Cutter[] = [];
  await media.put(7, 'prompt', aWav(1));

  const aNode: AsteriskBed['aNode'] = async (options = {}) => {
    const node = createAsterisk({
      names,
      login: carrier.login,
      node: `n${newId()}`,
      dial: dialStringTemplatesFromEndpoints('PJSIP/{number}@carrier'),
      media,
      mediaUrl: door.url,
      report: listener.report,
      owns: async (legs) => legs.map(() => true),
      log: { warn: () => {} },
      ...options,
    });
    await node.start();
    running.push(node);
    await eventually(() => expect(node.health().ok).toBe(true));
    return node;
  };

  const aWire: AsteriskBed['aWire'] = async () => {
    const wire = await openCutter(8088 + carrier.shift);
    wires.push(wire);
    return wire;
  };

  const aCall: AsteriskBed['aCall'] = (node, id = newId()) => {
    const machine = { shard: 'a', account: 7, id };
    const heard = listener.of(machine);
    const perform: TestCall['perform'] = async (name, params) => {
      const performed = await node.performers[name]({
        id: `a.7.${id}.${newId()}.0`,
        name,
        params,
        machine: { ...machine, kind: 'call' },
        attempt: 1,
        seen: { ...heard.seen },
        signal: AbortSignal.timeout(10_000),
      });
      for (const fact of performed?.events ?? []) heard.take(fact);
    };
    const dial: TestCall['dial'] = (number, terms = {}) =>
      perform('originate', {
        leg: 1,
        to: { kind: 'number', number },
        callerId: '1130000000',
        ringSeconds: 20,
        limitSeconds: 300,
        ...terms,
      });
    return {
      heard,
      perform,
      dial,
      channel: (leg) => legId(machine, leg),
      on: (other) => aCall(other, id),
      answered: async (number, terms = {}) => {
        await dial(number, terms);
        await heard.until({ type: 'answered', leg: terms.leg ?? 1 });
      },
    };
  };

  const channelState: AsteriskBed['channelState'] = async (channel) => {
    const { body } = await ari.ask('GET', path`/channels/${channel}`);
    return (body as { state?: string } | undefined)?.state;
  };

  const fileOf: AsteriskBed['fileOf'] = async (id) => {
    const file = await media.open(7, id);
    const chunks: Buffer[] = [];
    for await (const chunk of file!.stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };

  const stopNodes = async (): Promise<void> => {
    for (const one of running.splice(0)) await one.stop();
  };
  return {
    ...{ carrier, ari, newId, aNode, aCall, aWire, channelState, fileOf, stopNodes },
    also: (one) => void running.push(one),
    tidy: async () => {
      await stopNodes();
      for (const wire of wires.splice(0)) await wire.close();
      const { body } = await ari.ask('GET', '/channels');
      for (const { id } of body as { id: string }[]) await ari.ask('DELETE', path`/channels/${id}`);
    },
    stop: async () => {
      await ari.close();
      await door.close();
      await carrier.stop();
      await rm(folder, { recursive: true });
    },
  };
};
