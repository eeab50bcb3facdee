/** Texts of a tool's arguments that an operation takes as files; they go with the request. */
import type { Held } from '../mcp/operationTool.ts';
import { TemporaryFiles } from '../rest/upload/temporary.ts';

interface Place {
  folder: string;
  maxBytes: { list: number };
}

export const spilledParams = ({ folder, maxBytes }: Place): Held => {
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
