/** The list in memory: the destinations that are not claimed yet, by region, in columns. */
import type { CallTemplate } from '../../machines/campaign/input.ts';
import type { DiallerEffects, DestinationToCall } from '../../machines/contracts/campaign.ts';
import { unpackPhoneNumber } from '../rules/voice/packedNumbers.ts';
import type { UnclaimedDestinationsOfRegion } from './scenarioAndResultTypes.ts';

type Asked = DiallerEffects['fetchDestinations'];

/** A value to compare typed digits with; who presses what is asked for types its end. */
export const SIMULATED_VALIDATION_DIGITS = '0'.repeat(16);

/** Answers like the dialler: the next records over all asked regions, in the order of the list. */
export class ForecastDestinationList {
  readonly #regions: ReadonlyMap<string, Region>;
  /** Of calls that have not begun. */
  readonly #numbers = new Map<number, readonly number[]>();
  readonly #placeholders: Record<string, string>;
  readonly #mintId: () => number;

  constructor(list: readonly UnclaimedDestinationsOfRegion[], call: CallTemplate, mintId: () => number) {
    this.#regions = new Map(list.map((rows) => [rows.region, { ...rows, starts: startsOf(rows) }]));
    this.#placeholders = placeholdersOf(call);
    this.#mintId = mintId;
  }

  find({ cursors, limit, texts }: Asked): DestinationToCall[] {
    const heads = Object.entries(cursors).flatMap(([region, cursor]) => {
      const rows = this.#regions.get(region);
      return rows ? [{ rows, place: cursor - rows.cursor }] : [];
    });
    const found: DestinationToCall[] = [];
    while (found.length < limit) {
      let first: (typeof heads)[number] | undefined;
      for (const head of heads) {
        if (head.place >= head.rows.rows.length) continue;
        if (!first || head.rows.rows[head.place]! < first.rows.rows[first.place]!) first = head;
      }
      if (!first) break;
      found.push(this.#record(first.rows, first.place, texts));
      first.place += 1;
    }
    return found;
  }

  /** The numbers of a call that begins, as `packPhoneNumber` writes them. */
  numbersFor(call: number): readonly number[] {
    const numbers = this.#numbers.get(call) ?? [];
    this.#numbers.delete(call);
    return numbers;
  }

  #record(rows: Region, place: number, texts: string[]): DestinationToCall {
    const call = this.#mintId();
    const from = rows.starts[place]!;
    this.#numbers.set(call, [...rows.dialled.subarray(from, from + rows.numbers[place]!)]);
    return {
      region: rows.region,
      seq: rows.cursor + place + 1,
      row: rows.rows[place]!,
      call,
      numbers: forecastPhoneNumberPlaceholders(rows.numbers[place]!),
      placeholders: this.#placeholders,
      texts,
    };
  }
}

const placeholdersOf = ({ compare }: CallTemplate): Record<string, string> =>
  compare ? { [compare.column === 'name' ? 'nome' : compare.column]: SIMULATED_VALIDATION_DIGITS } : {};

interface Region extends UnclaimedDestinationsOfRegion {
  /** Where the numbers of each record begin. */
  starts: Int32Array;
}

const startsOf = ({ numbers }: UnclaimedDestinationsOfRegion): Int32Array => {
  const starts = new Int32Array(numbers.length);
  for (let place = 1; place < numbers.length; place++)
    starts[place] = starts[place - 1]! + numbers[place - 1]!;
  return starts;
};

const NAME = 'number ';

/** Numbers by their order: which they are makes no difference to the chart, and calls of different people are alike. */
export const forecastPhoneNumberPlaceholders = (count: number): string[] =>
  Array.from({ length: Math.max(1, count) }, (_, index) => `${NAME}${index + 1}`);

/** The number that goes by such a name. */
export const phoneNumberOfForecastPlaceholder = (numbers: readonly number[], name: string): string =>
  unpackPhoneNumber(numbers[Number(name.slice(NAME.length)) - 1] ?? 0);
