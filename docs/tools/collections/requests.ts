/** What both collections have: a folder for each topic, a request for each operation. */
import type { AnyOperation } from '../../../src/operations/declare.ts';
import type { Json } from '../../../src/operations/jsonSchema.ts';
import { type OperationTopic, operationTopicTitles } from '../../../src/operations/topics.ts';

export interface Folder {
  name: string;
  operations: readonly AnyOperation[];
}

export const foldersOf = (operations: readonly AnyOperation[]): Folder[] =>
  Object.entries(operationTopicTitles).map(([topic, name]) => ({
    name,
    operations: operations.filter((op) => op.topic === (topic as OperationTopic)),
  }));

/** The default address of the service. */
export const usualUrl = 'http://localhost:8080';

/** The example without its token, which goes as a Bearer header. */
export const bodyOf = ({ example: { request } }: AnyOperation): string => {
  const { tsid: _, ...params } = request as Json;
  return JSON.stringify(params, null, 2);
};

export const pathOf = ({ name }: AnyOperation): string => `api/v2/${name}.php`;
