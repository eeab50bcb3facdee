/** The list in memory: the destinations that are not claimed yet, by region, in columns. */
import type { CallTemplate } from '../../machines/campaign/input.ts';
import type { DiallerEffects, FoundDestination } from '../../machines/contracts/campaign.ts';
import type { RegionRows } from './scenario.ts';

type Asked = DiallerEffects['fetchDestinations'];

/** A value to compare typed digits with; who presses what is asked for types its end. */
export const EXPECTED = '0'.repeat(16);

/** Answers like the dialler: the next records over all asked regions, in the order of the list. */
export class Destinations {
  readonly #regions: ReadonlyMap<string, RegionRows>;
  readonly #placeholders: Record<string, string>;
  readonly #mintId: () => number;

  constructor(list: readonly RegionRows[], call: CallTemplate, mintId: () => number) {
    this.#regions = new Map(list.map((rows) => [rows.region, rows]));
    this.#placeholders = placeholdersOf(call);
    this.#mintId = mintId;
  }

  find({ cursors, limit, texts }: Asked): FoundDestination[] {
    const heads = Object.entries(cursors).flatMap(([region, cursor]) => {
      const rows = this.#regions.get(region);
      return rows ? [{ rows, place: cursor - rows.cursor }] : [];
    });
    const found: FoundDestination[] = [];
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

  #record(rows: RegionRows, place: number, texts: string[]): FoundDestination {
    return {
      region: rows.region,
      seq: rows.cursor + place + 1,
      row: rows.rows[place]!,
      call: this.#mintId(),
      numbers: numbersOf(rows.numbers[place]!),
      placeholders: this.#placeholders,
      texts,
    };
  }
}

const placeholdersOf = ({ compare }: CallTemplate): Record<string, string> =>
  compare ? { [compare.column === 'name' ? 'nome' : compare.column]: EXPECTED } : {};

/** Which numbers they are makes no difference to a forecast. */
export const numbersOf = (count: number): string[] =>
  Array.from({ length: Math.max(1, count) }, (_, index) => `number ${index + 1}`);
