/** All tools of the service, in the order in which they are listed. */
import type { AnyOperation } from '../operations/declare.ts';
import { campaignForecastTool } from './campaignForecast.ts';
import { cancelCallTool } from './cancelCallTool.ts';
import { chatLineTools } from './listChatLinesTool.ts';
import { explainCallTool } from './explainCall.ts';
import type { ExplainAndForecastService } from './explainAndForecastContract.ts';
import { messageStatusTool } from './messageStatus.ts';
import { operationTool, type OperationToolDeps } from './operationTool.ts';
import { skippedRecordsTool } from './skippedRecordsTool.ts';
import type { Tool } from './tool.ts';

export interface MakeToolsDeps extends OperationToolDeps {
  insight: ExplainAndForecastService;
}

/** Those of the operations in the order of the interface, then those that assistants have beside them. */
export const makeTools = (operations: readonly AnyOperation[], needs: MakeToolsDeps): Tool[] => [
  ...operations.flatMap((op) => (op.tools ?? []).map((entry) => operationTool(op, entry, needs))),
  messageStatusTool(needs.services, needs.insight),
  ...chatLineTools(needs.services),
  explainCallTool(needs.insight),
  cancelCallTool(needs.services),
  skippedRecordsTool(needs.services),
  campaignForecastTool(needs.insight),
];
