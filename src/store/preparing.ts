/**
 * Prepared statements, and what to do when the server lost one. A connection remembers by name what it has prepared; a
 * pooler, `DEALLOCATE ALL` or a changed table makes that untrue, and the server refuses the name. Under another name the
 * statement is prepared anew, on every connection.
 */
import { classifyDatabaseError } from './classifyDatabaseError.ts';

/** A statement with a name to prepare it by. */
export interface NamedStatement {
  name: string;
}

/** How often a statement is sent in all. */
const TRIES = 3;

export class PreparedStatementRetrier {
  /** How often names were changed. */
  #turn = 0;

  /**
   * Sends a statement, and sends it again when it must be prepared anew, or when `again` says that its moment was a bad
   * one; three times at most.
   */
  async send<Statement extends NamedStatement, Answer>(
    statement: Statement,
    send: (statement: Statement) => Promise<Answer>,
    again: (error: unknown) => boolean = never,
  ): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const turn = this.#turn;
      try {
        return await send(turn === 0 ? statement : { ...statement, name: `${statement.name}#${turn}` });
      } catch (error) {
        const isStale = classifyDatabaseError(error) === 'prepareAgain';
        // Several statements may find out at once: the first of them changes the names.
        if (isStale && this.#turn === turn) this.#turn += 1;
        if (tries === TRIES || !(isStale || again(error))) throw error;
      }
    }
  }
}

const never = (): boolean => false;
