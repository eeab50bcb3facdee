/** Texts of a tool's arguments that an operation takes as files; they go with the request. */
import type { UploadedFile } from '../../operations/operationUploadTypes.ts';
import { TemporaryFiles } from './temporary.ts';

/** Where they are kept meanwhile. */
export interface SpilledRequestParamsOptions {
  folder: string;
  maxBytes: { list: number };
}

/** The texts of one request. */
export interface RequestParamSpillStore {
  keep(text: string): Promise<UploadedFile>;
  /** Removes the files. */
  discard(): Promise<void>;
}

/** Writes long texts to files, one by one. */
export const createSpilledRequestParams = ({
  folder,
  maxBytes,
}: SpilledRequestParamsOptions): RequestParamSpillStore => {
  const files = new TemporaryFiles(folder, maxBytes.list);
  return {
    keep: async (text) => {
      const sink = await files.begin({ name: '', field: '', contentType: 'application/json' });
      await sink.write(Buffer.from(text));
      return sink.end();
    },
    discard: () => files.discard(),
  };
};
