import { callbacks } from './callbacks.ts';
import { forecast } from './forecast.ts';
import { generation } from './generation.ts';
import { http } from './http.ts';
import { lists } from './lists.ts';
import { recovery } from './recovery.ts';
import type { Section } from './section.ts';
import { sms } from './sms.ts';
import { steps } from './steps.ts';
import { timers } from './timers.ts';

/** All sections, in the order of the table. */
export const sections: Readonly<Record<string, Section>> = {
  steps,
  timers,
  recovery,
  http,
  lists,
  generation,
  forecast,
  sms,
  callbacks,
};
