/**
 * What a stream tells, by the name of its event: one shape for the topics that tell it and the pages that hear it, who
 * import it as a type.
 */
import type * as z from 'zod';
import type { figures, record as campaign } from '../campaigns/shapes.ts';
import type { opened, people } from '../chat/shapes.ts';
import type { receivers } from '../deliveries/shapes.ts';
import type { entry, machine } from '../machines/shapes.ts';
import type { trunkRecord } from '../trunks/shapes.ts';
import type { overview } from './shapes.ts';

export interface StreamNews {
  now: z.output<typeof overview>;
  /** `legs_of_all`: legs of all nodes. */
  trunks: { trunks: (z.output<typeof trunkRecord> & { legs_of_all: number })[] };
  receivers: z.output<typeof receivers>;
  people: z.output<typeof people>;
  conversation: z.output<typeof opened>;
  campaign: { at: number; campaign: z.output<typeof campaign>; figures: z.output<typeof figures> };
  /** The machine as it stands, and what happened to it since the reader's revision. */
  machine: {
    machine: Omit<z.output<typeof machine>, 'history' | 'record'>;
    history: z.output<typeof entry>[];
  };
}
