/** All tools of the service, in the order in which they are listed. */
import type { AnyOperation } from '../operations/declare.ts';
import { operationTool, type OperationToolNeeds } from './operationTool.ts';
import type { Tool } from './tool.ts';

export const makeTools = (operations: readonly AnyOperation[], needs: OperationToolNeeds): Tool[] =>
  operations.flatMap((op) => (op.tools ?? []).map((entry) => operationTool(op, entry, needs)));
