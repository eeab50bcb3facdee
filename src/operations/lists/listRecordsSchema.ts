/** The schema of `datajson`: destination records (spec 2.4), which are read as a stream and never as a value. */
import * as z from 'zod';
import { columnMaxLengths, columnNames } from '../../rules/lists/columns.ts';

const columns = columnNames.map((name, column) => ({ name, maxLength: columnMaxLengths[column]! }));

const record = {
  type: 'object',
  description: 'Aliases: tel, telefone, numero and number for phone, nome for name, codcli for cod_cli.',
  properties: Object.fromEntries(
    columns.map(({ name, maxLength }) => [name, { type: ['string', 'number'], maxLength }]),
  ),
};

const positional = {
  type: 'array',
  description: `In this order: ${columnNames.join(', ')}.`,
  items: { type: ['string', 'number', 'null'] },
};

export const listRecordsSchema = z
  .unknown()
  .meta({ json: { type: ['array', 'string'], items: { anyOf: [record, positional] } } });
