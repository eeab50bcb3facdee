/**
 * What a stream tells, by the name of its event: one shape for the topics that tell it and the pages that hear it, who
 * import it as a type.
 */
import type * as z from 'zod';
import type { campaignFiguresSchema, campaignSchema as campaign } from '../campaigns/campaignSchemas.ts';
import type { openedConversationSchema, conversationPageSchema } from '../chat/conversationSchemas.ts';
import type { deliveryReceiverStatusesSchema } from '../deliveries/deliveryReceiverSchemas.ts';
import type { machineHistoryEntrySchema, machineSchema } from '../machines/machineSchemas.ts';
import type { trunkSchema } from '../trunks/trunkSchemas.ts';
import type { consoleOverviewSchema } from './consoleOverviewSchema.ts';

export interface StreamEventPayloads {
  now: z.output<typeof consoleOverviewSchema>;
  /** `legs_of_all`: legs of all nodes. */
  trunks: { trunks: (z.output<typeof trunkSchema> & { legs_of_all: number })[] };
  receivers: z.output<typeof deliveryReceiverStatusesSchema>;
  people: z.output<typeof conversationPageSchema>;
  conversation: z.output<typeof openedConversationSchema>;
  campaign: {
    at: number;
    campaign: z.output<typeof campaign>;
    figures: z.output<typeof campaignFiguresSchema>;
  };
  /** The machine as it stands, and what happened to it since the reader's revision. */
  machine: {
    machine: Omit<z.output<typeof machineSchema>, 'history' | 'record'>;
    history: z.output<typeof machineHistoryEntrySchema>[];
  };
}
