/** The kinds of machines in a run, some of them broken on purpose. */
import {
  callMachineKind,
  campaignMachineKind,
  deliveryMachineKind,
  queueOrAgentMachineKind,
  messageMachineKind,
} from '../../machines/index.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { carelessCampaigns } from './campaigns/careless.ts';
import type { Plan } from './plan.ts';
import { turnsKind } from './turns.ts';

/** All that a run starts, in its nodes and before its judge alike. */
export const kindsOf = (plan: Plan): readonly Kind[] => {
  const campaigns = carelessCampaigns[plan.break ?? ''] ?? campaignMachineKind;
  const kinds = [
    callMachineKind,
    queueOrAgentMachineKind,
    campaigns,
    messageMachineKind,
    patientDeliveryKind,
    turnsKind,
  ];
  return plan.break === 'atMostOnce' ? kinds.map(careless) : kinds;
};

/** A lost request is noticed within the run. */
const patientDeliveryKind: Kind = {
  ...deliveryMachineKind,
  effects: { deliver: { ...deliveryMachineKind.effects['deliver']!, timeoutMs: 15_000 } },
};

/** The kind without its promise to dial, to text and to submit at most once. */
const careless = (kind: Kind): Kind => ({
  ...kind,
  effects: Object.fromEntries(
    Object.entries(kind.effects).map(([name, terms]) => [
      name,
      { ...terms, delivery: 'atLeastOnce' as const },
    ]),
  ),
});
