/** Which records of the list are dialled (spec 4.3 `mobile`, `no_block`, `limit_name`, `xnum`, `fdtmf`). */
import type { ListRecordColumn, ListRecordSelection } from '../../../../machines/campaign/input.ts';
import type { CreateCampaignContext } from './params.ts';

const columns: Readonly<Record<string, ListRecordColumn>> = {
  name: 'name',
  nome: 'name',
  cod_cli: 'cod_cli',
  codcli: 'cod_cli',
  extra1: 'extra1',
  extra2: 'extra2',
  extra3: 'extra3',
  extra4: 'extra4',
};

/** Throws 219 for a filter that cannot be read. */
export const readCampaignListRecordSelection = (ctx: CreateCampaignContext): ListRecordSelection => {
  const { params } = ctx;
  const filter = readFilter(ctx);
  return {
    mobile: params.mobile,
    skipBlocklist: params.skipBlocklist,
    recordsPerName: params.recordsPerName,
    severalNumbers: params.severalNumbers,
    ...(filter && { filter }),
  };
};

/** `<column>|<value>`; the value may contain `|`. */
const readFilter = ({ params, refuse }: CreateCampaignContext): ListRecordSelection['filter'] => {
  if (params.filter === undefined) return undefined;
  const [, name = '', value = ''] = /^\s*(\w+)\s*\|(.*)$/s.exec(params.filter) ?? [];
  const column = columns[name.toLowerCase()];
  if (column === undefined || value.trim() === '') throw refuse('badFilter');
  return { column, value: value.trim() };
};
