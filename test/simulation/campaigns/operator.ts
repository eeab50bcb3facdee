/** Who runs the campaigns: starts them, pauses and resumes, changes their pace, and in the end lets them all go on. */
import type { CampaignChanges } from '../../../machines/campaign/input.ts';
import type { MachineEvent } from '../../../src/engine/contract/effect.ts';
import type { MachineRef, StartMachineRequest } from '../../../src/engine/contract/api.ts';
import type { Dice } from '../dice.ts';
import { SHARD } from '../plan.ts';
import type { World } from '../world.ts';
import { SHUT } from './hours.ts';
import type { SimulatedCampaign } from './program.ts';

export interface OperatorScope {
  world: World;
  dice: Dice;
  campaigns: readonly SimulatedCampaign[];
  /** Asks for a machine until somebody has answered. */
  want: (name: string, request: StartMachineRequest) => void;
  /** Sends it once; it may be lost. `taken` is told when it was not. */
  send: (machine: MachineRef, event: MachineEvent, taken?: () => void) => void;
}

const ORDERS = { pause: 6, flicker: 4, pace: 2, stop: 1, windows: 1, hours: 2 };
/** Between two orders to one campaign. */
const ORDER_EVERY_MS = 25_000;
/** After the trouble: orders that wait in a paused process have arrived by then. */
const LAST_ORDER_AFTER_MS = 60_000;
const ORDERED_AGAIN_MS = 20_000;

export class Operator {
  readonly #scope: OperatorScope;

  constructor(scope: OperatorScope) {
    this.#scope = scope;
  }

  /** Starts every campaign and interferes until then; when nothing is lost any more, each is told to go on. */
  begin(until: number): void {
    const { world, campaigns, want } = this.#scope;
    for (const campaign of campaigns) {
      const { account, id, input, startsAt } = campaign;
      world.at(startsAt, () =>
        want(`campaign ${id}`, { kind: 'campaign', shard: SHARD, account, id, input }),
      );
      world.at(startsAt, () => this.#orderSoon(campaign, until));
      world.at(until + LAST_ORDER_AFTER_MS, () => {
        this.#insist(campaign, { type: 'reload' });
        this.#insist(campaign, {
          type: 'changed',
          changes: { active: true, pace: input.pace, hours: input.hours },
        });
      });
    }
  }

  #orderSoon(campaign: SimulatedCampaign, until: number): void {
    const { world, dice } = this.#scope;
    world.after(dice.rarely(ORDER_EVERY_MS), () => {
      if (world.now > until) return;
      this.#order(campaign);
      this.#orderSoon(campaign, until);
    });
  }

  #order(campaign: SimulatedCampaign): void {
    const { dice } = this.#scope;
    const { callsPerMinute, maxTransfers } = campaign.input.pace;
    switch (dice.weighed(ORDERS)) {
      case 'pause':
        return this.#pause(campaign, dice.rarely(8_000));
      case 'flicker':
        return this.#pause(campaign, dice.between(1, 60));
      case 'pace': {
        const pace = {
          callsPerMinute: callsPerMinute && Math.ceil(callsPerMinute * dice.pick([0.5, 1, 2])),
          maxTransfers: maxTransfers && maxTransfers + dice.whole(-1, 1),
        };
        return this.#change(campaign, { pace: { ...pace, maxTransfers: pace.maxTransfers || maxTransfers } });
      }
      case 'stop':
        this.#change(campaign, { pace: { callsPerMinute: 0 } });
        return this.#later(dice.rarely(8_000), () => this.#change(campaign, { pace: { callsPerMinute } }));
      case 'hours':
        this.#change(campaign, { hours: SHUT });
        return this.#later(dice.rarely(8_000), () => this.#change(campaign, { hours: campaign.input.hours }));
      case 'windows':
        return this.#tell(campaign, { type: 'windowsChanged' });
    }
  }

  #pause(campaign: SimulatedCampaign, ms: number): void {
    this.#change(campaign, { active: false });
    this.#later(ms, () => this.#change(campaign, { active: true }));
  }

  /** Tells it until somebody has answered for that: what was lost or came late meanwhile is put right. */
  #insist(campaign: SimulatedCampaign, event: MachineEvent): void {
    const { account, id } = campaign;
    let taken = false;
    this.#scope.send({ shard: SHARD, account, id }, event, () => void (taken = true));
    this.#later(ORDERED_AGAIN_MS, () => {
      if (!taken) this.#insist(campaign, event);
    });
  }

  #change(campaign: SimulatedCampaign, changes: CampaignChanges): void {
    this.#tell(campaign, { type: 'changed', changes });
  }

  #tell({ account, id }: SimulatedCampaign, event: MachineEvent): void {
    this.#scope.send({ shard: SHARD, account, id }, event);
  }

  #later(ms: number, run: () => void): void {
    this.#scope.world.after(ms, run);
  }
}
