/**
 * Tells facts: each channel's in order, each once, a recording only when its file is there.
 */
import type { ReportFactToMachine } from '../../../engine/contract/performer.ts';
import type { SimulatedChannel, Told } from './channelStateTypes.ts';

/** Makes the file of a recording; rejects when it cannot. */
export type SaveRecording = (account: number, told: Told) => Promise<void>;

/** How far a channel's facts have been told. */
export interface SimulatedChannelReportProgress {
  channel: SimulatedChannel;
  machine: { shard: string; account: number; id: number };
  /** Whether it is this process that tells them. */
  ours: boolean;
  /** The last `seq` told. */
  told: number;
  /** A recording's file is being made; later facts wait for it. */
  keeping: boolean;
}

export interface SimulatedChannelEventReporter {
  /** Tells what has not been told. */
  tell: (telling: SimulatedChannelReportProgress) => void;
  /** From now on nothing is told; resolves when no file is being made any more. */
  quiet: () => Promise<void>;
}

export const simulatedChannelEventReporter = (
  report: ReportFactToMachine,
  keepRecording: SaveRecording,
): SimulatedChannelEventReporter => {
  const files = new Set<Promise<void>>();
  let silent = false;

  const tell = (telling: SimulatedChannelReportProgress): void => {
    if (!telling.ours || telling.keeping || silent) return;
    for (const told of telling.channel.told) {
      if (told.fact.seq <= telling.told) continue;
      if (told.sound) return keep(telling, told);
      telling.told = told.fact.seq;
      report(telling.machine, { ...told.fact });
    }
  };

  const keep = (telling: SimulatedChannelReportProgress, told: Told): void => {
    telling.keeping = true;
    const made = fileOf(telling, told).then((fact) => {
      telling.keeping = false;
      files.delete(made);
      // Another process may have taken the channel over in the meantime, and told it with a file of the same name.
      if (silent || !telling.ours) return undefined;
      if (telling.told < fact.seq) {
        telling.told = fact.seq;
        report(telling.machine, fact);
      }
      return tell(telling);
    });
    files.add(made);
  };

  const fileOf = async (telling: SimulatedChannelReportProgress, told: Told) => {
    try {
      await keepRecording(telling.machine.account, told);
      return { ...told.fact };
    } catch (error) {
      return failedRecording(told, error);
    }
  };

  return {
    tell,
    quiet: async () => {
      silent = true;
      await Promise.all(files);
    },
  };
};

const failedRecording = ({ fact }: Told, error: unknown) => ({
  type: 'recordFailed' as const,
  leg: fact.leg,
  recording: fact.type === 'recorded' ? fact.recording : '',
  reason: errorMessageOf(error),
  source: fact.source,
  seq: fact.seq,
});

/** What an error says. */
export const errorMessageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
