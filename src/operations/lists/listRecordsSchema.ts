/** The schema of `datajson`: destination records (spec 2.4), which are read as a stream and never as a value. */
import * as z from 'zod';
import { listColumnMaxLengths, listColumnNames } from '../../rules/lists/columns.ts';

const columns = listColumnNames.map((name, column) => ({ name, maxLength: listColumnMaxLengths[column]! }));

const record = {
  type: 'object',
  description: 'Aliases: tel, telefone, numero and number for phone, nome for name, codcli for cod_cli.',
  properties: Object.fromEntries(
    columns.map(({ name, maxLength }) => [name, { type: ['string', 'number'], maxLength }]),
  ),
};

const positional = {
  type: 'array',
  description: `In this order: ${listColumnNames.join(', ')}.`,
  items: { type: ['string', 'number', 'null'] },
};

export const destinationRecordsParamSchema = z
  .unknown()
  .meta({ json: { type: ['array', 'string'], items: { anyOf: [record, positional] } } });
