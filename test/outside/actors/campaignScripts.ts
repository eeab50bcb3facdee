/** What the user does with each campaign of a round. */
import type { CampaignAsked } from '../evidence.ts';
import { jsonOf } from '../world/ask.ts';
import { pause } from '../world/ports.ts';
import { csvOf, dialledAs, newNumber, newNumbers, recordsOf } from './campaignLists.ts';
import { json, type User, type Wish } from './campaigner.ts';

export interface Script {
  /** The campaign's name. */
  tag: string;
  /** Settles when it is over. */
  run(): Promise<void>;
}

/** How big the lists are. */
const sizes = { busy: 200, held: 30, paced: 70, later: 40, limited: 50, closed: 12 };
const minuteMs = 60_000;

/** The campaigns of one round; they run at the same time. Two share their first numbers, and are switched on together. */
export const aRound = (user: User, round: number): Script[] => {
  const shared = Array.from({ length: 4 }, () => newNumber(user.place.area, '07'));
  const meet = meeting(2);
  return (
    [
      ['busy', (tag: string) => busy(user, tag, shared, meet)],
      ['limited', (tag: string) => limited(user, tag, shared, meet)],
      ['paced', (tag: string) => paced(user, tag)],
      ['held', (tag: string) => held(user, tag)],
      ['later', (tag: string) => later(user, tag)],
      ['closed', (tag: string) => closed(user, tag)],
    ] as const
  ).map(([name, run]) => ({ tag: `${name} ${round}`, run: () => run(`${name} ${round}`) }));
};

/** Settles for all when so many have come. */
type Meet = () => Promise<void>;

const meeting = (count: number): Meet => {
  let missing = count;
  let open = (): void => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return all;
  };
};

/** As fast as the carrier takes it; paused when a quarter was dialled, and resumed. */
const busy = async (user: User, tag: string, shared: readonly string[], meet: Meet): Promise<void> => {
  const { place, dice } = user;
  const numbers = [...shared, ...newNumbers(place.area, sizes.busy, dice)];
  // One that is there twice is dialled once.
  const campaign = await create(user, tag, [...numbers, numbers[9]!], { resends: 1, paused: true });
  await meet();
  await change(user, campaign, tag, { active: true });
  await user.follow(campaign, tag, ({ cp_made }) => cp_made >= numbers.length / 4);
  await change(user, campaign, tag, { active: false });
  await pause(dice.between(8_000, 14_000));
  await change(user, campaign, tag, { active: true });
  await user.follow(campaign, tag, () => false);
};

/** So slow that most of it would be dialled while it is paused. */
const held = async (user: User, tag: string): Promise<void> => {
  const { place, dice } = user;
  const campaign = await create(user, tag, newNumbers(place.area, sizes.held, dice), { perMinute: 60 });
  await user.follow(campaign, tag, ({ cp_made }) => cp_made >= 3);
  await change(user, campaign, tag, { active: false });
  await pause(dice.between(10_000, 14_000));
  await change(user, campaign, tag, { active: true });
  await user.follow(campaign, tag, () => false);
};

/** The list comes along; over when enough have answered. */
const limited = async (user: User, tag: string, shared: readonly string[], meet: Meet): Promise<void> => {
  const numbers = [...shared, ...newNumbers(user.place.area, sizes.limited, user.dice)];
  const campaign = await create(user, tag, numbers, { inline: true, maxAnswered: 12, paused: true });
  await meet();
  await change(user, campaign, tag, { active: true });
  await user.follow(campaign, tag, () => false);
};

/** At a pace that is changed; meanwhile some of those that wait are put on the block list. */
const paced = async (user: User, tag: string): Promise<void> => {
  const { place, dice } = user;
  const numbers = newNumbers(place.area, sizes.paced, dice);
  const perMinute = dice.between(50, 70);
  const campaign = await create(user, tag, numbers, { perMinute, resends: dice.between(0, 2) });
  await user.follow(campaign, tag, ({ cp_made }) => cp_made >= 10);
  for (const number of dice.shuffle(numbers.slice(-25)).slice(0, 5)) await block(user, number);
  await user.follow(campaign, tag, ({ cp_made }) => cp_made >= 20);
  await change(user, campaign, tag, { perMinute: dice.between(80, 100) });
  await user.follow(campaign, tag, () => false);
};

/** Its window opens while it waits; it is created paused, and switched on. One of its numbers is blocked before. */
const later = async (user: User, tag: string): Promise<void> => {
  const { place, dice } = user;
  const numbers = newNumbers(place.area, sizes.later, dice);
  await block(user, numbers[3]!);
  const campaign = await create(user, tag, numbers, {
    opensInMs: dice.between(30_000, 40_000),
    paused: true,
  });
  await change(user, campaign, tag, { active: true });
  await user.follow(campaign, tag, () => false);
};

/** Its first day is to come: nobody is to be dialled. */
const closed = async (user: User, tag: string): Promise<void> => {
  const numbers = newNumbers(user.place.area, sizes.closed, user.dice);
  await create(user, tag, numbers, { opensInMs: Infinity });
};

interface Wanted {
  resends?: number;
  perMinute?: number;
  maxAnswered?: number;
  /** From now; `Infinity`: not within this run. */
  opensInMs?: number;
  paused?: boolean;
  /** The list is sent with the campaign, not before it. */
  inline?: boolean;
}

/** Makes a campaign: its id; empty when it was refused. */
export const create = async (
  user: User,
  tag: string,
  numbers: readonly string[],
  wanted: Wanted,
): Promise<string> => {
  const { account, ledger, place } = user;
  const { resends = 0, perMinute = null, maxAnswered = null, opensInMs, paused = false } = wanted;
  const list = wanted.inline ? { datajson: recordsOf(numbers) } : await upload(user, tag, numbers);
  const never = opensInMs === Infinity;
  const opening = opensInMs === undefined || never ? undefined : place.time(opensInMs);
  const askedAt = ledger.now();
  const asking = json({
    ...{ tsid: account.token, name: tag, text: 'Good morning from the campaign', ...list },
    ...{ resends, time_resends: 1, limit_name: 0, cp_ativo: paused ? 0 : 1 },
    ...{ date_start: place.day(never ? 2 : 0), date_end: place.day(never ? 3 : 1) },
    ...(perMinute !== null && { vel: String(perMinute) }),
    ...(maxAnswered !== null && { max_answered: maxAnswered }),
    ...(opening && { time_start: opening.text }),
  });
  const wish: Wish = { asking, key: keyOf('campaign', tag) };
  const reply = await user.insist<{ return: { cp_id: string } }>('CreateCampaign', tag, wish);
  const campaign = reply?.code === '0' ? reply.said.return?.cp_id : undefined;
  if (campaign === undefined) return '';
  const opensAt = never ? Infinity : opening && askedAt + opening.inMs;
  const line: CampaignAsked = {
    ...{ account: account.id, tag, campaign, askedAt, numbers: numbers.map(dialledAs) },
    ...{ attempts: resends + 1, intervalMs: minuteMs, perMinute, maxAnswered, active: !paused },
    // Evidence is kept as JSON, which has no infinity.
    ...(opensAt !== undefined && { opensAt: Math.min(opensAt, Number.MAX_SAFE_INTEGER) }),
  };
  ledger.add({ kind: 'campaign', ...line });
  return campaign;
};

const keyOf = (what: string, tag: string): string => `key-of-${what}-${tag.replace(' ', '-')}`;

/** A CSV file, as a browser sends it. */
const upload = async (user: User, tag: string, numbers: readonly string[]): Promise<object> => {
  const field = (name: string, text: string, more = ''): string =>
    `--list\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  const file = field('file', csvOf(numbers), '; filename="people.csv"\r\nContent-Type: text/csv');
  const body = `${field('tsid', user.account.token)}${field('name', tag)}${file}--list--\r\n`;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=list' };
  const wish = { asking: { headers, body }, key: keyOf('list', tag) };
  const reply = await user.insist<{ return: { cdlc_id: string } }>('CreateDestinationBase', tag, wish);
  return { cdlc_id: Number(reply?.said.return?.cdlc_id ?? 0) };
};

/** It was so already, e.g. after a request whose answer did not come; or the campaign is over. */
const unchanged = '230';

/** A change takes no key: made twice it says that nothing is left to change, which is as good. */
export const change = async (
  user: User,
  campaign: string,
  tag: string,
  { active, perMinute }: { active?: boolean; perMinute?: number },
): Promise<void> => {
  const { account, ledger } = user;
  const askedAt = ledger.now();
  const asking = json({
    ...{ tsid: account.token, cp_id: Number(campaign) },
    ...(active !== undefined && { active: active ? 1 : 0 }),
    ...(perMinute !== undefined && { lig_min: String(perMinute) }),
  });
  const reply = await user.insist('ChangeCampaign', tag, { asking });
  if (reply?.code !== '0' && reply?.code !== unchanged) return;
  ledger.add({
    ...{ kind: 'changed', campaign, askedAt },
    ...(active !== undefined && { active }),
    ...(perMinute !== undefined && { perMinute }),
  });
};

/** Over the administration, until it is acknowledged. */
const block = async ({ admin, account, ledger }: User, number: string): Promise<void> => {
  const askedAt = ledger.now();
  const body = { number, reason: 'asked not to be called' };
  for (;;) {
    const answer = await admin.request('POST', `/accounts/${account.id}/blocklist`, body);
    if (answer.status === 201 && jsonOf<{ number: string }>(answer.text).number !== undefined) break;
    await pause(1_000);
  }
  ledger.add({ kind: 'blocked', account: account.id, number: dialledAs(number), askedAt });
};
