/**
 * The 67 Brazilian area codes (DDD): their states, and the zones their clocks follow.
 * A code has one zone, its largest city's: the west of Amazonas (97) lives an hour earlier, and Noronha (81) an hour later.
 */

export type BrazilianState =
  | 'AC'
  | 'AL'
  | 'AM'
  | 'AP'
  | 'BA'
  | 'CE'
  | 'DF'
  | 'ES'
  | 'GO'
  | 'MA'
  | 'MG'
  | 'MS'
  | 'MT'
  | 'PA'
  | 'PB'
  | 'PE'
  | 'PI'
  | 'PR'
  | 'RJ'
  | 'RN'
  | 'RO'
  | 'RR'
  | 'RS'
  | 'SC'
  | 'SE'
  | 'SP'
  | 'TO';

export interface AreaCodeRegion {
  /** Two digits. */
  ddd: string;
  state: BrazilianState;
  /** IANA name. */
  zone: string;
}

const TABLE: readonly [state: BrazilianState, zone: string, codes: string][] = [
  ['SP', 'America/Sao_Paulo', '11 12 13 14 15 16 17 18 19'],
  ['RJ', 'America/Sao_Paulo', '21 22 24'],
  ['ES', 'America/Sao_Paulo', '27 28'],
  ['MG', 'America/Sao_Paulo', '31 32 33 34 35 37 38'],
  ['PR', 'America/Sao_Paulo', '41 42 43 44 45 46'],
  ['SC', 'America/Sao_Paulo', '47 48 49'],
  ['RS', 'America/Sao_Paulo', '51 53 54 55'],
  ['DF', 'America/Sao_Paulo', '61'],
  ['GO', 'America/Sao_Paulo', '62 64'],
  ['TO', 'America/Araguaina', '63'],
  ['MT', 'America/Cuiaba', '65 66'],
  ['MS', 'America/Campo_Grande', '67'],
  ['AC', 'America/Rio_Branco', '68'],
  ['RO', 'America/Porto_Velho', '69'],
  ['BA', 'America/Bahia', '71 73 74 75 77'],
  ['SE', 'America/Maceio', '79'],
  ['PE', 'America/Recife', '81 87'],
  ['AL', 'America/Maceio', '82'],
  ['PB', 'America/Fortaleza', '83'],
  ['RN', 'America/Fortaleza', '84'],
  ['CE', 'America/Fortaleza', '85 88'],
  ['PI', 'America/Fortaleza', '86 89'],
  ['PA', 'America/Belem', '91 93 94'],
  ['AM', 'America/Manaus', '92 97'],
  ['RR', 'America/Boa_Vista', '95'],
  ['AP', 'America/Belem', '96'],
  ['MA', 'America/Fortaleza', '98 99'],
];

/** Every region by its DDD. */
export const REGIONS: ReadonlyMap<string, AreaCodeRegion> = new Map(
  TABLE.flatMap(([state, zone, codes]) => codes.split(' ').map((ddd) => [ddd, { ddd, state, zone }])),
);

const ZONES = new Map(TABLE.map(([state, zone]) => [state, zone]));

/** The zone (IANA) of a state. */
export const timeZoneOfBrazilianState = (state: BrazilianState): string => ZONES.get(state)!;
