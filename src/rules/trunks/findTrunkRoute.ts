/** The route of a leg: of those that match, the most particular. */
import { readPhoneNumber, regionOfNumber } from '../voice/parsePhoneNumber.ts';
import { internationalDigits } from './internationalDigits.ts';
import type { TrunkRoute, TrunkChoiceRequest } from './trunkTypes.ts';

/**
 * A route of the campaign comes before one of the account, this before the longest prefix, then the line, then the region,
 * then the position. Undefined: none matches.
 */
export const findTrunkRoute = (
  wanted: Pick<TrunkChoiceRequest, 'number' | 'account' | 'campaign'>,
  routes: readonly TrunkRoute[],
): TrunkRoute | undefined => {
  if (routes.length === 0) return undefined;
  const called = { ...wanted, ...calledLine(wanted.number) };
  return routes.filter((route) => isFor(route, called)).toSorted(mostParticularFirst)[0];
};

interface CalledLine {
  digits: string;
  /** Undefined: the number tells neither, nor where it rings. */
  line: 'mobile' | 'fixed' | undefined;
  region: string | undefined;
}

const calledLine = (number: string): CalledLine => {
  const digits = internationalDigits(number);
  const region = regionOfNumber(number)?.state;
  // Only Brazilian numbers tell their line; reading others takes long.
  const kind = region && readPhoneNumber(number, { brazil: false }).kind;
  return { digits, region, line: kind === 'mobile' || kind === 'fixed' ? kind : undefined };
};

const isFor = (
  route: TrunkRoute,
  called: CalledLine & Pick<TrunkChoiceRequest, 'account' | 'campaign'>,
): boolean =>
  route.active &&
  (route.campaign === null || route.campaign === called.campaign) &&
  (route.account === null || route.account === called.account) &&
  called.digits.startsWith(route.prefix) &&
  (route.line === 'any' || route.line === called.line) &&
  (route.region === '' || route.region === called.region);

const mostParticularFirst = (one: TrunkRoute, other: TrunkRoute): number => {
  const [ours, theirs] = [particularity(one), particularity(other)];
  const differing = ours.findIndex((rank, nth) => rank !== theirs[nth]);
  return differing < 0 ? 0 : theirs[differing]! - ours[differing]!;
};

/** The greater first difference is the more particular. */
const particularity = (route: TrunkRoute): number[] => [
  Number(route.campaign !== null),
  Number(route.account !== null),
  route.prefix.length,
  Number(route.line !== 'any'),
  Number(route.region !== ''),
  -route.position,
  -route.id,
];
