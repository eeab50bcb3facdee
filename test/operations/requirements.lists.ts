/** What spec 2.4, 4.6, 4.7, 7 and 8 promise of CreateDestinationBase and GetDestinationsList. */
export const requirements = {
  // 2.4 records
  '2.4/phone': 'phone, tel, telefone, numero, number; normalized',
  '2.4/name': 'name, nome',
  '2.4/cod_cli': 'cod_cli, codcli',
  '2.4/extra1..4': 'kept',
  '2.4/positional': 'arrays in the order of the columns',
  '2.4/several': 'several numbers in one field are all kept',
  '2.4/fields': 'every key of a list entry, with its type',
  // 4.6
  '4.6/name': 'kept; API_<file|json>_<cdcs_id>_<timestamp> by default',
  '4.6/ctid': 'kept',
  '4.6/datajson': 'an array in JSON, JSON text in JSON and in forms',
  '4.6/file': '.csv and .json as multipart under any name',
  '4.6/csv': 'tab, comma, semicolon; quotes, byte order mark, UTF-8, ISO-8859-1, CRLF, header in any case',
  '4.6/response': 'cdlc_id, num_dest and base_size are text; rejected is told',
  '4.6/rejected': 'a refused record is kept with its row, its reason and its beginning',
  '4.6/raw': 'nothing is deduplicated or blocked yet',
  // 4.7
  '4.7/cdlc_id': 'one list; another account’s is not found',
  '4.7/ctid': 'takes precedence over cdlc_id and search',
  '4.7/search': 'name and file name, whatever case and accents; only without ctid and cdlc_id',
  '4.7/list': '1 by default, 0, all',
  '4.7/setactive': 'every list that matches, whatever maxreg says; the answer shows the new flags',
  '4.7/maxreg': 'default 100, newest first',
  // 7 and 8
  '7/CreateDestinationBase/205': 'a program, whatever its name',
  '7/CreateDestinationBase/210': 'any refusal of access, with the original code and text, and HTTP status',
  '7/CreateDestinationBase/230': 'no valid destination, or a list that breaks',
  '7/GetDestinationsList/500': 'the database failed',
  '8/records': 'MAX_LIST_RECORDS of a list',
  '8/upload': 'MAX_LIST_BYTES of an upload',
} as const;
