/** All tools of the service, in the order in which they are listed. */
import type { AnyOperation } from '../operations/declare.ts';
import { campaignForecast } from './campaignForecast.ts';
import { explainCall } from './explainCall.ts';
import type { Insight } from './insight.ts';
import { msgappLines } from './msgappLines.ts';
import { operationTool, type OperationToolNeeds } from './operationTool.ts';
import type { Tool } from './tool.ts';

export interface ToolNeeds extends OperationToolNeeds {
  insight: Insight;
}

/** Those of the operations in the order of the interface, then those that assistants have beside them. */
export const makeTools = (operations: readonly AnyOperation[], needs: ToolNeeds): Tool[] => [
  ...operations.flatMap((op) => (op.tools ?? []).map((entry) => operationTool(op, entry, needs))),
  msgappLines(needs.services),
  explainCall(needs.insight),
  campaignForecast(needs.insight),
];
