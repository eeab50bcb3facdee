/** What a stream tells of: the figures of Now, trunks, campaigns, and machines, each from where its reader stands. */
import type { Context } from 'koa';
import { campaignRef } from '../campaigns/campaignReader.ts';
import { campaignNamed, ownerOf } from '../campaigns/ofCampaign.ts';
import { show } from '../campaigns/shapes.ts';
import type { AdminDoor } from '../door.ts';
import { machineNamed } from '../machines/machineScope.ts';
import { showView } from '../machines/machines.ts';
import { AdminError, toJson } from '../respond.ts';
import { trunksNow } from '../trunks/trunks.ts';
import { paced } from './paced.ts';

export interface News {
  event: string;
  body: object;
}

/** Remembers a text with the object that it was made of. */
export const memoized = <Of extends object>(textOf: (of: Of) => string): ((of: Of) => string) => {
  const texts = new WeakMap<Of, string>();
  return (of) => {
    const known = texts.get(of) ?? textOf(of);
    texts.set(of, known);
    return known;
  };
};

export interface Topic {
  /** What is new since it was asked last; undefined: nothing. */
  news(): Promise<News | undefined>;
  /** Tells `heard` when there may be news sooner than the next look. */
  watch(heard: () => void): () => void;
  /** `a_17=5`: up to where its reader has it; undefined: it is told whole each time. */
  position(): string | undefined;
}

/** A page needs one or two. */
const mostTopics = 8;
const historyPage = 500;
/** Between two reads of all trunks, milliseconds. */
const trunksMs = 500;

/** Opens what `?topics=` asks for: `now`, `trunks`, `machine:a_17@5`, `campaign:12`. Throws a 400 or 404. `resumed`: the `Last-Event-ID` of who comes back. */
export const openTopics = (door: AdminDoor, { query }: Context, resumed: string): Promise<Topic[]> => {
  const asked = typeof query['topics'] === 'string' ? query['topics'].split(',') : [];
  if (asked.length === 0 || asked.length > mostTopics || asked.includes(''))
    throw new AdminError(400, `topics: must be 1 to ${mostTopics}, e.g. now,machine:a_17@5`, {
      field: 'topics',
    });
  const positions = readPositions(resumed);
  return Promise.all(asked.map((text) => openTopic(door, text, positions, query['account'])));
};

const readPositions = (text: string): ReadonlyMap<string, number> =>
  new Map([...text.matchAll(/(\w{1,40})=(\d{1,9})(?:,|$)/g)].map(([, id, at]) => [id!, Number(at)]));

const openTopic = async (
  door: AdminDoor,
  text: string,
  positions: ReadonlyMap<string, number>,
  account: unknown,
): Promise<Topic> => {
  if (text === 'now') return nowTopic(door);
  if (text === 'trunks') return trunksTopic(door);
  const [, campaign] = /^campaign:(\d{1,15})$/.exec(text) ?? [];
  if (campaign !== undefined) return campaignTopic(door, campaign);
  const [, id, at] = /^machine:(\w{1,40})(?:@(\d{1,9}))?$/.exec(text) ?? [];
  if (id === undefined)
    throw new AdminError(400, `topics: there is no ${text.slice(0, 60)}`, { field: 'topics' });
  return machineTopic(door, id, positions.get(id) ?? Number(at ?? -1), account);
};

/** All but the time, as text; made once for all streams that are told the same. */
const figuresOf = memoized(({ at: _, ...figures }: { at: number }) => toJson(figures));

const nowTopic = (door: AdminDoor): Topic => {
  let told = '';
  return {
    news: async () => {
      const body = await door.overview.read();
      const text = figuresOf(body);
      if (text === told) return undefined;
      told = text;
      return { event: 'now', body };
    },
    watch: (heard) => door.live.watchAll(heard),
    position: () => undefined,
  };
};

/** All trunks with their load and health, whenever something of them is another. */
const trunksTopic = (door: AdminDoor): Topic => {
  const read = paced({ read: () => trunksNow(door), everyMs: trunksMs, now: () => performance.now() });
  let told = '';
  return {
    news: async () => {
      const trunks = await read();
      const text = toJson(trunks);
      if (text === told) return undefined;
      told = text;
      return { event: 'trunks', body: { trunks } };
    },
    watch: (heard) => door.live.watchAll(heard),
    position: () => undefined,
  };
};

/** A campaign's record and figures, whenever one of them is another. Its own steps are many; who reads is paced. */
const campaignTopic = async (door: AdminDoor, id: string): Promise<Topic> => {
  const account = await ownerOf(door, id);
  const ref = campaignRef(account, Number(id));
  let told = '';
  return {
    news: async () => {
      const [row, figures] = await Promise.all([campaignNamed(door, account, id), door.campaigns.read(ref)]);
      const body = { at: door.engine.now(account.shard), campaign: show(account.id, row), figures };
      const text = toJson([row, figures]);
      if (text === told) return undefined;
      told = text;
      return { event: 'campaign', body };
    },
    watch: (heard) => door.live.watch(ref.id, heard),
    position: () => undefined,
  };
};

/** Every entry of its history after `after`, once and in order, with the machine as it stands. */
const machineTopic = async (
  door: AdminDoor,
  name: string,
  after: number,
  account: unknown,
): Promise<Topic> => {
  const { ref } = await machineNamed(door, name, account);
  let at = after;
  let told = '';
  return {
    news: async () => {
      const view = await door.engine.view(ref);
      if (!view) return undefined;
      const text = `${view.revision} ${view.attention} ${toJson(view.agenda)}`;
      if (text === told) return undefined;
      const history = await door.engine.history(ref, at, historyPage);
      at = history.at(-1)?.revision ?? at;
      // Where a page was not enough, the rest is news the next time.
      told = history.length < historyPage ? text : '';
      return { event: 'machine', body: { machine: showView(view), history } };
    },
    watch: (heard) => door.live.watch(ref.id, heard),
    position: () => (at < 0 ? undefined : `${name}=${at}`),
  };
};
