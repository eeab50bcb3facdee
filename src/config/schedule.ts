/** Settings of what is done at hours that an operator chooses: a cron expression, and the time zone that it is read in. */
import { validateDetailed } from 'node-cron';

/** Minute, hour, day of the month, month, day of the week. Throws what is allowed, and what is wrong. */
export function checkCronExpression(given: string): string {
  const allowed = 'a cron expression of five fields, like 30 3 * * * (3:30 each night)';
  const fields = given.split(/\s+/);
  if (fields.length !== 5) throw new Error(`${allowed}, and not of ${fields.length}`);
  const [wrong] = validateDetailed(given).errors;
  if (wrong) throw new Error(`${allowed} (${wrong.message})`);
  return given;
}

/** A name of the IANA's list. Throws what is allowed. */
export function parseTimeZoneSetting(given: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new Error('a time zone like America/Sao_Paulo or UTC', { cause });
  }
}
