/** Machines of every kind that live as the engine lets them live, with what is written of each step. */
import type { TimerOrPendingEffect } from '../../src/engine/contract/timersAndPendingEffects.ts';
import type { MachineEvent } from '../../src/engine/contract/effect.ts';
import type { Mail } from '../../src/engine/contract/machineMail.ts';
import type { HistoryRow, MachineWrite } from '../../src/engine/contract/rows.ts';
import type { HistoryEntryView } from '../../src/engine/contract/api.ts';
import { historyEntryView } from '../../src/engine/runtime/readMachineView.ts';
import { applyMailToStep } from '../../src/engine/step/applyMailToStep.ts';
import { CompiledCharts } from '../../src/engine/step/charts.ts';
import type { MachineState } from '../../src/engine/step/machineState.ts';
import { deserializeMachineRow } from '../../src/engine/step/readState.ts';
import { machineStateOnceCommitted, toMachineWrite } from '../../src/engine/step/stepToRows.ts';
import { UncommittedMachineStep } from '../../src/engine/step/stepTransaction.ts';
import type { StepTransactionDeps } from '../../src/engine/step/transactionScope.ts';
import { machineKinds } from '../../machines/index.ts';
import { aCall } from '../machines/calls.ts';
import { anInput } from '../machines/campaigns.ts';
import { definition } from '../machines/templates.ts';
import { ofCampaign } from '../machines/turns.ts';

export const charts = new CompiledCharts(machineKinds);

let minted = 1_000;
const scope: StepTransactionDeps = {
  shard: 'a',
  heldBy: 1,
  graceMs: 10_000,
  mint: () => ++minted,
  catchUpMs: () => 0,
  chartOf: (kind) => charts.current(kind),
};

const MACHINE = 77;
const ACCOUNT = 7;

/** A machine, and what was written of it. */
export class Life {
  readonly rows: HistoryRow[] = [];
  /** The context that the database was given with each entry, as it would be read back. */
  readonly contexts: unknown[] = [];
  /** Names of the timers that were armed after each entry. */
  readonly timers: string[][] = [];
  readonly id = MACHINE;
  #state: MachineState;
  #last: MachineWrite;

  constructor(kind: string, input: object, at = 1_700_000_000_000) {
    const tx = UncommittedMachineStep.first(
      { chart: charts.current(kind), account: ACCOUNT, id: MACHINE, input, at },
      scope,
    );
    this.#last = this.#keep(tx);
    this.#state = machineStateOnceCommitted(tx);
  }

  get state(): string {
    return this.#state.state;
  }

  get context(): Record<string, never> {
    return this.#state.snapshot.context as Record<string, never>;
  }

  /** The timer that is due first; undefined: none is armed. */
  get nextTimer(): { id: string; rev: number; due: number } | undefined {
    const timers = this.#state.agenda.filter((entry) => entry.t === 'timer');
    return timers.toSorted((one, other) => one.due - other.due)[0];
  }

  hears(event: MachineEvent, at: number): void {
    this.#takes({ what: 'event', event }, at);
  }

  fires({ id, rev }: { id: string; rev: number }, at: number): void {
    this.#takes({ what: 'timer', id, rev }, at);
  }

  #takes(mail: Mail, at: number): void {
    const tx = UncommittedMachineStep.next(this.#state, at, scope, []);
    applyMailToStep(tx, mail);
    if (tx.idle) return;
    this.#last = this.#keep(tx);
    this.#state = machineStateOnceCommitted(tx);
  }

  /** Its process ends, and another reads its row. */
  moves(): void {
    const { account, id, row } = this.#last;
    const { chart, createdAt } = this.#state;
    const key = { account, id, kind: chart.kind.name, version: chart.version, createdAt };
    this.#state = deserializeMachineRow(chart, { ...key, ...row });
  }

  /** Its history as it is read. */
  get history(): HistoryEntryView[] {
    return this.rows.map(historyEntryView);
  }

  #keep(tx: UncommittedMachineStep): MachineWrite {
    const write = toMachineWrite(tx);
    const { c } = JSON.parse(write.row.snapshot) as { c: unknown };
    this.rows.push(...write.history);
    this.contexts.push(...write.history.map(() => c));
    const agenda = JSON.parse(write.row.agenda) as TimerOrPendingEffect[];
    const armed = agenda.filter(({ t }) => t === 'timer').map(({ id }) => id);
    this.timers.push(...write.history.map(() => armed.toSorted()));
    return write;
  }
}

const opening = [{ media: 'm' }];

/** Inputs of every kind that lead far into its chart. */
export const inputs: Readonly<Record<string, readonly object[]>> = {
  call: [
    aCall({
      mode: 'menu',
      keys: { 1: { do: 'play', slot: 1 } },
      prompts: { opening, slots: { 1: opening[0]! } },
    }),
    aCall({ mode: 'question', schedule: { tries: 3 }, prompts: { opening } }),
    aCall({ mode: 'validate', schedule: { tries: 2 }, prompts: { opening } }),
    aCall({ mode: 'agent', transfer: { kind: 'queue', queue: 9 }, prompts: { opening } }),
    aCall({ mode: 'play' }),
    aCall(ofCampaign(false)),
  ],
  line: [
    {
      strategy: 'leastrecent',
      active: true,
      members: [
        { member: 'a', endpoint: { kind: 'sip', uri: 'sip:a@here' }, penalty: 0, active: true, capacity: 1 },
      ],
    },
  ],
  campaign: [anInput()],
  message: [
    {
      ...{
        channel: 'sms',
        destination: '5511987650000',
        sender: 'SHOP',
        contentType: 'text',
        body: 'hi',
        correlation: '',
      },
      ...{ related: '', campaignId: '', callId: '', segments: 1, price: 0, refund: [], freedWhenRefused: [] },
      routes: [{ by: 'sms', submission: { owner: 3, route: 1, to: '5511987650000', from: '', text: 'hi' } }],
    },
  ],
  template: [{ line: 5, definition }],
  delivery: [
    {
      purpose: 'results',
      subject: { campaign: 17, profile: 3, file: 'f.csv' },
      about: 'campaign 17',
      target: 'sftp://x',
    },
    {
      purpose: 'callback',
      subject: { what: 'event', seq: 1 },
      open: true,
      about: 'call 9',
      target: 'https://x',
    },
  ],
};
