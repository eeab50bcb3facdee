/**
 * Public holidays of Brazil: the national ones, the days that are kept everywhere (Carnival, Corpus Christi), and each
 * state's. Where sources disagree about a state's day it counts as a holiday: a call that is not made does no harm.
 * Santa Catarina's two days are moved to Sundays by law and therefore absent; cities' own days are not known here.
 */
import type { BrazilianState } from './areaCodeTimeZones.ts';

/** The name of the holiday on a date (`YYYY-MM-DD`) in a state, in Portuguese; undefined on any other day. */
export const holidayOf = (date: string, state: BrazilianState): string | undefined =>
  namesOf(NATIONAL, date) ?? namesOf(STATES[state] ?? {}, date);

/** The date of Easter Sunday (Gregorian, by Meeus, Jones and Butcher). */
export const easterOf = (year: number): string => {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const skipped = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30;
  const sunday = (2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4) + 32) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * sunday) / 451);
  const day = epact + sunday - 7 * correction + 114;
  return dateOf(Date.UTC(year, Math.floor(day / 31) - 1, (day % 31) + 1));
};

/** `MM-DD`, or days after Easter written `easter+n` / `easter-n`, to the holiday's name. */
type Days = Readonly<Record<string, string>>;

const NATIONAL: Days = {
  '01-01': 'Confraternização Universal',
  'easter-48': 'Carnaval',
  'easter-47': 'Carnaval',
  'easter-2': 'Sexta-feira Santa',
  '04-21': 'Tiradentes',
  '05-01': 'Dia do Trabalho',
  'easter+60': 'Corpus Christi',
  '09-07': 'Independência do Brasil',
  '10-12': 'Nossa Senhora Aparecida',
  '11-02': 'Finados',
  '11-15': 'Proclamação da República',
  // National since 2024 (Lei 14.759/2023), and in many states long before.
  '11-20': 'Dia da Consciência Negra',
  '12-25': 'Natal',
};

const STATES: Readonly<Partial<Record<BrazilianState, Days>>> = {
  AC: {
    '01-20': 'Dia do Católico',
    '01-23': 'Dia do Evangélico',
    '03-08': 'Dia Internacional da Mulher',
    '06-15': 'Aniversário do Acre',
    '09-05': 'Dia da Amazônia',
    '11-17': 'Tratado de Petrópolis',
  },
  AL: {
    '06-24': 'São João',
    '06-29': 'São Pedro',
    '09-16': 'Emancipação Política de Alagoas',
    '11-30': 'Dia do Evangélico',
  },
  AM: { '09-05': 'Elevação do Amazonas a província', '12-08': 'Nossa Senhora da Conceição' },
  AP: { '03-19': 'São José', '07-25': 'São Tiago', '09-13': 'Criação do Território do Amapá' },
  BA: { '07-02': 'Independência da Bahia' },
  CE: { '03-19': 'São José', '03-25': 'Data Magna do Ceará' },
  DF: { '11-30': 'Dia do Evangélico' },
  ES: { 'easter+8': 'Nossa Senhora da Penha' },
  GO: { '07-26': 'Fundação da Cidade de Goiás', '10-24': 'Pedra Fundamental de Goiânia' },
  MA: { '07-28': 'Adesão do Maranhão à Independência' },
  MS: { '10-11': 'Criação do Mato Grosso do Sul' },
  PA: { '08-15': 'Adesão do Grão-Pará à Independência' },
  PB: { '07-26': 'Memória de João Pessoa', '08-05': 'Nossa Senhora das Neves' },
  PE: { '03-06': 'Data Magna de Pernambuco', '06-24': 'São João' },
  PI: { '10-19': 'Dia do Piauí' },
  PR: { '12-19': 'Emancipação Política do Paraná' },
  RJ: { '04-23': 'São Jorge' },
  RN: { '08-07': 'Dia do Rio Grande do Norte', '10-03': 'Mártires de Cunhaú e Uruaçu' },
  RO: { '01-04': 'Criação de Rondônia', '06-18': 'Dia do Evangélico' },
  RR: { '10-05': 'Criação de Roraima' },
  RS: { '09-20': 'Revolução Farroupilha' },
  SE: { '07-08': 'Emancipação Política de Sergipe' },
  SP: { '07-09': 'Revolução Constitucionalista' },
  TO: {
    '03-18': 'Autonomia do Tocantins',
    '09-08': 'Nossa Senhora da Natividade',
    '10-05': 'Criação do Tocantins',
  },
};

const namesOf = (days: Days, date: string): string | undefined =>
  days[date.slice(5)] ?? days[sinceEaster(date)];

const DAY = 86_400_000;

const sinceEaster = (date: string): string => {
  const days = (Date.parse(date) - Date.parse(easterOf(Number(date.slice(0, 4))))) / DAY;
  return days < 0 ? `easter${days}` : `easter+${days}`;
};

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
