/** A record as lines of name and value; what is empty is left out. */
import type { CommandOutput } from './output.ts';
import { fit } from './formatTerminalTable.ts';

export const formatNameValueLines = (record: object, { paint, columns }: CommandOutput): string[] => {
  const shown = Object.entries(record).filter(([, value]) => !isEmpty(value));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) =>
    fit([{ text: `${name.padEnd(width)}  `, style: 'dim' }, { text: written(value) }], {
      paint,
      width: columns,
    }),
  );
};

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
