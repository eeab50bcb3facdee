/** What customers and campaigns dial at the carriers of the bed: numbers that behave by their last two digits. */
import type { Dice } from '../dice.ts';
import { pause } from '../world/ports.ts';
import { newNumbers } from './campaignLists.ts';
import { change, create, type Script } from './campaignScripts.ts';
import type { User } from './campaigner.ts';
import { aNumber, type Wished } from './customer.ts';

/**
 * Most answer; others hang up, are busy, decline, ring for ever, are not reached, are slow; with 03 and 50 the carrier
 * refuses before it rings, with 48 after that.
 */
const endings = [
  ...['00', '00', '00', '00', '00', '06', '01', '08', '02', '03', '03', '50', '04', '48', '49', '05'],
] as const;
/** The same, and some that do so at the first leg of a call alone. */
const endingsOfLists = [...endings, '21', '22', '23', '23', '24'] as const;

/** Spoken for some twenty seconds, so that many calls live through whatever is done meanwhile. */
const long = 'Good morning. This is a long message that goes on for quite some time. '.repeat(4);
const ringSeconds = 10;

/** One call in three speaks for long. */
export const aCall = (dice: Dice): Wished => ({
  work: 'call',
  body: {
    dest: aNumber(dice) + dice.pick(endings),
    text: dice.chance(0.33) ? long : `Wish ${dice.between(0, 9)}`,
    ...{ ringtime: ringSeconds, timelimit: 60 },
  },
});

const size = 25;

/** Two small campaigns: one goes on all the while, one is paused after some calls, and goes on later. */
export const smallCampaigns = (user: User, round: number): Script[] => [
  { tag: `steady ${round}`, run: () => steady(user, `steady ${round}`) },
  { tag: `paused ${round}`, run: () => paused(user, `paused ${round}`) },
];

const numbersOf = ({ place, dice }: User): string[] => newNumbers(place.area, size, dice, endingsOfLists);

const steady = async (user: User, tag: string): Promise<void> => {
  const campaign = await create(user, tag, numbersOf(user), { resends: 1 });
  await user.follow(campaign, tag, () => false);
};

const paused = async (user: User, tag: string): Promise<void> => {
  const campaign = await create(user, tag, numbersOf(user), { inline: true });
  await user.follow(campaign, tag, ({ cp_made }) => cp_made >= size / 4);
  await change(user, campaign, tag, { active: false });
  await pause(user.dice.between(5_000, 10_000));
  await change(user, campaign, tag, { active: true });
  await user.follow(campaign, tag, () => false);
};
