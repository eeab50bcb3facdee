/** All tools of the service, in the order in which they are listed. */
import type { AnyOperation } from '../operations/declare.ts';
import { campaignForecast } from './campaignForecast.ts';
import { cancelCall } from './cancelCall.ts';
import { chatLineTools } from './chatLines.ts';
import { explainCall } from './explainCall.ts';
import type { Insight } from './insight.ts';
import { messageStatus } from './messageStatus.ts';
import { operationTool, type OperationToolDeps } from './operationTool.ts';
import { skippedRecords } from './skippedRecords.ts';
import type { Tool } from './tool.ts';

export interface ToolDeps extends OperationToolDeps {
  insight: Insight;
}

/** Those of the operations in the order of the interface, then those that assistants have beside them. */
export const makeTools = (operations: readonly AnyOperation[], needs: ToolDeps): Tool[] => [
  ...operations.flatMap((op) => (op.tools ?? []).map((entry) => operationTool(op, entry, needs))),
  messageStatus(needs.services, needs.insight),
  ...chatLineTools(needs.services),
  explainCall(needs.insight),
  cancelCall(needs.services),
  skippedRecords(needs.services),
  campaignForecast(needs.insight),
];
