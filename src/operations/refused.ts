/** Refusals by name: the codes that an operation declares, and the error that carries one. */

/** What a declared refusal looks like outside. `http`: default 400. */
export interface DeclaredError {
  code: string;
  text: string;
  http?: number;
  /**
   * Something was looked for and not found. While the shard's database may lack what was acknowledged, 503 is answered in its
   * place: who believed it would give up what is there again in seconds.
   */
  absent?: true;
  /** What its answer carries in `return` besides, made of its sentence. */
  fields?(sentence: string): Readonly<Record<string, unknown>>;
  /** A code of the upstream, 261 or above, may stand in its place (spec 7). */
  passesUpstream?: true;
}

/** What an operation may refuse, by its own words. */
export type DeclaredErrors = Readonly<Record<string, DeclaredError>>;

/** A refusal by its declared word. Thrown or returned by a handler; the caller can fix it. */
export class Refused extends Error {
  readonly word: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The answer was given before (Idempotency-Key). */
  readonly replayed: boolean;
  constructor(
    word: string,
    text: string | undefined,
    fields: Readonly<Record<string, unknown>> = {},
    replayed = false,
  ) {
    super(text);
    this.name = 'Refused';
    this.word = word;
    this.fields = fields;
    this.replayed = replayed;
  }
}

/** A refusal that was given before. */
export const replayedRefusal = ({ word, message, fields }: Refused): Refused =>
  new Refused(word, message, fields, true);

/**
 * Makes a refusal by name; an undeclared word does not compile. `text` replaces the declared text where more can be
 * said; `fields` are added to `return`.
 */
export type MakeRefusal<E extends DeclaredErrors> = (
  word: keyof E & string,
  text?: string,
  fields?: Readonly<Record<string, unknown>>,
) => Refused;
