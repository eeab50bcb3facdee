/** What the carriers saw of each leg, as one story, and whether a telephone may have rung. */
import { by, type Evidence, type Of, only } from '../../evidence.ts';
import type { Bounds } from '../violation.ts';

export interface Leg {
  carrier: string;
  call: string;
  leg: number;
  number: string;
  /** Moments by the clock of `at`. */
  invitedAt: number;
  rangAt?: number;
  answeredAt?: number;
  /** The final answer of a carrier that refused it. */
  refused?: number;
  /** The carrier was told to stop ringing. */
  isCancelled: boolean;
  /** When it was over at the carrier, or its Asterisk died; absent: it was not. */
  overAt?: number;
  /** Its Asterisk died while it lived. */
  isCutOff: boolean;
  lines: Of<'leg'>[];
}

/** A leg by its id: its call and its number within it. */
export const legKey = ({ call, leg }: { call: string; leg: number }): string => `leg ${leg} of ${call}`;

/** Every leg that a carrier saw, in the order in which they were asked for. */
export const legsOf = (lines: readonly Evidence[]): Leg[] => {
  const deaths = only(lines, 'asterisk').filter(({ phase }) => phase === 'killed');
  return [...by(only(lines, 'leg'), (line) => `${line.carrier} ${legKey(line)}`).values()]
    .map((own) => storyOf(own, deaths))
    .toSorted((a, b) => a.invitedAt - b.invitedAt);
};

const overWith = ['refused', 'cancelled', 'left', 'hungUp'];

const storyOf = (own: Of<'leg'>[], deaths: readonly Of<'asterisk'>[]): Leg => {
  const [{ carrier, call, leg, number, took }] = own as [Of<'leg'>];
  const when = (isMeant: (line: Of<'leg'>) => boolean): number | undefined => own.find(isMeant)?.took;
  const rangAt = when(({ saw }) => saw === 'rang');
  const answeredAt = when(({ saw }) => saw === 'answered');
  const end = when(({ saw }) => overWith.includes(saw));
  const death = deaths.find(({ asterisk, at }) => asterisk === carrier && at > took)?.at;
  const isCutOff = death !== undefined && (end === undefined || end > death);
  const overAt = isCutOff ? death : end;
  const refused = own.find(({ saw }) => saw === 'refused')?.sip;
  return {
    ...{ carrier, call, leg, number, invitedAt: took, isCutOff, lines: own },
    isCancelled: own.some(({ saw }) => saw === 'cancelled'),
    ...(rangAt !== undefined && { rangAt }),
    ...(answeredAt !== undefined && { answeredAt }),
    ...(refused !== undefined && { refused }),
    ...(overAt !== undefined && { overAt }),
  };
};

/** SIP answers of each carrier before ringing, after which another trunk may be tried. */
export const failoversOf = (lines: readonly Evidence[]): Map<string, readonly number[]> =>
  new Map(only(lines, 'trunk').map(({ asterisk, failover }) => [asterisk, failover]));

/** Unless its carrier refused it so before it rang: what got no answer may have rung. */
export const mayHaveRung = (
  { carrier, rangAt, answeredAt, refused }: Leg,
  failovers: ReadonlyMap<string, readonly number[]>,
): boolean =>
  rangAt !== undefined ||
  answeredAt !== undefined ||
  refused === undefined ||
  !failovers.get(carrier)!.includes(refused);

/** The evidence with a dial for each leg that may have rung, or the last that did not, for rules that know attempts. */
export const withDials = (lines: readonly Evidence[]): readonly Evidence[] => {
  const failovers = failoversOf(lines);
  const dials = [...by(legsOf(lines), ({ call }) => call)].flatMap(([call, legs]) => {
    const rung = legs.filter((leg) => mayHaveRung(leg, failovers));
    return (rung.length > 0 ? rung : legs.slice(-1)).map(({ leg, number, invitedAt: at }, nth): Evidence => {
      const attempt = nth + 1;
      return { kind: 'dialled', at, call, leg: String(leg), attempt, number, took: at };
    });
  });
  return [...lines, ...dials].toSorted((a, b) => a.at - b.at);
};

/** Times at which an Asterisk was not to be used: killed, drained, or its carrier closed. */
export interface Away {
  asterisk: string;
  phase: 'killed' | 'draining' | 'refusing';
  from: number;
  to: number;
  line: Of<'asterisk'>;
}

const undoes = { killed: 'started', draining: 'on', refusing: 'open' } as const;

/** Each time; one that was not undone lasted to the last line. */
export const awaysOf = (lines: readonly Evidence[]): Away[] => {
  const phases = only(lines, 'asterisk');
  const last = lines.at(-1)?.at ?? 0;
  return phases.flatMap((line): Away[] => {
    const { asterisk, phase, at: from } = line;
    if (phase !== 'killed' && phase !== 'draining' && phase !== 'refusing') return [];
    const end = phases.find(
      (other) => other.asterisk === asterisk && other.phase === undoes[phase] && other.at >= from,
    );
    return [{ asterisk, phase, from, to: end?.at ?? last, line }];
  });
};

/** Clocks and logs may shift what is compared by so much, milliseconds. */
export const blurMs = ({ graceMs }: Pick<Bounds, 'graceMs'>): number => 1_500 + graceMs / 4;
