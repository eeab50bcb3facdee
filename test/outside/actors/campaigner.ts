/**
 * A user who runs campaigns over REST, as docs/guides/run-a-campaign.md has it: uploads lists, makes campaigns, pauses them,
 * changes their pace, blocks numbers, and looks until each is over. Insists like any customer; waits for what the service
 * says of a campaign, never for a time alone.
 */
import { forgottenTags } from '../judge/forgotten.ts';
import type { Dice } from '../dice.ts';
import type { Ledger } from '../evidence.ts';
import type { Account, Admin } from '../world/admin.ts';
import { type Answer, ask, type Asking, jsonOf } from '../world/ask.ts';
import { pause } from '../world/ports.ts';
import type { Place } from './campaignLists.ts';
import type { Script } from './campaignScripts.ts';

export interface Campaigner {
  /** Begins no more campaigns. */
  finish(): void;
  /** A sentence for each campaign that is not over yet. */
  open(): string[];
  /** Asks nothing more. */
  stop(): void;
}

export interface CampaignerOptions {
  account: Account;
  admin: Admin;
  place: Place;
  /** A node, as a balancer would choose it. */
  url(): { name: string; url: string } | undefined;
  dice: Dice;
  ledger: Ledger;
  /** Milliseconds from now after which no more is begun. */
  lastsMs: number;
  /** The campaigns of a round; they run at the same time. */
  round(user: User, nth: number): Script[];
}

/** What GetCampaignsList says of one. */
export interface Look {
  cp_state: string;
  cp_destinations: number;
  cp_made: number;
  cp_answered: number;
}

/** What the scripts use. */
export interface User extends CampaignerOptions {
  /** The first answer that granted or refused it; undefined when the run is over. */
  insist<T extends object>(door: string, tag: string, wish: Wish): Promise<Reply<T> | undefined>;
  /** Until the campaign is as wanted, or over, or nothing more is asked; the last look. At once for one that was refused. */
  follow(campaign: string, tag: string, isSo: (look: Look) => boolean): Promise<Look | undefined>;
  /** Until a time of the ledger's clock, or nothing more is asked. */
  waitUntil(moment: number): Promise<void>;
}

/** A request that is made again and again: its body, and its Idempotency-Key if the door takes one. */
export interface Wish {
  asking: Asking;
  key?: string;
}

export interface Reply<T> {
  /** The status_code; `0`: granted. */
  code: string;
  said: Partial<T>;
}

/** A text could not be spoken: on a machine that is busy a later try may succeed. */
const notSpoken = '280';

const overStates = ['completed', 'limitReached', 'expired', 'failed'];
const againMs = 1_000;
const lookMs = 1_000;
/** So seldom it is asked whether a campaign is forgotten: all evidence is read for it. */
const forgottenEvery = 30;
/** A round takes so long at the least; none begins later than that before the end, milliseconds. */
const roundMs = 100_000;

export const startCampaigner = (options: CampaignerOptions): Campaigner => {
  const { account, url, ledger, lastsMs } = options;
  const openTags = new Set<string>();
  let over = false;
  let stopped = false;

  const once = async (door: string, tag: string, { asking, key }: Wish): Promise<Answer | undefined> => {
    const node = url();
    if (!node) return undefined;
    const headers = { ...asking.headers, ...(key !== undefined && { 'Idempotency-Key': key }) };
    const answer = await ask(`${node.url}/api/v2/${door}.php`, { method: 'POST', ...asking, headers });
    const { status: http, ms, text, failed } = answer;
    const { return: envelope } = jsonOf<Envelope>(text);
    const said = (failed || (envelope?.status ?? text)).slice(0, 200);
    const about = { door, tag, node: node.name, http, code: replyIn(text).code, ms, said };
    // What is only looked at is no evidence, unless it went wrong.
    if (door !== 'GetCampaignsList' || http === 500)
      ledger.add({ kind: 'answered', by: 'campaigner', ...about });
    return answer;
  };
  const insist: User['insist'] = async <T extends object>(door: string, tag: string, wish: Wish) => {
    while (!stopped) {
      const answer = await once(door, tag, wish);
      const reply = answer && isLastWord(answer.status) ? replyIn<T>(answer.text) : undefined;
      if (reply && reply.code !== notSpoken) return reply;
      await pause(againMs);
    }
    return undefined;
  };
  const follow: User['follow'] = async (campaign, tag, isSo) => {
    if (campaign === '') return undefined;
    const wish = { asking: json({ tsid: account.token, cp_id: Number(campaign) }) };
    for (let looks = 1; !stopped; looks += 1) {
      const reply = await insist<{ campaigns: Look[] }>('GetCampaignsList', tag, wish);
      const look = reply?.said.campaigns?.[0];
      if (look && (isSo(look) || overStates.includes(look.cp_state))) return look;
      // Its list is gone with what the database forgot: it never ends.
      if (looks % forgottenEvery === 0 && forgottenTags(ledger.lines).has(tag)) return look;
      await pause(lookMs);
    }
    return undefined;
  };
  const waitUntil = async (moment: number): Promise<void> => {
    while (!stopped && ledger.now() < moment) await pause(Math.min(lookMs, moment - ledger.now()));
  };
  const user: User = { ...options, insist, follow, waitUntil };

  const endsAt = ledger.now() + lastsMs;
  const running = (async () => {
    for (let round = 1; !over && (round === 1 || ledger.now() < endsAt - roundMs); round += 1) {
      const scripts = options.round(user, round);
      await Promise.all(
        scripts.map(async ({ tag, run }) => {
          openTags.add(tag);
          await run();
          if (!stopped) openTags.delete(tag);
        }),
      );
    }
  })();
  // A script that threw is a fault of ours: the run must not pass for it.
  running.catch((error: unknown) => openTags.add(String(error)));
  return {
    finish: () => void (over = true),
    open: () => {
      const forgotten = forgottenTags(ledger.lines);
      return [...openTags].filter((tag) => !forgotten.has(tag)).map((tag) => `campaign ${tag} is not over`);
    },
    stop: () => void (stopped = true),
  };
};

interface Envelope {
  return: { status?: string; status_code?: string | number };
}

const replyIn = <T extends object>(text: string): Reply<T> => {
  const said = jsonOf<T & Envelope>(text);
  return { code: String(said.return?.status_code ?? ''), said };
};

/** Granted, or refused for good: not "not now", and not "too much". */
const isLastWord = (http: number): boolean =>
  http === 200 || (http >= 400 && http < 500 && http !== 408 && http !== 429);

/** A JSON body. */
export const json = (body: object): Asking => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
