/** Trunks, servers and routes for tests: what is not said is as harmless as can be. */
import type {
  Trunk,
  TrunkPrice,
  TrunkRoute,
  TrunkRoutingTable,
  TrunkChoiceRequest,
} from '../../../src/rules/trunks/trunkTypes.ts';

export const trunkOf = (id: number, name: string, said: Partial<Trunk> = {}): Trunk => ({
  ...{ id, name, server: 1, state: 'on', callsPerSecond: 10, legs: 100, callerIds: [], failover: [503] },
  ...{ closedPrefixes: { open: [], closed: [] }, hours: null, prices: [], simulates: 'first' },
  ...{ dialPattern: '', numberFormat: 'e164' },
  ...said,
});

export const priceOf = (prefix: string, perMinute: bigint, steps: [number, number] = [1, 1]): TrunkPrice => ({
  ...{ prefix, perMinute, firstSeconds: steps[0], stepSeconds: steps[1] },
});

export const routeOf = (
  id: number,
  trunks: readonly (string | [trunk: string, share: number])[],
  said: Partial<TrunkRoute> = {},
): TrunkRoute => ({
  ...{ id, position: 0, prefix: '', line: 'any', region: '', account: null, campaign: null },
  ...{ order: 'fixed', active: true },
  trunks: trunks.map((one) => (typeof one === 'string' ? { trunk: one } : { trunk: one[0], share: one[1] })),
  ...said,
});

export const tableOf = (trunks: readonly Trunk[], routes: readonly TrunkRoute[] = []): TrunkRoutingTable => ({
  ...{ trunks, routes },
  servers: [
    { id: 1, name: 'one', kind: 'sandbox', state: 'on' },
    { id: 2, name: 'two', kind: 'asterisk', state: 'draining' },
  ],
});

/** A mobile of São Paulo, on a Wednesday at noon there. */
export const wantedOf = (said: Partial<TrunkChoiceRequest> = {}): TrunkChoiceRequest => ({
  ...{ number: '5511987654321', account: 3, callerId: '', forced: [], draw: 0 },
  at: Date.parse('2026-11-25T15:00:00Z'),
  ...said,
});
