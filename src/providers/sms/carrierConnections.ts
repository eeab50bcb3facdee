/** The open carriers, one a route: opened when they are needed, closed when the route is changed or removed. */
import type {
  SmsSubmitAnswer,
  SmsCarrier,
  SmsRoute,
  HandleSmsReceipt,
  OpenSmsCarrier,
} from '../contracts/sms.ts';
import type { SmsRouteRef } from './matchReceiptsToMessages.ts';

export interface SmsCarrierConnectionHealth {
  ok: boolean;
  detail: string;
}

export interface SmsCarrierConnectionsOptions {
  carriers: Readonly<Record<string, OpenSmsCarrier>>;
  take: HandleSmsReceipt;
  log: { warn(fields: object, message: string): void };
}

export interface SmsCarrierConnections {
  /** The carrier of a route, opened when it is not; `unavailable` when it cannot be. */
  of(route: SmsRoute): SmsCarrier | SmsSubmitAnswer;
  /** Opens these, and closes those that were among them before and are not any more. */
  keep(routes: readonly SmsRoute[]): void;
  /** How the link of a route fares; undefined: it has none open. */
  health(route: SmsRouteRef): SmsCarrierConnectionHealth | undefined;
  /** How many are up; names none of them. */
  allHealth(): SmsCarrierConnectionHealth | undefined;
  stop(): Promise<void>;
}

interface Link {
  route: SmsRoute;
  carrier: SmsCarrier | SmsSubmitAnswer;
}

/** Carriers open at a time; beyond them the one that was opened first makes room. */
const mostLinks = 1_000;

export const openSmsCarrierConnections = ({
  carriers,
  take,
  log,
}: SmsCarrierConnectionsOptions): SmsCarrierConnections => {
  const links = new Map<string, Link>();
  const closing = new Set<Promise<void>>();
  let kept: ReadonlySet<string> = new Set();

  const open = (route: SmsRoute): SmsCarrier | SmsSubmitAnswer => {
    try {
      const opened = carriers[route.kind]?.(route, take);
      return (
        opened ?? { type: 'unavailable', text: `no SMS carrier is of the kind ${route.kind}`, answer: '' }
      );
    } catch (error) {
      log.warn({ err: error, ...nameOf(route) }, 'an SMS route cannot be opened');
      return { type: 'unavailable', text: sentenceOf(route, error), answer: '' };
    }
  };

  const close = (key: string): void => {
    const carrier = links.get(key)?.carrier;
    links.delete(key);
    if (!carrier || !('stop' in carrier)) return;
    const closed: Promise<void> = carrier
      .stop()
      .catch((error: unknown) => log.warn({ err: error, route: key }, 'an SMS link did not close in order'))
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };

  const of = (route: SmsRoute): SmsCarrier | SmsSubmitAnswer => {
    const key = keyOf(route);
    const known = links.get(key);
    if (known?.route.version === route.version) return known.carrier;
    // The new one is there before the old one finishes what it has in flight.
    if (known) close(key);
    const oldest = links.size >= mostLinks ? links.keys().next().value : undefined;
    if (oldest !== undefined) close(oldest);
    const carrier = open(route);
    links.set(key, { route, carrier });
    return carrier;
  };

  return {
    of,
    keep: (routes) => {
      const now = new Set(routes.map(keyOf));
      for (const key of kept) if (!now.has(key)) close(key);
      for (const route of routes) of(route);
      kept = now;
    },
    health: (route) => healthOf(links.get(keyOf(route))?.carrier),
    allHealth: () => {
      const told = [...links.values()].flatMap(({ carrier }) => healthOf(carrier) ?? []);
      if (told.length === 0) return undefined;
      const down = told.filter(({ ok }) => !ok).length;
      return { ok: down === 0, detail: down === 0 ? `${told.length} up` : `${down} of ${told.length} down` };
    },
    stop: async () => {
      for (const key of links.keys()) close(key);
      await Promise.all(closing);
    },
  };
};

const healthOf = (carrier: Link['carrier'] | undefined): SmsCarrierConnectionHealth | undefined => {
  if (!carrier) return undefined;
  if ('type' in carrier) return { ok: false, detail: 'text' in carrier ? carrier.text : '' };
  return carrier.health?.();
};

const keyOf = ({ shard, account, id }: SmsRouteRef): string => `${shard}.${account}.${id}`;

const nameOf = ({ shard, account, id, kind }: SmsRoute) => ({ shard, account, route: id, kind });

const sentenceOf = ({ id }: SmsRoute, error: unknown): string =>
  `the SMS route ${id} cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
